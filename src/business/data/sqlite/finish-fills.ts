import type { Connection } from '../../../storage/sqlite/connection'
import { monthSql } from '../../../ledger/sums/month-cover'
import { hasTable } from '../../../storage/sqlite/schema-floor'
import { addUsage, countedSums } from '../../../ledger/sums/usage-columns'

/**
 * Brings in all that a program of f6524a40 had not: it did so a slice at a time, behind the calls of a process that
 * served, and a process that ended at once left marks of how far it came. Programs of before may serve beside it.
 */
export function finishFills(connection: Connection): void {
  if (!hasFills(connection)) return
  const { raw } = connection
  connection.transaction(() => {
    for (const statement of fills) raw.run(statement)
  }, 'durable')
}

/** Whether lists of calls or sums of days lack what only `finishFills` brings in. */
export const hasFills = (connection: Connection): boolean =>
  hasTable(connection, 'usage_rollup_fill') &&
  connection.raw
    .prepare('SELECT 1 FROM account_calls_fill UNION ALL SELECT 1 FROM usage_rollup_fill')
    .get() !== null

/** SQL that adds days behind a mark to a table of their sums. */
const rollup = (
  table: string,
  place: Readonly<Record<string, string>>,
  [days, mark]: readonly [string, number],
): string =>
  addUsage(
    table,
    Object.keys(place),
    `SELECT ${Object.values(place).join()}, ${countedSums}
     FROM ${days} d JOIN usage_rollup_fill f ON f.id = ${mark} AND (d.project, d.day) > (f.project, f.day)
     WHERE true GROUP BY ${Object.values(place).join()}`,
  )

const utc = ['usage_days', 1] as const
const zone = ['usage_zone_days', 2] as const
const [project, key, day, model] = ['d.project', 'd.key', 'd.day', 'd.model']

const fills: readonly string[] = [
  // Running calls come in when they end.
  `INSERT INTO account_calls (account, request)
   SELECT r.account, r.id FROM requests r JOIN account_calls_fill f ON r.id < f.before
   WHERE r.status <> 'pending' ORDER BY r.account, r.id ON CONFLICT (account, request) DO NOTHING`,
  rollup('usage_model_days', { project, day, model }, utc),
  rollup('usage_service_days', { day, model }, utc),
  rollup('usage_key_months', { month: monthSql(day), project, key }, utc),
  rollup('usage_zone_model_days', { project, day, model }, zone),
  rollup('usage_zone_key_days', { project, key, day }, zone),
  'DELETE FROM account_calls_fill',
  'DELETE FROM usage_rollup_fill',
]
