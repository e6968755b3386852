import { systemClock } from '../../domain/clock'
import { allDuties } from '../cluster/cluster'
import type { Gateway } from '../gateway'
import { checkPricesInThread } from './price-check-thread'
import { openPriceSchedule, type PriceSchedule } from './price-schedule'
import type { GatewayParts } from '../composition/subjects'

/** Public prices are checked as long as the gateway serves, where that is set; not in memory. */
export function scheduleFor(
  { storage, discovery, clock, monotonic, random, log, duties = allDuties }: GatewayParts,
  { sync, parts: { settings }, tellPriceChanges: reportPriceChanges }: Gateway,
): Pick<PriceSchedule, 'close'> {
  const { folder, database, priceChecks } = storage
  if (folder === null) return { close() {} }
  return openPriceSchedule({
    clock,
    monotonic,
    random,
    log,
    store: priceChecks,
    async order() {
      if (!duties.has('prices')) return null
      // As it is before anything is read.
      const claim = duties.claimOf('prices')
      await sync()
      const { pricesCheckEvery: everyMs, pricesSources: sources, pricesAuto: policy } = settings
      if (everyMs === null) return null
      const { sandbox } = settings
      const asked = { sources, policy, discovery, sandbox, whole: true, claim } as const
      return { everyMs, actor: 'service' as const, ...asked }
    },
    check: (order) =>
      checkPricesInThread({
        folder,
        database,
        ...order,
        clockAheadMs: clock.now() - systemClock.now(),
      }),
    tell: reportPriceChanges,
  })
}
