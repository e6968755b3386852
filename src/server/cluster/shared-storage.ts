import { buildName } from '../../domain/build'
import { systemClock, systemMonotonic, type Clock } from '../../domain/clock'
import { openSyncedClock } from '../../domain/synced-clock'
import { faultFields, type Log } from '../../gateway/observability/log'
import type { DatabaseAddress } from '../../storage/database-address'
import {
  examineServer,
  usualTimes,
  type FenceCause,
  type NodeTimes,
  type ServerState,
} from '../../business/data/nodes'
import { openShared } from '../../business/data/open'
import type { Storage } from '../../business/data/storage'
import { openCluster, type Cluster } from './cluster'
import type { SupervisorLink } from '../process/node-process'

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
  readonly notes: { joined?(process: string): void; fenced?(): void }
  readonly supervisor?: SupervisorLink | null
}

/** Storage on a shared database; the process is no node of it yet. */
export interface SharedStorage {
  readonly storage: Storage
  /** The database's, once this process is a node. */
  readonly clock: Clock
  /** Becomes a node. @param zone of the service by now */
  join(zone: string): Promise<Cluster>
}

/**
 * Opens the database that this process shares, where it does.
 * @throws DataFolderBusy when another process of this machine uses the folder
 * @throws as `examineServer` and `openShared`
 */
export async function openSharedStorage(parts: SharedParts): Promise<SharedStorage | null> {
  const { database = null, folder, log, notes, supervisor = null } = parts
  if (database === null) return null
  if (folder === null) throw new RangeError('what is kept in memory has no database: --ephemeral')
  const { times = usualTimes } = database
  const server = await examineServer(database.address)
  const { address } = server
  logServer(log, server)
  let cluster: Cluster | null = null
  const clock = openSyncedClock(systemClock, systemMonotonic)
  const storage = await openShared({
    address,
    folder,
    clock,
    version: () => cluster?.version() ?? 0,
    onFault: (fault) => log.warn('thread of the stores lost', faultFields(fault)),
    isSupervised: supervisor !== null,
  })
  return {
    storage,
    clock,
    async join(zone) {
      cluster = await openCluster({
        address,
        folder,
        under: storage.under,
        secrets: storage.nodeSecrets,
        checkSecrets: storage.secrets.activeMark,
        database: storage.databaseId,
        times,
        turns: storage.turns,
        zone,
        log,
        version: buildName,
        clock,
        onFenced(cause) {
          log.error(fences[cause])
          notes.fenced?.()
        },
      })
      notes.joined?.(`node-${cluster.node}`)
      return cluster
    },
  }
}

function logServer(log: Log, { address, version, unsafe }: ServerState): void {
  log.info('database', { database: address.shown, version })
  for (const setting of unsafe)
    log.warn('a power failure of the database loses what it confirmed', {
      setting,
      remedy: `ALTER SYSTEM SET ${setting} = on; SELECT pg_reload_conf()`,
    })
}

/** Log events of a node that must end, by their cause. */
const fences: Readonly<Record<FenceCause, string>> = {
  taken_over: 'fenced: another node took this one over',
  set_back:
    'fenced: the database lacks what it had confirmed, as an older copy or a replica that was behind does',
  newer_format: 'fenced: a newer release has brought the database to another format',
}
