import { minus, plus, showUsd, zeroUsd } from '../../domain/money'
import {
  profitScores,
  type ProfitOrder,
  type ProfitQuery,
  type ProfitReports,
  type ProfitSum,
} from '../../domain/reports/report'

interface RequestedProfit extends ProfitQuery {
  readonly order: ProfitOrder
  /** Most accounts; null for all. */
  readonly max: number | null
}

interface ShownProfit {
  readonly sums: readonly ProfitSum[]
  /** Of those that are not shown too. */
  readonly total: ProfitSum
  readonly hasMore: boolean
}

/** Revenue, vendor cost and margin. */
export async function readProfit(
  profits: ProfitReports,
  { order, max, ...asked }: RequestedProfit,
): Promise<ShownProfit> {
  if (asked.group !== 'account' || max === null) {
    const all = await profits.profit(asked)
    const scoreOf = profitScores[order]
    const sums =
      asked.group === 'account' ? all.toSorted((one, other) => scoreOf(other) - scoreOf(one)) : all
    return { sums, total: sums.reduce(together, none), hasMore: false }
  }
  const { fromDay, toDay } = asked
  const found = await profits.topAccounts({ fromDay, toDay, order, max: max + 1 })
  // As short as the list of vendors is, however many accounts there are.
  const byVendor = await profits.profit({ fromDay, toDay, group: 'vendor' })
  return {
    sums: found.slice(0, max),
    total: byVendor.reduce(together, none),
    hasMore: found.length > max,
  }
}

const none: ProfitSum = {
  key: 'all',
  calls: 0,
  charged: zeroUsd,
  refunded: zeroUsd,
  vendorCost: zeroUsd,
  uncosted: 0,
}

const together = (a: ProfitSum, b: ProfitSum): ProfitSum => ({
  key: a.key,
  calls: a.calls + b.calls,
  charged: plus(a.charged, b.charged),
  refunded: plus(a.refunded, b.refunded),
  vendorCost: plus(a.vendorCost, b.vendorCost),
  uncosted: a.uncosted + b.uncosted,
})

/** A sum as operators see it, with what is left of it. */
export function profitView({ calls, charged, refunded, vendorCost, uncosted }: ProfitSum) {
  const earned = minus(charged, refunded)
  const margin = minus(earned, vendorCost)
  return {
    calls,
    charged_usd: showUsd(charged),
    refunded_usd: showUsd(refunded),
    vendor_cost_usd: showUsd(vendorCost),
    margin_usd: showUsd(margin),
    margin_percent: earned === 0 ? null : ((margin / earned) * 100).toFixed(2),
    calls_without_cost: uncosted,
  }
}
