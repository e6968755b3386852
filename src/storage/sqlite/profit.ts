import { dayMs, dayOf, type Ms } from '../../domain/clock'
import { nanoUsd } from '../../domain/money'
import type { ProfitGroup, ProfitReports } from '../../domain/report'
import type { ReadConnection } from './database'
import { freshProfit } from './profit-sums'

/** What was earned, from sums of days and from what waits to be in them. */
export function openProfitReports({ raw }: ReadConnection): ProfitReports {
  return {
    async profit({ fromDay, toDay, group }) {
      const rows = raw.prepare<ProfitRow, [number, number]>(profitSql[group]).all(fromDay, toDay)
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

/** Parameters: first and last day. */
const profitBy = (key: string, table: string, order: string): string => `
  SELECT kept AS key, sum(calls) AS calls, sum(charged) AS charged, sum(refunded) AS refunded,
    sum(vendor_cost) AS vendorCost, sum(uncosted) AS uncosted
  FROM (
    SELECT day, ${key} AS kept, calls, charged, refunded, vendor_cost, uncosted
    FROM ${table} WHERE day BETWEEN ?1 AND ?2
    UNION ALL SELECT day, ${key}, calls, charged, refunded, vendor_cost, uncosted
    FROM (${freshProfit}) WHERE day BETWEEN ?1 AND ?2
  ) GROUP BY 1 ORDER BY ${order}`

const dearest = 'charged DESC, key'
const profitSql: Readonly<Record<ProfitGroup, string>> = {
  day: profitBy('day', 'profit_days', 'key'),
  model: profitBy('model', 'profit_days', dearest),
  vendor: profitBy('vendor', 'profit_days', dearest),
  account: profitBy('account', 'profit_accounts', dearest),
}
