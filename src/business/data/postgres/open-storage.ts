import type { Clock } from '../../../domain/clock'
import { openDayIn } from '../../../domain/zone-days'
import type { AuditReport, LedgerStore } from '../../../ledger/store'
import type { Actor } from '../../../domain/audit-log'
import { openKeyFile, openSharedKeyFile, type KeyFile } from '../../../storage/files/key-file'
import { openKeyring } from '../../../storage/files/keyring'
import { openRehashQueue } from '../secrets/rehash-queue'
import type { SecretStore } from '../secrets/secret-store'
import type { Storage } from '../storage'
import type { DatabaseAddress } from '../../../storage/database-address'
import { moveTimeoutMs } from '../migrate/audit-copy'
import {
  hasSchema,
  movingSchema,
  openDatabase,
  schemaName,
} from '../../../storage/postgres/connect'
import type { DutyClaim } from '../../../ledger/postgres/duty-fencing'
import { freshenStatistics } from '../../../storage/postgres/analyze'
import { migratePostgres } from '../../../storage/postgres/migrate'
import { examined } from '../../../storage/postgres/examine-server'
import { nodeSecretsText } from '../secrets/node-secrets'
import { holdsNothing, reachable } from '../../../storage/postgres/reachable'
import { StoreThread } from './store-thread'
import { openTurnMemory, type TurnMemory } from '../../../storage/postgres/session-turns'
import type { Shape, Shapes, StoreParts, StorePlace } from './store-protocol'

interface PostgresStorageOptions {
  readonly address: DatabaseAddress
  /** Where this machine keeps `secret.key`, which is that of every machine on the database. */
  readonly folder: string
  readonly clock: Clock
  /** Who changes what is changed here; the program itself unless somebody is named. */
  readonly actor?: Actor
  /** Moves money in exchanges; without one, each commit is a transaction of the stores. */
  readonly ledger?: LedgerStore
  /** A number that changes when another process has committed, where somebody listens for that. */
  readonly version?: () => number
  /** Told when the thread of the stores is lost; the next call starts it anew. */
  readonly onFault?: (fault: unknown) => void
  readonly statementTimeoutMs?: number
  /** How long the connection for reads is kept after the last one. */
  readonly readsIdleMs?: number
  /** Everything is written by this claim on a duty; see `PostgresStorage.under`. */
  readonly claim?: DutyClaim
  /** Whether a new database gets our schema, as it does unless told; else it is refused. */
  readonly mayBegin?: boolean
  /** Whether a schema of an earlier release is brought up to this one, as it is unless told; else it is refused. */
  readonly mayMigrate?: boolean
}

/** Storage, and which database it is. */
export type PostgresStorage = Storage & {
  readonly databaseId: string
  /** Turns of its stores with the chores of the node. */
  readonly turns: TurnMemory
  /** What this process knows of the keys, for its row among the nodes. */
  nodeSecrets(): string
  /** Stores that a duty writes through: refused as `DutyLost` once the duty has passed to another node. */
  under(claim: DutyClaim): Storage
}

const usualStatementTimeoutMs = 30_000
/** For so long a connection for reads is kept after the last one: pages come in bursts. */
const usualReadsIdleMs = 60_000
/** What only reads is read in a thread and a connection of its own: a long one keeps no writer waiting. */
const readStores = new Set(['accountReader', 'operatorReader', 'reports', 'profits'])
const readMethods = new Set(['moneyIn'])
/** What gives one element after the other. */
const streams = new Set(['reports.eachCall'])

/**
 * Everything that outlives the process, in a PostgreSQL database: the stores of SQLite, in threads that
 * wait for the database.
 * @throws RangeError when the database was made by a newer program, with another `secret.key`, holds
 *   nothing where it may not begin, or as of `reachable`
 */
export const openPostgresStorage = (options: PostgresStorageOptions): Promise<PostgresStorage> =>
  reachable(options.address, () => openReachable(options))

async function openReachable(options: PostgresStorageOptions): Promise<PostgresStorage> {
  const { folder, clock, actor = 'service', ledger, onFault = () => {} } = options
  const address = await examined(options.address)
  const { statementTimeoutMs = usualStatementTimeoutMs, version = () => 0 } = options
  const { readsIdleMs = usualReadsIdleMs } = options
  const keys = await prepareDatabase({ ...options, address })
  const isExchanged = ledger !== undefined
  const parts = { address, folder, actor, statementTimeoutMs, isExchanged, turns: null }
  const turns = openTurnMemory()
  const writing = new StoreThread(
    { ...parts, name: 'chapar stores', idleMs: null, turns },
    clock,
    onFault,
  )
  const reading = new StoreThread(
    { ...parts, name: 'chapar reads', idleMs: readsIdleMs },
    clock,
    onFault,
  )
  const close = () => {
    reading.close()
    writing.close()
  }
  try {
    const { ready, databaseId, mark } = await writing.begin()
    const threads = { reading, writing }
    const stores = storesOf(ready, threads, options.claim ?? null)
    const { rehashes, nodeSecrets, ...hashing } = openHashing(keys, mark, stores.secrets)
    const opened: Storage = {
      ...stores,
      ...hashing,
      ...(ledger === undefined ? {} : { ledger }),
      database: address,
      folder,
      readOnly: null,
      endings: null,
      handover: null,
      file: null,
      countDaysIn(zone) {
        openDayIn(zone)
        writing.countDaysIn(zone)
        reading.countDaysIn(zone)
      },
      version,
      async audit() {
        await freshenStatistics(address)
        return await auditAlone(parts, clock, onFault)
      },
      beginCheckpoints: () => Promise.resolve(),
      async close() {
        try {
          await rehashes.close()
          // Else the next process would have to.
          if (ledger === undefined) await stores.ledger.sumUp(Number.POSITIVE_INFINITY)
        } finally {
          close()
        }
      },
    }
    const under = (claim: DutyClaim): Storage => ({
      ...opened,
      ...storesOf(ready, threads, claim),
      ledger: opened.ledger,
    })
    return { ...opened, databaseId, turns, nodeSecrets, under }
  } catch (thrown) {
    close()
    throw thrown
  }
}

/**
 * Hashes and seals of this thread, which knows the generation in use as it was read last: at each change of the
 * database, and where it was changed from here.
 */
function openHashing(keys: KeyFile, first: string | null, store: SecretStore) {
  let mark = first
  const rehashes = openRehashQueue((rows) => store.rehash(rows))
  const activeMark = async () => (mark = await store.activeMark())
  return {
    ...openKeyring({ file: keys, activeMark: () => mark, onOldHash: rehashes.add }),
    secrets: {
      ...store,
      activeMark,
      async activate() {
        const waiting = await store.activate()
        await activeMark()
        return waiting
      },
    },
    rehashes,
    nodeSecrets() {
      const known = keys.current().generations.map((each) => each.mark)
      return nodeSecretsText({ known, active: mark })
    },
  }
}

/** In a thread that nobody else waits for: an audit takes minutes where there are millions of calls. */
async function auditAlone(
  parts: Omit<StoreParts, 'name' | 'idleMs' | 'lock'>,
  clock: Clock,
  onFault: (fault: unknown) => void,
): Promise<AuditReport> {
  const limits = { statementTimeoutMs: moveTimeoutMs, idleMs: null }
  const auditing = new StoreThread({ ...parts, ...limits, name: 'chapar audit' }, clock, onFault)
  try {
    await auditing.begin()
    return (await auditing.call({ made: null, store: '', method: 'audit' }, [])) as AuditReport
  } finally {
    auditing.close()
  }
}

/** Brings the schema up to this program. @returns the keys of the database, made where it is new */
async function prepareDatabase({
  address,
  folder,
  mayBegin = true,
  mayMigrate = true,
}: PostgresStorageOptions): Promise<KeyFile> {
  await using sql = openDatabase({ address, max: 1, name: 'chapar schema' })
  if (!mayBegin && !(await hasSchema(sql, schemaName)) && !(await hasSchema(sql, movingSchema)))
    throw new RangeError(`${address.shown} ${holdsNothing}`)
  await migratePostgres(sql, mayMigrate)
  const marks: unknown[] = await sql.unsafe(`SELECT 1 FROM settings WHERE key = 'secret_mark'`)
  // A new one would fit nothing in a database that others serve from.
  return marks.length > 0 ? openSharedKeyFile(folder) : openKeyFile(folder)
}

/** What the threads have, as stores of this one. */
function storesOf(
  ready: Shapes,
  { reading, writing }: { readonly reading: StoreThread; readonly writing: StoreThread },
  claim: DutyClaim | null,
): Storage {
  const threadOf = ({ made, store, method }: StorePlace): StoreThread =>
    made === null && (readStores.has(store) || (store === '' && readMethods.has(method)))
      ? reading
      : writing
  const method = (place: StorePlace) => {
    const thread = threadOf(place)
    return streams.has(`${place.store}.${place.method}`)
      ? (...args: readonly unknown[]) => thread.stream(place, args)
      : (...args: readonly unknown[]) => thread.call(place, args, thread === writing ? claim : null)
  }
  const placed = (shape: Shape, made: StorePlace['made']) =>
    Object.fromEntries(
      Object.entries(shape).flatMap(([store, names]): [string, unknown][] => {
        const methods = methodsOf(names, (name) => method({ made, store, method: name }))
        return store === '' ? Object.entries(methods) : [[store, methods]]
      }),
    )
  const madeBy = (by: 'untold' | 'places') => (given: unknown) =>
    methodsOf(ready[by], (name) => method({ made: { by, args: [given] }, store: '', method: name }))
  return {
    ...placed(ready.storage, null),
    by: (...args: Parameters<Storage['by']>) => placed(ready.changes, { by: 'by', args }),
    untold: madeBy('untold'),
    places: madeBy('places'),
  } as unknown as Storage
}

const methodsOf = (
  names: readonly string[],
  make: (name: string) => unknown,
): Readonly<Record<string, unknown>> => Object.fromEntries(names.map((name) => [name, make(name)]))
