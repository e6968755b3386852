import type { Clock } from '../../domain/clock'
import type { Actor } from '../../domain/audit-log'
import type { DatabaseAddress } from '../../storage/database-address'
import { makeDataFolder } from '../../storage/files/data-folder'
import { lockFolder } from '../../storage/files/folder-lock'
import type { DutyClaim } from '../../ledger/postgres/duty-fencing'
import { exchangedLedger } from '../../ledger/postgres/exchanged-sums'
import { openPostgresStorage, type PostgresStorage } from './postgres/open-storage'
import { openStorage } from './sqlite/open-storage'
import type { Storage } from './storage'

export { isSchemaFault } from './sqlite/schema-access'
// The folder's own database.
export { openStorage, type StorageOptions } from './sqlite/open-storage'
export { DataFolderBusy } from '../../storage/files/folder-lock'
export { formerWorkersEnded } from './former-spools'
export { socketFolder } from './leaving-folder'
export { isAlive } from '../../storage/files/processes'

interface BesideParts {
  /** Of the data, or of this machine's secret where the database is shared; made where there is none. */
  readonly folder: string
  /** Null for the folder's own. */
  readonly database: DatabaseAddress | null
  readonly clock: Clock
  /** Who changes what is changed. */
  readonly actor: Actor
  /** Whether a new shared database gets our schema, as it does unless told; else it is refused. */
  readonly mayBegin?: boolean
  /** Claim on a duty by which everything is written to a shared database. */
  readonly claim?: DutyClaim | null
}

/**
 * Opens the data beside whoever serves them, on either engine.
 * @throws as `openStorage` and `openPostgresStorage`
 */
export async function openBeside({
  folder,
  database,
  clock,
  actor,
  mayBegin = true,
  claim = null,
}: BesideParts): Promise<Storage> {
  if (database === null) return openStorage({ folder, exclusive: false, clock, actor })
  makeDataFolder(folder)
  const parts = { address: database, folder, clock, actor, mayBegin, mayMigrate: false }
  const shared = { ...parts, ledger: exchangedLedger }
  return await openPostgresStorage(claim === null ? shared : { ...shared, claim })
}

interface SharedParts {
  readonly address: DatabaseAddress
  /** What this machine keeps for itself: secret and spools. */
  readonly folder: string
  readonly clock: Clock
  /** A number that changes when another process has committed. */
  readonly version: () => number
  /** Told when the thread of the stores is lost; the next call starts it anew. */
  readonly onFault: (fault: unknown) => void
  /** Whether a supervisor of this machine holds the folder for its nodes; then this process takes no lock. */
  readonly isSupervised: boolean
}

/** Takes a data folder for this process and the nodes that it supervises. @throws DataFolderBusy */
export function takeFolder(folder: string): () => void {
  makeDataFolder(folder)
  return lockFolder(folder)
}

/**
 * Opens the database that several processes serve from, for one of them. Its folder is its own, or its
 * supervisor's, until the storage is closed.
 * @throws DataFolderBusy when another process of this machine uses the folder
 * @throws as `openPostgresStorage`
 */
export async function openShared(parts: SharedParts): Promise<PostgresStorage> {
  const unlock = parts.isSupervised ? () => {} : takeFolder(parts.folder)
  try {
    const opened = await openPostgresStorage({ ...parts, ledger: exchangedLedger })
    return {
      ...opened,
      async close() {
        await opened.close()
        unlock()
      },
    }
  } catch (thrown) {
    unlock()
    throw thrown
  }
}
