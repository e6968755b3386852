import { SQL } from 'bun'
import type { DatabaseAddress } from '../database-address'
import { dataFormat } from './data-format'

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

/**
 * Connections to a database; the first statement opens one. Integers of eight bytes come as `bigint`.
 * Names without a schema are ours, then those of PostgreSQL: our `sum` and `date` come first.
 */
export function openDatabase(options: DatabaseOptions): SQL {
  const { address, max, name, statementTimeoutMs = usualStatementTimeoutMs } = options
  return new SQL(address.url, {
    max,
    tls: address.tls,
    bigint: true,
    connectionTimeout: connectionTimeoutSeconds,
    connection: {
      application_name: name,
      search_path: searchPath(schemaName),
      statement_timeout: String(statementTimeoutMs),
      // A transaction whose process hangs must not keep everybody else waiting.
      idle_in_transaction_session_timeout: String(statementTimeoutMs),
      TimeZone: 'UTC',
      // Looked at by triggers: a program of an older format writes nothing.
      'chapar.format': String(dataFormat),
      ...address.settings,
    },
  })
}

/** Names without a schema are those of one, then PostgreSQL's. */
export const searchPath = (schema: string): string => `${schema}, pg_catalog`

export async function hasSchema(sql: SQL, name: string): Promise<boolean> {
  const found: unknown[] = await sql.unsafe(
    'SELECT 1 FROM information_schema.schemata WHERE schema_name = $1',
    [name],
  )
  return found.length > 0
}
