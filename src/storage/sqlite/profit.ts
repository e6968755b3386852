import { dayMs, dayOf, type Ms } from '../../domain/clock'
import { nanoUsd } from '../../domain/money'
import type { ProfitGroup, ProfitReports } from '../../domain/report'
import type { ReadConnection } from './database'
import { coveredRows, monthCover } from './month-cover'
import { freshProfit } from './profit-sums'

/** What was earned, from sums of months and days and from what waits to be in them. */
export function openProfitReports({ raw }: ReadConnection): ProfitReports {
  const kept = raw.prepare<{ from: number | null; to: number | null }, []>(
    `SELECT (SELECT min(day) FROM profit_days) AS "from", (SELECT max(day) FROM profit_days) AS "to"`,
  )
  return {
    async profit({ fromDay, toDay, group }) {
      const { from, to } = kept.get() ?? { from: null, to: null }
      const cover = monthCover(
        { from: fromDay, to: toDay },
        from === null || to === null ? null : { from, to },
      )
      const rows = raw
        .query<ProfitRow, [Record<string, number>]>(profitSql[group])
        .all(group === 'day' ? { fromDay, toDay } : { ...cover, fromDay, toDay })
      return await Promise.resolve(rows.map((row) => sumOf(row, group)))
    },
  }
}

interface ProfitRow {
  readonly key: string | number
  readonly calls: number
  readonly charged: number
  readonly refunded: number
  readonly vendorCost: number
  readonly uncosted: number
}

const sumOf = ({ key, ...row }: ProfitRow, group: ProfitGroup) => ({
  ...row,
  key: group === 'day' ? dayOf((Number(key) * dayMs) as Ms) : String(key),
  charged: nanoUsd(row.charged),
  refunded: nanoUsd(row.refunded),
  vendorCost: nanoUsd(row.vendorCost),
})

const columnsBy = (key: string): string =>
  `${key} AS kept, calls, charged, refunded, vendor_cost, uncosted`

/** Rows whose days were taken out of their months again leave nothing of themselves. */
const profitBy = (key: string, rows: string, order: string): string => `
  SELECT kept AS key, sum(sign * calls) AS calls, sum(sign * charged) AS charged,
    sum(sign * refunded) AS refunded, sum(sign * vendor_cost) AS "vendorCost",
    sum(sign * uncosted) AS uncosted
  FROM (
    ${rows}
    UNION ALL SELECT 1, ${columnsBy(key)} FROM (${freshProfit}) AS found WHERE day BETWEEN $fromDay AND $toDay
  ) AS found GROUP BY 1
  HAVING sum(sign * calls) <> 0 OR sum(sign * charged) <> 0 OR sum(sign * refunded) <> 0
  ORDER BY ${order}`

const dearest = 'charged DESC, key'
const profitSql: Readonly<Record<ProfitGroup, string>> = {
  day: profitBy(
    'day',
    `SELECT 1 AS sign, ${columnsBy('day')} FROM profit_days WHERE day BETWEEN $fromDay AND $toDay`,
    'key',
  ),
  model: profitBy(
    'model',
    coveredRows(columnsBy('model'), 'profit_months', 'profit_days'),
    dearest,
  ),
  vendor: profitBy(
    'vendor',
    coveredRows(columnsBy('vendor'), 'profit_months', 'profit_days'),
    dearest,
  ),
  account: profitBy(
    'account',
    coveredRows(columnsBy('account'), 'profit_account_months', 'profit_accounts'),
    dearest,
  ),
}
