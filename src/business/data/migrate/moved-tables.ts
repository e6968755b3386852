import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../../../storage/schema'

type Schema = typeof schema
type TableOf<Entry> = Entry extends SQLiteTable ? Entry['_']['name'] : never
/** Names of all tables of the schema, as SQL has them. */
type TableName = { [Entry in keyof Schema]: TableOf<Schema[Entry]> }[keyof Schema]

/**
 * How the rows of a table come to another database while a gateway goes on writing to this one.
 *
 * `grows`: rows are only added, each behind those that are there by its row id, and never change once
 * they are settled. They are copied while the gateway serves; those that came since, at the end.
 * `sums`: rows are added up of calls, and none goes. They are copied while the gateway serves; at the
 * end those that calls counted in since: `sumKeys` says which.
 * `derived`: rows are a list of another table's, and are made of that one.
 * `whole`: rows change or go, so that they are copied when nobody writes any more.
 */
type TableMove = 'grows' | 'sums' | 'derived' | 'whole'

/**
 * Every table of the schema: a new one is a fault of types until it stands here. A call that ended is
 * never written to again: each `UPDATE` of `requests` asks for `pending`, but for `failedVideoCalls`. Of `transfers` and `trail`
 * triggers refuse every change, and cost cards are only ever added.
 */
export const tableMoves = {
  requests: 'grows',
  transfers: 'grows',
  trail: 'grows',
  account_calls: 'derived',
  // What is derived is whole, and fills are over before the end.
  account_calls_fill: 'whole',
  usage_rollup_fill: 'whole',
  account_groups: 'whole',
  account_looks: 'whole',
  account_notes: 'whole',
  account_webhooks: 'whole',
  accounts: 'whole',
  active_days: 'whole',
  bell_notices: 'whole',
  calibrations: 'whole',
  card_gateways: 'whole',
  card_payments: 'whole',
  coin_rates: 'whole',
  connections: 'whole',
  contacts: 'whole',
  cost_cards: 'grows',
  holder_deliveries: 'whole',
  invitations: 'whole',
  keys: 'whole',
  known_places: 'whole',
  memberships: 'whole',
  model_aliases: 'whole',
  models: 'whole',
  notice_choices: 'whole',
  notice_deliveries: 'whole',
  notices: 'whole',
  operator_days: 'whole',
  operator_keys: 'whole',
  operator_links: 'whole',
  operator_passkey_challenges: 'whole',
  operator_passkeys: 'whole',
  operator_recovery_codes: 'whole',
  operator_sessions: 'whole',
  operator_tries: 'whole',
  operators: 'whole',
  passkey_challenges: 'whole',
  passkeys: 'whole',
  payments: 'whole',
  people: 'whole',
  phone_moves: 'whole',
  price_proposals: 'whole',
  pricing_rules: 'whole',
  profit_account_months: 'sums',
  profit_accounts: 'sums',
  profit_days: 'sums',
  profit_months: 'sums',
  projects: 'whole',
  redeem_codes: 'whole',
  redeem_tries: 'whole',
  refused_calls: 'whole',
  sale_cards: 'whole',
  sent_codes: 'whole',
  sessions: 'whole',
  settings: 'whole',
  sign_in_asks: 'whole',
  sign_in_codes: 'whole',
  sign_in_hours: 'whole',
  sign_in_places: 'whole',
  sister_service: 'whole',
  sms_providers: 'whole',
  spent: 'sums',
  summed: 'whole',
  trial_slips: 'whole',
  usage_days: 'sums',
  usage_key_months: 'sums',
  usage_model_days: 'sums',
  usage_months: 'sums',
  usage_service_days: 'sums',
  usage_zone_days: 'sums',
  usage_zone_key_days: 'sums',
  usage_zone_model_days: 'sums',
  used_tickets: 'whole',
  vendor_credentials: 'whole',
  vendor_states: 'whole',
  vendors: 'whole',
  verification_tries: 'whole',
  verifications: 'whole',
  video_jobs: 'whole',
} as const satisfies Record<TableName, TableMove>

/** SQL of the calls whose videos are on their way. */
export const openVideoCalls = `
  SELECT request FROM video_jobs INDEXED BY video_jobs_open WHERE status IN ('creating', 'queued', 'in_progress')`

/** SQL of the calls that failed behind their end: their videos were not made, maybe since they were copied. */
export const failedVideoCalls = `
  SELECT r.id, r.error FROM video_jobs v CROSS JOIN requests r ON r.id = v.request
  WHERE v.status = 'failed' AND r.status = 'error'`

/** SQL of the row ids whose rows may still change, of tables that grow. */
export const unsettledRows: Readonly<Record<string, string>> = {
  requests: `SELECT rowid AS id FROM requests INDEXED BY requests_pending WHERE status = 'pending'`,
}

export const tablesThat = (move: TableMove): readonly string[] =>
  Object.entries(tableMoves).flatMap(([table, how]) => (how === move ? [table] : []))

/** Columns of nano-dollars, by table: what must come to the same on both sides. */
export const moneyColumns = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.values(schema).flatMap((entry): [string, string[]][] => {
      if (!is(entry, SQLiteTable)) return []
      const { name, columns } = getTableConfig(entry)
      const money = columns.filter(
        (column) => column.columnType === 'SQLiteCustomColumn' && column.getSQLType() === 'integer',
      )
      return [[name, money.map((column) => column.name)]]
    }),
  )
