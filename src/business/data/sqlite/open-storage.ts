import { closeSync, openSync } from 'node:fs'
import { errorCode } from '../../../domain/error-code'
import type { Clock } from '../../../domain/clock'
import { openDatabaseFile } from '../../../storage/files/database-file'
import {
  databaseIn,
  makeDataFolder,
  refuseGone,
  refuseMoved,
} from '../../../storage/files/data-folder'
import { openKeyFile } from '../../../storage/files/key-file'
import type { Actor } from '../../../domain/audit-log'
import type { Storage } from '../storage'
import { connect } from '../../../storage/sqlite/connect'
import type { Connection } from '../../../storage/sqlite/connection'
import { databaseId } from '../../../storage/sqlite/database-id'
import {
  keepDamagedSpool,
  openEndingFile,
  setForeignSpoolAside,
  type SpoolDamage,
} from '../../../ledger/store/spool-file'
import { lockFolder } from '../../../storage/files/folder-lock'
import { openFormerSpools } from '../former-spools'
import type { Migrated } from '../../../storage/sqlite/migrate'
import { isSchemaFault, openSchema } from './schema-access'
import { checkSecrets } from '../secrets/secret-check'
import { openFolderHandover } from '../folder-handover'
import { openRehashQueue, type RehashQueue } from '../secrets/rehash-queue'
import { openServing } from './threads'
import { storesOn } from './stores'

export interface StorageOptions {
  /** Made when it is not there; null keeps everything in memory. */
  readonly folder: string | null
  /** A serving process takes the folder for itself; commands come and go beside it. */
  readonly exclusive: boolean
  /** Whether a database of an older program is brought up to this one, as who has the folder alone does unless told. */
  readonly mayMigrate?: boolean
  readonly clock: Clock
  /** Who changes what is changed here; the program itself unless somebody is named. */
  readonly actor?: Actor
  /** Called when checkpoints have no thread of their own, and stop the event loop until they do. */
  readonly onCheckpointFault?: (fault: unknown) => void
  /** Called when pages are read on the event loop, or the thread that read them is gone. */
  readonly onReaderFault?: (fault: unknown) => void
  /** Called when a part of the spool could not be read. */
  readonly onSpoolDamaged?: (damage: SpoolDamage) => void
  /** Called when a database of an older program was brought up to this one. */
  readonly onMigrated?: (migrated: Migrated) => void
}

/**
 * Everything that outlives the process, in one SQLite database.
 * @throws DataFolderBusy
 * @throws RangeError when the database was made by a newer program, or `secret.key` is damaged, gone
 *   or another one's
 */
export function openStorage(options: StorageOptions): Storage {
  const { folder, exclusive, clock, actor = 'service' } = options
  const { onCheckpointFault = () => {}, onReaderFault = () => {} } = options
  const { onMigrated = () => {}, mayMigrate = exclusive } = options
  if (folder !== null) {
    makeDataFolder(folder)
    refuseMoved(folder)
    refuseGone(folder)
  }
  const locked = folder !== null && exclusive
  let unlock = locked ? lockFolder(folder) : () => {}
  let opened: Connection | null = null
  let readOnly: string | null = null
  try {
    const keys = openKeyFile(folder)
    const connection = connect(folder === null ? null : databaseFile(folder))
    opened = connection
    const schema = openSchema(connection, { folder, locked, mayMigrate })
    readOnly = schema.readOnly
    if (readOnly !== null && mayMigrate) throw new RangeError(readOnly)
    if (readOnly !== null) connection.raw.run('PRAGMA query_only = ON')
    if (schema.migrated !== null) onMigrated(schema.migrated)
    if (folder !== null) checkSecrets(connection, keys.current(), { folder, isShared: false })
    const database = folder === null ? '' : databaseId(connection)
    const endings = folder === null ? null : openEndingFile(folder, database)
    const former = folder === null ? null : openFormerSpools(folder, database)
    if (locked) setForeignSpoolAside(folder, database, clock.now())
    // Before anything is written over it.
    const damage = locked ? keepDamagedSpool(folder, folder, database) : null
    if (damage !== null) options.onSpoolDamaged?.(damage)
    const rehashes = openRehashQueue((rows) => stores.secrets.rehash(rows))
    const stores = storesOn(connection, {
      folder,
      keys,
      onOldHash: rehashes.add,
      clock,
      endings,
      former,
      actor,
    })
    const lock = { take: () => void (unlock = lockFolder(folder ?? '')), release: () => unlock() }
    const handover = locked ? openFolderHandover({ folder, database, endings, lock }) : null
    const file = folder !== null && locked ? databaseIn(folder) : null
    const inPlace = { ...stores.accountReader, ...stores.operatorReader }
    const serving =
      file === null
        ? null
        : openServing({ connection, file, inPlace, onCheckpointFault, onReaderFault })
    return {
      ...stores,
      readOnly,
      accountReader: serving?.reader ?? stores.accountReader,
      operatorReader: serving?.reader ?? stores.operatorReader,
      file: locked ? openDatabaseFile(databaseIn(folder)) : null,
      endings: locked ? stores.endings : null,
      handover,
      beginCheckpoints: () => serving?.beginCheckpoints() ?? Promise.resolve(),
      close: () => close({ ...stores, readOnly, rehashes, connection, serving, handover, unlock }),
    }
  } catch (thrown) {
    opened?.close()
    unlock()
    throw readOnly !== null && isSchemaFault(thrown) ? new RangeError(readOnly) : thrown
  }
}

async function close(open: {
  readonly readOnly: string | null
  readonly ledger: Storage['ledger']
  readonly rehashes: RehashQueue
  readonly handover: { readonly hasLeft: boolean } | null
  readonly connection: Connection
  readonly serving: { close(): void } | null
  readonly unlock: () => void
}): Promise<void> {
  const { readOnly, ledger, rehashes, connection, serving, handover, unlock } = open
  try {
    if (readOnly !== null) return
    await rehashes.close()
    // Else the next process would have to; the one that serves already has all sums.
    if (handover?.hasLeft !== true) await ledger.sumUp(Number.POSITIVE_INFINITY)
  } finally {
    serving?.close()
    // The last connection to close copies what is left of the log, and removes it.
    connection.close()
    unlock()
  }
}

/** Its owner's alone from its first moment: SQLite gives the files beside it the same rights. */
function databaseFile(folder: string): string {
  const file = databaseIn(folder)
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw thrown
  }
  return file
}
