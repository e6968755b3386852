import { and, count, eq, gte, lt, sql, sum } from 'drizzle-orm'
import { dayMs, type Ms } from '../../domain/clock'
import { firstRequestIdAt } from '../../domain/ids'
import { nanoUsd, plus, zeroUsd, type NanoUsd } from '../../domain/money'
import type { UtcDayRange, OperatorReader, ServiceSums } from '../../domain/operator-reader'
import type { ProfitSum } from '../../domain/report'
import { requests, transfers } from '../schema'
import { openActiveAccounts } from './active-accounts'
import type { ReadConnection } from './database'
import { openProfitReports } from './profit'

/** What the whole service came to in ranges of UTC days: from sums of days, and by indexes. */
export function openServiceSums(connection: ReadConnection): OperatorReader['serviceSums'] {
  const { profit } = openProfitReports(connection)
  const activeAccounts = openActiveAccounts(connection)
  return async (ranges) => {
    const moneyIn = moneyInDays(connection, ranges)
    return await Promise.all(
      ranges.map(async (range, at) => ({
        ...(await profit({ ...range, group: 'day' })).reduce(added, noProfit),
        errors: errorsIn(connection, range),
        activeAccounts: activeAccounts(range),
        moneyIn: moneyIn[at] ?? zeroUsd,
      })),
    )
  }
}

type Earned = Pick<ServiceSums, 'calls' | 'charged' | 'refunded' | 'vendorCost' | 'uncosted'>

const noProfit: Earned = {
  calls: 0,
  charged: zeroUsd,
  refunded: zeroUsd,
  vendorCost: zeroUsd,
  uncosted: 0,
}

const added = (one: Earned, other: ProfitSum): Earned => ({
  calls: one.calls + other.calls,
  charged: plus(one.charged, other.charged),
  refunded: plus(one.refunded, other.refunded),
  vendorCost: plus(one.vendorCost, other.vendorCost),
  uncosted: one.uncosted + other.uncosted,
})

const spanOf = ({ fromDay, toDay }: UtcDayRange) => ({
  from: (fromDay * dayMs) as Ms,
  to: ((toDay + 1) * dayMs) as Ms,
})

function errorsIn({ orm }: ReadConnection, range: UtcDayRange): number {
  const { from, to } = spanOf(range)
  const row = orm
    .select({ count: count() })
    .from(requests)
    .where(
      and(
        eq(requests.status, 'error'),
        gte(requests.id, firstRequestIdAt(from)),
        lt(requests.id, firstRequestIdAt(to)),
      ),
    )
    .get()
  return row?.count ?? 0
}

/** All ranges in one pass: the transfers of a kind are in no order of time. */
function moneyInDays({ orm }: ReadConnection, ranges: readonly UtcDayRange[]): readonly NanoUsd[] {
  const spans = ranges.map(spanOf)
  const [first, last] = [
    Math.min(...spans.map(({ from }) => from)),
    Math.max(...spans.map(({ to }) => to)),
  ]
  const { amount, created } = transfers
  const row = orm
    .select(
      Object.fromEntries(
        spans.map(({ from, to }, at) => [
          String(at),
          sum(
            sql`case when ${created} >= ${from} and ${created} < ${to} then ${amount} else 0 end`,
          ),
        ]),
      ),
    )
    .from(transfers)
    .where(and(eq(transfers.kind, 'topup'), gte(created, first), lt(created, last)))
    .get()
  return spans.map((_, at) => nanoUsd(Number(row?.[String(at)] ?? 0)))
}
