import { exactUsd, type Check, type Difference } from './audit-check'
import type { Audited } from './audit-mark'
import { monthSql } from '../sums/month-cover'

/** A table of sums that long ranges are read from, against the days that it is made of. */
interface Rollup {
  readonly table: string
  readonly days: string
  /** Columns of its key, its period first, and what they are of a day. */
  readonly keys: Readonly<Record<string, string>>
  /** The first one is money. */
  readonly columns: readonly string[]
  readonly subject: string
}

const profit = ['charged', 'refunded', 'calls', 'vendor_cost', 'uncosted']
const usage = ['cost', 'requests', 'errors', 'input_tokens', 'output_tokens', 'cached_tokens']
const month = monthSql('day')

const rollups: readonly Rollup[] = [
  {
    table: 'profit_months',
    days: 'profit_days',
    keys: { month, vendor: 'vendor', model: 'model' },
    columns: profit,
    subject: 'earned in the month',
  },
  {
    table: 'profit_account_months',
    days: 'profit_accounts',
    keys: { month, account: 'account' },
    columns: profit,
    subject: 'earned by account in the month',
  },
  {
    table: 'usage_months',
    days: 'usage_days',
    keys: { month, project: 'project', key: 'key', model: 'model' },
    columns: usage,
    subject: 'usage of project in the month',
  },
  {
    table: 'usage_key_months',
    days: 'usage_days',
    keys: { month, project: 'project', key: 'key' },
    columns: usage,
    subject: 'usage of project and key in the month',
  },
  {
    table: 'usage_model_days',
    days: 'usage_days',
    keys: { day: 'day', project: 'project', model: 'model' },
    columns: usage,
    subject: 'usage of project and model on the day',
  },
  {
    table: 'usage_service_days',
    days: 'usage_days',
    keys: { day: 'day', model: 'model' },
    columns: usage,
    subject: 'usage of the service on the day',
  },
  {
    table: 'usage_zone_model_days',
    days: 'usage_zone_days',
    keys: { day: 'day', project: 'project', model: 'model' },
    columns: usage,
    subject: 'usage of project and model on the day of the zone',
  },
  {
    table: 'usage_zone_key_days',
    days: 'usage_zone_days',
    keys: { day: 'day', project: 'project', key: 'key' },
    columns: usage,
    subject: 'usage of project and key on the day of the zone',
  },
]

function rollupSql(
  { table, days, keys, columns }: Rollup,
  { looksAt, looksAtMonthOf }: Audited,
): string {
  const [period = '', ...others] = Object.keys(keys)
  const isMonth = period === 'month'
  const kind = days === 'usage_zone_days' ? 'zone_day' : 'day'
  const names = [period, ...others]
  const ofDays = Object.entries(keys).map(([name, sql]) => `${sql} AS ${name}`)
  const difference = (column: string) =>
    `sum(CASE WHEN kept = 1 THEN ${column} ELSE -${column} END) <> 0`
  const [money] = columns
  return `
  SELECT date(${period} * 86400, 'unixepoch') || ' ' || ${others.join(` || ' ' || `)} AS subject,
    sum(CASE WHEN kept = 1 THEN ${money} ELSE 0 END) AS kept,
    sum(CASE WHEN kept = 0 THEN ${money} ELSE 0 END) AS real
  FROM (
    SELECT 1 AS kept, ${[...names, ...columns].join()} FROM ${table} WHERE ${looksAt(isMonth ? 'month' : kind, period)}
    UNION ALL SELECT 0, ${[...ofDays, ...columns].join()} FROM ${days}
    WHERE ${isMonth ? looksAtMonthOf('day') : looksAt(kind, 'day')}
  ) AS found GROUP BY ${names.join()} HAVING ${columns.map(difference).join(' OR ')} LIMIT ?`
}

const both = ({ kept, real }: Difference): string =>
  `${exactUsd(kept)}, its days come to ${exactUsd(real)} (off by ${exactUsd(kept - real)})`

export const rollupChecks = (audited: Audited): readonly Check[] =>
  rollups.map((rollup) => ({
    sql: rollupSql(rollup, audited),
    tell: (difference) => `${rollup.subject} ${difference.subject}: kept is ${both(difference)}`,
  }))
