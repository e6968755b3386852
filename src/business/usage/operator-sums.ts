import { dayMs, dayNumber, type Ms } from '../../domain/clock'
import { nanoUsd, plus, zeroUsd, type NanoUsd } from '../../domain/money'
import type { UtcDayRange, OperatorReader, ServiceSums } from '../../domain/reports/operator-reader'
import type { ProfitSum } from '../../domain/reports/report'
import { openActiveAccounts } from './active-accounts'
import type { ReadConnection } from '../../storage/sqlite/connection'
import { openProfitReports } from './profit'
import { openServiceUsage } from './service-usage'

/** What the whole service came to in ranges of UTC days: from sums of days, and by indexes. */
export function openServiceSums(connection: ReadConnection): OperatorReader['serviceSums'] {
  const { profit } = openProfitReports(connection)
  const activeAccounts = openActiveAccounts(connection)
  const errorsIn = openErrors(connection)
  const moneyIn = openMoneyIn(connection)
  return async (ranges) => {
    const all = spanOfAll(ranges)
    const earned = await profit({ ...all, group: 'day' })
    const errors = errorsIn(all)
    const active = activeAccounts(all)
    return ranges.map((range) => ({
      ...earned.filter(({ key }) => isIn(range, dayOfKey(key))).reduce(added, noProfit),
      errors: errors(range),
      activeAccounts: active(range),
      moneyIn: moneyIn(range),
    }))
  }
}

const spanOfAll = (ranges: readonly UtcDayRange[]): UtcDayRange => ({
  fromDay: Math.min(...ranges.map(({ fromDay }) => fromDay)),
  toDay: Math.max(...ranges.map(({ toDay }) => toDay)),
})

const isIn = ({ fromDay, toDay }: UtcDayRange, day: number): boolean =>
  day >= fromDay && day <= toDay

const dayOfKey = (key: string): number => dayNumber(Date.parse(key))

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

/** Reads the failed calls of days once; then tells those of ranges of them. */
function openErrors(
  connection: ReadConnection,
): (all: UtcDayRange) => (range: UtcDayRange) => number {
  const usage = openServiceUsage(connection)
  return (all) => {
    const days = usage({ account: null, ...all, group: 'day' })
    return (range) =>
      days.reduce((sum, { key, errors }) => sum + (isIn(range, dayOfKey(key)) ? errors : 0), 0)
  }
}

/** A reader of what came in, from an index of the top-ups alone. */
function openMoneyIn({ raw }: ReadConnection): (range: UtcDayRange) => NanoUsd {
  const topUps = raw.prepare<{ amount: number }, [number, number]>(
    `SELECT coalesce(sum(amount), 0) AS amount FROM transfers INDEXED BY transfers_topups
     WHERE kind = 'topup' AND created >= ? AND created < ?`,
  )
  return (range) => {
    const { from, to } = spanOf(range)
    return nanoUsd(topUps.get(from, to)?.amount ?? 0)
  }
}
