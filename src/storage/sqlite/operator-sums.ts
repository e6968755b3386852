import { and, count, countDistinct, eq, gte, lt, lte, sum } from 'drizzle-orm'
import { dayMs, type Ms } from '../../domain/clock'
import { firstRequestIdAt } from '../../domain/ids'
import { nanoUsd, plus, zeroUsd } from '../../domain/money'
import type { UtcDayRange, OperatorReader, ServiceSums } from '../../domain/operator-reader'
import type { ProfitSum } from '../../domain/report'
import { profitAccounts, requests, transfers } from '../schema'
import type { ReadConnection } from './database'
import { openProfitReports } from './profit'

/** What the whole service came to in ranges of UTC days: from sums of days, and by indexes. */
export function openServiceSums(connection: ReadConnection): OperatorReader['serviceSums'] {
  const { profit } = openProfitReports(connection)
  return async (ranges) =>
    await Promise.all(
      ranges.map(async (range) => ({
        ...(await profit({ ...range, group: 'day' })).reduce(added, noProfit),
        errors: errorsIn(connection, range),
        activeAccounts: accountsIn(connection, range),
        moneyIn: moneyInDays(connection, range),
      })),
    )
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

function accountsIn({ orm }: ReadConnection, { fromDay, toDay }: UtcDayRange): number {
  const row = orm
    .select({ count: countDistinct(profitAccounts.account) })
    .from(profitAccounts)
    .where(and(gte(profitAccounts.day, fromDay), lte(profitAccounts.day, toDay)))
    .get()
  return row?.count ?? 0
}

function moneyInDays({ orm }: ReadConnection, range: UtcDayRange) {
  const { from, to } = spanOf(range)
  const row = orm
    .select({ amount: sum(transfers.amount) })
    .from(transfers)
    .where(
      and(eq(transfers.kind, 'topup'), gte(transfers.created, from), lt(transfers.created, to)),
    )
    .get()
  return nanoUsd(Number(row?.amount ?? 0))
}
