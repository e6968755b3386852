import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../../../domain/clock'
import { databaseIn, refuseMoved, spoolIn } from '../../../storage/files/data-folder'
import { openKeyFile, type KeyFile } from '../../../storage/files/key-file'
import { serializeSecrets } from '../../../storage/files/key-file-format'
import { connect } from '../../../storage/sqlite/connect'
import { databaseId } from '../../../storage/sqlite/database-id'
import { openEndingFile } from '../../../ledger/store/spool-file'
import { DataFolderBusy } from '../../../storage/files/folder-lock'
import { syncPath } from '../../../storage/files/sync-path'
import { openStorage } from '../sqlite/open-storage'
import { waitingIn } from '../../../ledger/store/replay'
import { refuseOthers, type SecretPlace } from '../secrets/secret-check'

/**
 * The table that only a backup has: when it was made, and the secrets without which no key could be
 * checked and no credential of a vendor opened.
 */
export const backupTable = 'backup'

/**
 * Everything in one file, as it was at one moment, also while a gateway serves. The file is its
 * owner's alone and appears whole or not at all.
 * @param folder that has a database @returns its size in bytes
 * @throws RangeError where its data moved to another database, or its secret is another one's
 */
export async function writeBackup(folder: string, file: string, clock: Clock): Promise<number> {
  // Night after night it would be the same old data.
  refuseMoved(folder)
  await drain(folder, clock)
  const keys = openKeyFile(folder)
  const place = { folder, isShared: false }
  return await writeBackupFile(file, { keys, place, clock }, async (draft) => {
    const source = connect(databaseIn(folder))
    try {
      source.raw.prepare('VACUUM INTO ?').run(draft)
    } finally {
      source.close()
    }
  })
}

interface BackupParts {
  readonly keys: KeyFile
  readonly place: SecretPlace
  readonly clock: Clock
}

/**
 * Writes a backup that appears whole or not at all.
 * @param fill brings everything into an empty file @returns its size in bytes
 * @throws RangeError where the secrets are not those of what came: nobody could restore it
 */
export async function writeBackupFile(
  file: string,
  { keys, place, clock }: BackupParts,
  fill: (draft: string) => Promise<void>,
): Promise<number> {
  const draft = `${file}.${process.pid}.partial`
  rmSync(draft, { force: true })
  // Its owner's from its first byte on.
  closeSync(openSync(draft, 'wx', 0o600))
  try {
    await fill(draft)
    // By now: a generation that came while it was filled may be in use there.
    const secrets = keys.current()
    const copy = connect(draft)
    try {
      refuseOthers(copy, secrets, place)
      copy.raw.run(`CREATE TABLE ${backupTable} (made INTEGER NOT NULL, secret BLOB NOT NULL)`)
      copy.raw
        .prepare(`INSERT INTO ${backupTable} VALUES (?, ?)`)
        .run(clock.now(), Buffer.from(serializeSecrets(secrets)))
      // Back into the one file: nothing may stand beside it.
      copy.raw.run('PRAGMA journal_mode = DELETE')
    } finally {
      copy.close()
    }
    chmodSync(draft, 0o600)
    syncPath(draft)
    renameSync(draft, file)
    syncPath(dirname(file))
  } catch (thrown) {
    for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(draft + rest, { force: true })
    throw thrown
  }
  return statSync(file).size
}

const drainMs = 2000

/**
 * Brings what waits in the spool into the database. Where nobody serves the folder, that is done
 * here; else its gateway does it within milliseconds, if it can write at all.
 */
async function drain(folder: string, clock: Clock): Promise<void> {
  const until = performance.now() + drainMs
  while (isWaiting(folder)) {
    try {
      await replay(folder, clock)
    } catch (thrown) {
      if (!(thrown instanceof DataFolderBusy)) throw thrown
    }
    if (performance.now() > until) return
    await Bun.sleep(20)
  }
}

/** @throws DataFolderBusy */
async function replay(folder: string, clock: Clock): Promise<void> {
  const storage = openStorage({ folder, exclusive: true, mayMigrate: false, clock })
  try {
    // Calls that wait in the spool would not be in the backup.
    if (storage.readOnly !== null) throw new RangeError(storage.readOnly)
    // Calls of a process that still ends them are its own to write, and the next one's that serves.
    if ((storage.handover?.leaving() ?? []).length === 0) await storage.ledger.recover()
  } finally {
    await storage.close()
  }
}

function isWaiting(folder: string): boolean {
  if (!existsSync(spoolIn(folder))) return false
  const connection = connect(databaseIn(folder))
  try {
    const records = openEndingFile(folder, databaseId(connection)).records()
    return waitingIn(connection, records).calls > 0
  } finally {
    connection.close()
  }
}
