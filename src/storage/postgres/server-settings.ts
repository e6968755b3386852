/** A setting of the server that our statements rely on. */
interface ServerSetting {
  /** As `SHOW` prints it. */
  readonly value: string
  /** What breaks under another value. */
  readonly why: string
  /** Major version that brought it; earlier servers refuse a connection that names it. */
  readonly since?: number
}

/**
 * Settings that every connection sets for itself, whatever the server, the database or the role has. Costs of the
 * planner, tablespaces and roles are the administrator's, and stay as they are.
 * https://www.postgresql.org/docs/18/runtime-config.html
 */
export const serverSettings = {
  // Time. Each connection sets `statement_timeout` and `idle_in_transaction_session_timeout` by its work.
  lock_timeout: { value: '0', why: 'waiting for a row is bounded by the statement timeout' },
  idle_session_timeout: { value: '0', why: 'connections that listen are idle for hours' },
  transaction_timeout: { value: '0', why: 'moves, backups and audits take minutes', since: 17 },
  client_connection_check_interval: {
    value: '2s',
    why: 'the statement of a process that was killed ends with it',
  },
  tcp_keepalives_idle: { value: '15', why: 'a machine that vanished gives its connections back' },
  tcp_keepalives_interval: { value: '5', why: 'as above' },
  tcp_keepalives_count: { value: '3', why: 'as above' },
  // Transactions
  default_transaction_isolation: {
    value: 'read committed',
    why: 'statements read rows that they waited for as these are by then',
  },
  default_transaction_read_only: { value: 'off', why: 'every connection of a node writes' },
  default_transaction_deferrable: { value: 'off', why: 'no statement waits for a quiet moment' },
  synchronous_commit: { value: 'on', why: 'what a client was told survives a crash' },
  // Plans
  jit: { value: 'off', why: 'compiling an exchange takes seconds, and cannot be cancelled' },
  plan_cache_mode: { value: 'auto', why: 'plans of reports depend on their parameters' },
  max_parallel_workers_per_gather: {
    value: '0',
    why: 'a report takes one core of the database, not several',
  },
  work_mem: { value: '4MB', why: 'sums of a page are made in memory' },
  hash_mem_multiplier: { value: '2', why: 'as above' },
  maintenance_work_mem: { value: '64MB', why: 'indexes of a migration are made in memory' },
  from_collapse_limit: { value: '8', why: 'joins are planned in any order' },
  join_collapse_limit: { value: '8', why: 'as above' },
  geqo: { value: 'on', why: 'as above' },
  enable_seqscan: { value: 'on', why: 'reports read whole months' },
  enable_indexscan: { value: 'on', why: 'single rows are found by their index' },
  enable_indexonlyscan: { value: 'on', why: 'as above' },
  enable_bitmapscan: { value: 'on', why: 'as above' },
  enable_tidscan: { value: 'on', why: 'as above' },
  enable_nestloop: { value: 'on', why: 'a few rows are joined by index' },
  enable_hashjoin: { value: 'on', why: 'audits join whole tables' },
  enable_mergejoin: { value: 'on', why: 'as above' },
  enable_hashagg: { value: 'on', why: 'sums are grouped in one pass' },
  enable_sort: { value: 'on', why: 'as above' },
  enable_incremental_sort: { value: 'on', why: 'pages are read in the order of an index' },
  enable_material: { value: 'on', why: 'as above' },
  enable_memoize: { value: 'on', why: 'as above' },
  // Texts and values
  client_encoding: { value: 'UTF8', why: 'texts are sent and read as UTF-8' },
  standard_conforming_strings: { value: 'on', why: 'a backslash in a text is a backslash' },
  backslash_quote: { value: 'safe_encoding', why: 'as above' },
  escape_string_warning: { value: 'on', why: 'as above' },
  array_nulls: { value: 'on', why: 'NULL in a list is none, not a text' },
  transform_null_equals: { value: 'off', why: '`= NULL` finds nothing' },
  quote_all_identifiers: { value: 'off', why: 'names of tables are compared' },
  TimeZone: { value: 'UTC', why: 'days are days of UTC' },
  DateStyle: { value: 'ISO, MDY', why: 'dates are read as ISO 8601' },
  IntervalStyle: { value: 'postgres', why: 'as above' },
  lc_numeric: { value: 'C', why: 'numbers are read with a point' },
  lc_time: { value: 'C', why: 'names of days and months are English' },
  extra_float_digits: { value: '1', why: 'fractions come back as they were written' },
  bytea_output: { value: 'hex', why: 'bytes are read as hexadecimal digits' },
  // Rows and objects
  row_security: { value: 'off', why: 'a policy that hides rows is an error, not a smaller sum' },
  check_function_bodies: { value: 'on', why: 'a migration fails as a whole, not at a later call' },
  exit_on_error: { value: 'off', why: 'a refused statement leaves the connection as it is' },
  client_min_messages: { value: 'warning', why: 'the server sends nothing that nobody reads' },
} as const satisfies Readonly<Record<string, ServerSetting>>

/** Values of a connection's settings by their names. */
export type SettingValues = Readonly<Record<string, string>>

/** @param version major version of the server; null until it is known */
export function settingsFor(version: number | null): SettingValues {
  const rows = Object.entries<ServerSetting>(serverSettings)
  return Object.fromEntries(
    rows
      .filter(([, { since = 0 }]) => since <= (version ?? 0))
      .map(([name, { value }]) => [name, value]),
  )
}
