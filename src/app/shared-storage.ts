import { build } from '../domain/build'
import { systemClock } from '../domain/clock'
import { faultFields, type Log } from '../observability/log'
import { makeDataFolder } from '../storage/files/data-folder'
import type { DatabaseAddress } from '../storage/postgres/address'
import { exchangedLedger } from '../storage/postgres/exchanged-sums'
import { usualTimes, type NodeTimes } from '../storage/postgres/open-node'
import { openPostgresStorage } from '../storage/postgres/open-storage'
import { lockFolder } from '../storage/sqlite/folder-lock'
import type { Storage } from '../storage/storage'
import { openCluster, type Cluster } from './cluster'

/** A database that several processes serve from. */
export interface SharedDatabase {
  readonly address: DatabaseAddress
  readonly times?: NodeTimes
}

interface SharedParts {
  readonly database?: SharedDatabase | null
  /** What this machine keeps for itself: secret and spools. */
  readonly folder: string | null
  readonly log: Log
  readonly notes: { fenced?(): void }
}

/** Storage on a shared database; the process is no node of it yet. */
export interface SharedStorage {
  readonly storage: Storage
  /** Becomes a node. @param zone of the service by now */
  join(zone: string): Promise<Cluster>
}

/**
 * Opens the database that this process shares, where it does.
 * @throws DataFolderBusy when another process of this machine uses the folder
 * @throws RangeError as of `openPostgresStorage`
 */
export async function openShared(parts: SharedParts): Promise<SharedStorage | null> {
  const { database = null, folder, log, notes } = parts
  if (database === null) return null
  if (folder === null) throw new RangeError('what is kept in memory has no database: --ephemeral')
  makeDataFolder(folder)
  const unlock = lockFolder(folder)
  const { address, times = usualTimes } = database
  let cluster: Cluster | null = null
  try {
    const opened = await openPostgresStorage({
      address,
      folder,
      clock: systemClock,
      ledger: exchangedLedger,
      version: () => cluster?.version() ?? 0,
      onFault: (fault) => log.warn('thread of the stores lost', faultFields(fault)),
    })
    const storage = {
      ...opened,
      async close() {
        await opened.close()
        unlock()
      },
    }
    return {
      storage,
      async join(zone) {
        return (cluster = await openCluster({
          address,
          folder,
          under: opened.under,
          database: opened.databaseId,
          times,
          zone,
          log,
          version: build.version,
          clock: systemClock,
          onFenced() {
            log.error('fenced: another node took this one over')
            notes.fenced?.()
          },
        }))
      },
    }
  } catch (thrown) {
    unlock()
    throw thrown
  }
}
