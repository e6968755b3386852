import { monthStart, nextMonthStart } from '../../domain/clock'
import { profitScores, type ProfitOrder, type TopAccountsQuery } from '../../domain/reports/report'
import type { ReadConnection } from '../../storage/sqlite/connection'
import { keptProfitDays, monthCover } from '../../ledger/sums/month-cover'
import {
  earnedSums,
  isEarned,
  profitColumns,
  type ProfitRow,
} from '../../ledger/sums/profit-columns'
import { freshProfit } from '../../ledger/sums/profit-sums'

/** Sort keys of a month's accounts, each with an index of it. */
const listSql: Readonly<Record<ProfitOrder, string>> = {
  charged: 'charged',
  margin: 'charged - refunded - vendor_cost',
}

/** A month's list: it bounds what accounts that are not among its first earned in the range. */
interface MonthList {
  readonly month: number
  readonly order: ProfitOrder
}

/** Accounts of each month that are looked at first; then four times as many, and so on. */
const minDepth = 64
/** Beyond, reading all accounts costs less. */
const maxDepth = 4096

/**
 * Reads the accounts that come first in a range. Each month has its accounts in order: of those that
 * are among the first of any month the exact sums are read, and whoever is among none cannot have more
 * than the months' last looked at come to. Where that is not enough, more are looked at (the threshold
 * algorithm of Fagin, Lotem and Naor, 2003).
 * @returns a read: the first ones, null where there are too many to look at
 */
export function openTopAccounts({
  raw,
}: ReadConnection): (query: TopAccountsQuery) => readonly ProfitRow[] | null {
  const kept = raw.prepare<{ from: number | null; to: number | null }, []>(keptProfitDays)
  return ({ fromDay, toDay, order, max }) => {
    const { from, to } = kept.get() ?? { from: null, to: null }
    const days = from === null || to === null ? null : { from, to }
    const lists = listsOf({ from: fromDay, to: toDay }, days, order)
    const cover = monthCover({ from: fromDay, to: toDay }, days)
    const scoreOf = profitScores[order]
    // Lists of another order bound far more than what comes first has.
    const isBounded = lists.some((list) => list.order === order)
    const first = Math.max(minDepth, 2 * max) * (isBounded ? 1 : 3)
    for (let depth = first; depth <= maxDepth; depth *= 4) {
      const asked = { ...parametersOf(lists), depth }
      const found = raw
        .query<ProfitRow, [Record<string, number>]>(candidatesSql(lists))
        .all({ ...asked, ...cover, fromDay, toDay })
        .toSorted((one, other) => scoreOf(other) - scoreOf(one) || byAccount(one, other))
        .slice(0, max)
      const last = found.at(max - 1)
      const { bound } = raw
        .query<{ bound: number | null }, [Record<string, number>]>(boundSql(lists))
        .get(asked) ?? { bound: null }
      // Nobody else: the lists are at their ends.
      if (bound === null || (last !== undefined && scoreOf(last) > bound)) return found
    }
    return null
  }
}

const byAccount = (one: ProfitRow, other: ProfitRow): number => Number(one.key) - Number(other.key)

interface Days {
  readonly from: number
  readonly to: number
}

/**
 * Months of a range that have rows. Of a part of a month nobody's margin is above what was charged in all
 * of it, while its margin may be: losses of the other days are in that.
 * @param kept days that have rows; one that begins meanwhile may cost an account its place until the
 *   next look, and never changes a sum
 */
function listsOf(range: Days, kept: Days | null, order: ProfitOrder): readonly MonthList[] {
  if (kept === null) return []
  const from = Math.max(range.from, kept.from)
  const to = Math.min(range.to, kept.to)
  const lists: MonthList[] = []
  for (let month = monthStart(from); month <= to; month = nextMonthStart(month)) {
    const isWhole =
      range.from <= Math.max(month, kept.from) &&
      range.to >= Math.min(nextMonthStart(month) - 1, kept.to)
    lists.push({ month, order: isWhole ? order : 'charged' })
  }
  return lists
}

const parametersOf = (lists: readonly MonthList[]): Record<string, number> =>
  Object.fromEntries(lists.map(({ month }, at) => [`month${at}`, month]))

const months = (lists: readonly MonthList[]): string =>
  lists.length === 0 ? 'NULL' : lists.map((_, at) => `$month${at}`).join()

/** What each month's list ends in where it is cut off, together; null where none is. */
const boundSql = (lists: readonly MonthList[]): string => {
  const cuts = lists.map(
    ({ order }, at) => `SELECT * FROM (
      SELECT ${listSql[order]} AS score FROM profit_account_months WHERE month = $month${at}
      ORDER BY ${listSql[order]} DESC LIMIT 1 OFFSET $depth - 1) AS of${at}`,
  )
  return `SELECT sum(CASE WHEN score > 0 THEN score ELSE 0 END) AS bound
    FROM (${[...cuts, 'SELECT NULL AS score'].join(' UNION ALL ')}) AS cuts`
}

/** Days of the one end of a cover, one row for each. */
const daysBetween = (name: string, from: string, to: string): string => `
  ${name} (day) AS (
    SELECT ${from} WHERE ${from} <= ${to} UNION ALL SELECT day + 1 FROM ${name} WHERE day < ${to})`

const candidatesSql = (lists: readonly MonthList[]): string => `
  WITH RECURSIVE ${daysBetween('starts', '$startFrom', '$startTo')},
  ${daysBetween('ends', '$endFrom', '$endTo')},
  fresh AS (SELECT * FROM (${freshProfit}) AS found WHERE day BETWEEN $fromDay AND $toDay),
  candidates (account) AS (
    SELECT account FROM fresh ${lists
      .map(
        ({ order }, at) => `UNION SELECT account FROM (
      SELECT account FROM profit_account_months WHERE month = $month${at}
      ORDER BY ${listSql[order]} DESC LIMIT $depth) AS of${at}`,
      )
      .join('\n')})
  SELECT account AS key, ${earnedSums} FROM (
    SELECT 1 AS sign, ${profitColumns('account')} FROM fresh
    UNION ALL SELECT 1, ${profitColumns('a.account')} FROM candidates c
      CROSS JOIN profit_account_months a ON a.account = c.account
      WHERE a.month IN (${months(lists)}) AND a.month BETWEEN $firstMonth AND $lastMonth
    UNION ALL SELECT $startSign, ${profitColumns('a.account')} FROM candidates c CROSS JOIN starts d
      CROSS JOIN profit_accounts a ON a.day = d.day AND a.account = c.account
    UNION ALL SELECT $endSign, ${profitColumns('a.account')} FROM candidates c CROSS JOIN ends d
      CROSS JOIN profit_accounts a ON a.day = d.day AND a.account = c.account
  ) AS found GROUP BY account HAVING ${isEarned}`
