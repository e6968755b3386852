import { Database } from 'bun:sqlite'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Clock, Ms } from '../../../domain/clock'
import type { AuditReport } from '../../../ledger/store'
import { audit } from '../../../ledger/store/audit'
import {
  databaseIn,
  makeDataFolder,
  movedIn,
  secretIn,
  spoolIn,
} from '../../../storage/files/data-folder'
import { parseSecrets } from '../../../storage/files/key-file-format'
import { backupTable } from './backup'
import { syncPath } from '../../../storage/files/sync-path'
import { connect } from '../../../storage/sqlite/connect'
import { isDamage, type Connection } from '../../../storage/sqlite/connection'
import { forgetDatabaseId } from '../../../storage/sqlite/database-id'
import { lockFolder } from '../../../storage/files/folder-lock'
import { newerRelease, openSchema } from '../sqlite/schema-access'
import { belongTogether } from '../secrets/secret-check'

/** What became of a restoration. */
export interface Restored {
  /** When the backup was made. */
  readonly made: Ms
  readonly audit: AuditReport
  /** Where what was there before lies now; null when nothing was. */
  readonly before: string | null
}

/**
 * Puts a backup into a data folder: checked, brought up to this program and audited before anything
 * there is touched. What was there is kept beside it.
 * @param replace what the folder holds
 * @throws DataFolderBusy | RangeError no backup, damaged, of a newer program, does not add up, or
 *   in the way of what is there
 */
export function restoreBackup(
  file: string,
  folder: string,
  { replace, clock }: { readonly replace: boolean; readonly clock: Clock },
): Restored {
  if (!existsSync(file)) throw new RangeError(`there is no file ${file}`)
  const created = makeDataFolder(folder)
  const unlock = lockFolder(folder)
  let isRestored = false
  const draft = join(folder, `restoring.${process.pid}.db`)
  try {
    const there = existsSync(databaseIn(folder))
    if (there && !replace)
      throw new RangeError(
        `${folder} holds a database: --force puts the backup in its place and keeps it beside`,
      )
    const { made, secret, report } = checkedCopy(file, draft)
    const before = there ? keep(folder, clock) : null
    install({ folder, draft, secret })
    isRestored = true
    return { made, audit: report, before }
  } finally {
    for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(draft + rest, { force: true })
    unlock()
    // A mistyped file leaves nothing behind.
    if (!isRestored && created !== undefined) rmSync(created, { recursive: true })
  }
}

/**
 * Restores a backup into a new database somewhere else; the folder gets its secret.
 * @param moveIn makes the other database of the checked copy
 * @throws DataFolderBusy | RangeError as of `restoreBackup`
 */
export async function restoreElsewhere(
  file: string,
  folder: string,
  moveIn: (copy: Database) => Promise<AuditReport>,
): Promise<Omit<Restored, 'before'>> {
  if (!existsSync(file)) throw new RangeError(`there is no file ${file}`)
  makeDataFolder(folder)
  const unlock = lockFolder(folder)
  const draft = join(folder, `restoring.${process.pid}.db`)
  try {
    const { made, secret } = checkedCopy(file, draft)
    if (existsSync(secretIn(folder)) && !readFileSync(secretIn(folder)).equals(secret))
      throw new RangeError(`${secretIn(folder)} is another one than that of ${file}: take it away`)
    const copy = new Database(draft, { readonly: true, strict: true })
    try {
      const report = await moveIn(copy)
      writeFileSync(secretIn(folder), secret, { mode: 0o600 })
      syncPath(secretIn(folder))
      return { made, audit: report }
    } finally {
      copy.close()
    }
  } finally {
    for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(draft + rest, { force: true })
    unlock()
  }
}

function checkedCopy(file: string, draft: string): Checked {
  copyFileSync(file, draft)
  chmodSync(draft, 0o600)
  return check(draft, file)
}

interface Checked {
  readonly made: Ms
  readonly secret: Uint8Array
  readonly report: AuditReport
}

/** Makes the copy the database that it was a backup of. */
function check(draft: string, file: string): Checked {
  const row = readOrRefuse(draft, file)
  const connection = connect(draft)
  try {
    const { raw } = connection
    raw.run('PRAGMA secure_delete = ON')
    raw.run(`DROP TABLE ${backupTable}`)
    const { readOnly } = openSchema(connection, { folder: null, locked: true, mayMigrate: true })
    if (readOnly !== null) throw new RangeError(`${file}: ${newerRelease}`)
    forgetDatabaseId(connection)
    const secrets = parseSecrets(row.secret)
    if (secrets === null || !belongTogether(connection, secrets))
      throw new RangeError(`${file} is damaged`)
    const report = audit(connection)
    if (!report.ok)
      throw new RangeError(
        `${file} does not add up: ${report.differences.slice(0, 3).join('; ')}; nothing was changed`,
      )
    raw.run('PRAGMA journal_mode = DELETE')
    return { made: row.made as Ms, secret: row.secret, report }
  } finally {
    connection.close()
  }
}

function readOrRefuse(draft: string, file: string): { made: number; secret: Uint8Array } {
  const raw = new Database(draft, { strict: true })
  try {
    const sound = raw.prepare<{ integrity_check: string }, []>('PRAGMA integrity_check').get()
    if (sound?.integrity_check !== 'ok') throw new RangeError(`${file} is damaged`)
    const row = raw
      .prepare<{ made: number; secret: Uint8Array }, []>(`SELECT made, secret FROM ${backupTable}`)
      .get()
    if (row === null) throw new RangeError(`${file} is damaged`)
    return row
  } catch (thrown) {
    if (thrown instanceof RangeError) throw thrown
    throw new RangeError(`${file} is no backup of this program`, { cause: thrown })
  } finally {
    raw.close()
  }
}

/** What the folder holds gets a second name beside it, its spool too. @returns the folder it lies in */
function keep(folder: string, clock: Clock): string {
  const kept = [databaseIn, secretIn, spoolIn, ...(emptyLog(folder) ? [] : [logIn])]
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')
  const before = join(folder, `before-restore-${stamp}`)
  mkdirSync(before, { mode: 0o700 })
  for (const nameIn of kept)
    if (existsSync(nameIn(folder))) linkSync(nameIn(folder), nameIn(before))
  return before
}

const logIn = (folder: string): string => `${databaseIn(folder)}-wal`

/**
 * Writes the write-ahead log of a database into its file, before the log is removed.
 * @returns false where the database is damaged: nothing can be done with its log
 */
function emptyLog(folder: string): boolean {
  let connection: Connection | null = null
  try {
    connection = connect(databaseIn(folder))
    const { raw } = connection
    const written = raw.prepare<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()
    if (written?.busy !== 0)
      throw new RangeError(`another program has the database in ${folder} open: try again`)
    return true
  } catch (thrown) {
    if (isDamage(thrown)) return false
    throw thrown
  } finally {
    connection?.close()
  }
}

/**
 * Each file is replaced in one step, the database last. Cut off in between, the new secrets are
 * not the old database's, which refuses them, and what was there lies whole in the folder beside.
 */
function install({
  folder,
  draft,
  secret,
}: {
  readonly folder: string
  readonly draft: string
  readonly secret: Uint8Array
}): void {
  const key = join(folder, `secret.key.${process.pid}`)
  writeFileSync(key, secret, { mode: 0o600 })
  syncPath(key)
  syncPath(draft)
  renameSync(key, secretIn(folder))
  for (const rest of ['-wal', '-shm']) rmSync(databaseIn(folder) + rest, { force: true })
  renameSync(draft, databaseIn(folder))
  // Were it cut off here: a spool of another database is not replayed.
  rmSync(spoolIn(folder), { force: true })
  rmSync(movedIn(folder), { force: true })
  syncPath(folder)
}
