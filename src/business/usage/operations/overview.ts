import { Type, type Static } from '@sinclair/typebox'
import { dayNumber } from '../../../domain/clock'
import { minus, showUsd } from '../../../domain/money'
import type { UtcDayRange, ServiceSums } from '../../../domain/reports/operator-reader'
import { attention, attentionKinds } from '../../operations/attention'
import { liveOperation } from '../../operations/operation'

const ServiceSumsView = Type.Object({
  /** Charged, less what of it was refunded. */
  sales_usd: Type.String(),
  vendor_cost_usd: Type.String(),
  margin_usd: Type.String(),
  /** Calls that a vendor answered whose cost nobody knows: the margin is without it. */
  uncosted_calls: Type.Integer(),
  calls: Type.Integer(),
  errors: Type.Integer(),
  active_accounts: Type.Integer(),
  money_in_usd: Type.String(),
})

const sumsView = (sums: ServiceSums): Static<typeof ServiceSumsView> => {
  const sales = minus(sums.charged, sums.refunded)
  return {
    sales_usd: showUsd(sales),
    vendor_cost_usd: showUsd(sums.vendorCost),
    margin_usd: showUsd(minus(sales, sums.vendorCost)),
    uncosted_calls: sums.uncosted,
    calls: sums.calls,
    errors: sums.errors,
    active_accounts: sums.activeAccounts,
    money_in_usd: showUsd(sums.moneyIn),
  }
}

const period = Type.Object({ now: ServiceSumsView, before: ServiceSumsView })
const monthDays = 30

const rangeUpTo = (toDay: number, days: number): UtcDayRange => ({
  fromDay: toDay - days + 1,
  toDay,
})

export const overviewOperations = [
  liveOperation({
    name: 'overview.get',
    method: 'GET',
    path: '/overview',
    role: 'viewer',
    about:
      'What was sold, what it cost and what came in, today and in 30 UTC days, each against the period before; what runs; what needs a hand',
    result: Type.Object({
      today: period,
      month: period,
      running_calls: Type.Integer(),
      open_streams: Type.Integer(),
      held_usd: Type.String(),
      attention: Type.Array(
        Type.Object({
          kind: Type.Union(attentionKinds.map((kind) => Type.Literal(kind))),
          count: Type.Integer(),
          details: Type.Array(Type.String()),
        }),
      ),
    }),
    async run({ storage, service }) {
      await service.flush()
      const now = service.clock.now()
      const today = dayNumber(now)
      const ranges = [
        rangeUpTo(today, 1),
        rangeUpTo(today - 1, 1),
        rangeUpTo(today, monthDays),
        rangeUpTo(today - monthDays, monthDays),
      ]
      const proxy = service.untrustedProxy()
      const [{ runningCalls, held, openStreams }, sums, needs] = await Promise.all([
        service.load(),
        storage.operatorReader.serviceSums(ranges),
        attention({
          storage,
          now,
          untrustedProxy: proxy?.address ?? null,
          unnamedHost: service.unnamedHost(),
          isDemo: service.isDemo,
        }),
      ])
      const [day, dayBefore, month, monthBefore] = sums.map(sumsView)
      if (!day || !dayBefore || !month || !monthBefore) throw new Error('sums of too few ranges')
      return {
        today: { now: day, before: dayBefore },
        month: { now: month, before: monthBefore },
        running_calls: runningCalls,
        open_streams: openStreams,
        held_usd: showUsd(held),
        attention: needs.map(({ details, ...need }) => ({ ...need, details: [...details] })),
      }
    },
  }),
] as const
