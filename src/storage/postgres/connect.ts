import { SQL } from 'bun'
import { hostname } from 'node:os'
import type { DatabaseAddress } from '../database-address'
import { dataFormat } from './data-format'
import { settingsFor, type SettingValues } from './server-settings'

/** Where everything of ours lies: what other programs do to `public` does not touch it. */
export const schemaName = 'chapar'
/** Where everything lies until a move is over: nobody serves from it. */
export const movingSchema = 'chapar_moving'

interface DatabaseOptions {
  readonly address: DatabaseAddress
  /** Connections at once. */
  readonly max: number
  /** Seen in `pg_stat_activity`. */
  readonly name: string
  /** Whoever lasts longer is ended by the database. */
  readonly statementTimeoutMs?: number
}

const usualStatementTimeoutMs = 30_000
const connectionTimeoutSeconds = 5

/** Connections to a database; the first statement opens one. Integers of eight bytes come as `bigint`. */
export function openDatabase(options: DatabaseOptions): SQL {
  const { address, max, name, statementTimeoutMs = usualStatementTimeoutMs } = options
  return new SQL(address.url, {
    max,
    tls: address.tls,
    bigint: true,
    connectionTimeout: connectionTimeoutSeconds,
    connection: {
      application_name: `${name} ${processName}`,
      statement_timeout: String(statementTimeoutMs),
      // A transaction whose process hangs must not keep everybody else waiting.
      idle_in_transaction_session_timeout: String(statementTimeoutMs),
      ...wantedSettings(address),
    },
  })
}

/**
 * Settings that every connection to a database has, but its name and timeouts. Names without a schema are ours, then
 * those of PostgreSQL: our `sum` and `date` come first.
 */
export const wantedSettings = ({ settings, version }: DatabaseAddress): SettingValues => ({
  ...settingsFor(version ?? null),
  search_path: searchPath(schemaName),
  // Looked at by triggers: a program of an older format writes nothing.
  'chapar.format': String(dataFormat),
  ...settings,
})

/** Whose connection it is, within the 63 bytes that PostgreSQL keeps of a name. */
const processName = `${process.pid}@${hostname().slice(0, 32)}`

/**
 * Whether a connection is as good as before: what the database refuses leaves it as it is, unless the statement was
 * ended together with its session.
 */
export function leavesConnection(
  thrown: unknown,
): thrown is InstanceType<typeof SQL.PostgresError> {
  if (!(thrown instanceof SQL.PostgresError)) return false
  const state = String(thrown.errno)
  return /^\w{5}$/.test(state) && !endings.some((ending) => state.startsWith(ending))
}

/** admin_shutdown and its like, connection_exception, idle_in_transaction_session_timeout, transaction_timeout. */
const endings = ['57P', '08', '25P03', '25P04']

/** Names without a schema are those of one, then PostgreSQL's. */
export const searchPath = (schema: string): string => `${schema}, pg_catalog`

export async function hasSchema(sql: SQL, name: string): Promise<boolean> {
  const found: unknown[] = await sql.unsafe(
    'SELECT 1 FROM information_schema.schemata WHERE schema_name = $1',
    [name],
  )
  return found.length > 0
}
