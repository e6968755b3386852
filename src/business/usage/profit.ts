import { dayMs, dayOf, type Ms } from '../../domain/clock'
import { nanoUsd } from '../../domain/money'
import {
  profitScores,
  type ProfitGroup,
  type ProfitQuery,
  type ProfitReports,
  type ProfitSum,
} from '../../domain/reports/report'
import type { ReadConnection } from '../../storage/sqlite/connection'
import { coveredRows, keptProfitDays, monthCover } from '../../ledger/sums/month-cover'
import {
  earnedSums,
  isEarned,
  profitColumns,
  type ProfitRow,
} from '../../ledger/sums/profit-columns'
import { freshProfit } from '../../ledger/sums/profit-sums'
import { openTopAccounts } from './top-n'

/** What was earned, from sums of months and days and from what waits to be in them. */
export function openProfitReports(connection: ReadConnection): ProfitReports {
  const { raw } = connection
  const topAccounts = openTopAccounts(connection)
  const kept = raw.prepare<{ from: number | null; to: number | null }, []>(keptProfitDays)
  const read = ({ fromDay, toDay, group }: ProfitQuery): readonly ProfitSum[] => {
    const { from, to } = kept.get() ?? { from: null, to: null }
    const cover = monthCover(
      { from: fromDay, to: toDay },
      from === null || to === null ? null : { from, to },
    )
    const rows = raw
      .query<ProfitRow, [Record<string, number>]>(profitSql[group])
      .all(group === 'day' ? { fromDay, toDay } : { ...cover, fromDay, toDay })
    return rows.map((row) => sumOf(row, group))
  }
  return {
    profit: async (query) => read(query),
    async topAccounts(query) {
      const top = topAccounts(query)
      if (top !== null) return top.map((row) => sumOf(row, 'account'))
      const scoreOf = profitScores[query.order]
      return read({ ...query, group: 'account' })
        .toSorted(
          (one, other) => scoreOf(other) - scoreOf(one) || Number(one.key) - Number(other.key),
        )
        .slice(0, query.max)
    },
  }
}

const sumOf = ({ key, ...row }: ProfitRow, group: ProfitGroup) => ({
  ...row,
  key: group === 'day' ? dayOf((Number(key) * dayMs) as Ms) : String(key),
  charged: nanoUsd(row.charged),
  refunded: nanoUsd(row.refunded),
  vendorCost: nanoUsd(row.vendorCost),
})

const columnsBy = (key: string): string => profitColumns(`${key} AS kept`)

const profitBy = (key: string, rows: string, order: string): string => `
  SELECT kept AS key, ${earnedSums}
  FROM (
    ${rows}
    UNION ALL SELECT 1, ${columnsBy(key)} FROM (${freshProfit}) AS found WHERE day BETWEEN $fromDay AND $toDay
  ) AS found GROUP BY 1
  HAVING ${isEarned}
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
