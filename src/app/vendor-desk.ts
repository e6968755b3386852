import { checkVendor, isCheckable } from '../call/check-vendor'
import { openVendorChecker, type VendorChecker } from '../catalogue/health/checker'
import { openVendorHealth, type VendorHealthBook } from '../catalogue/health/vendor-health'
import { systemNoticeId } from '../domain/ids'
import { vendorNotice } from '../notices/vendor-notices'
import type { CallObserver } from '../observability/call-observer'
import { faultFields } from '../observability/log'
import { showVendors } from '../observability/vendor-metrics'
import type { Send } from '../outbound/send'
import { healthCheckOf } from '../vendors/health-check'
import { vendors } from '../vendors/registry'
import { allDuties } from './cluster'
import { vendorStatesOnDuty } from './duty-stores'
import type { GatewayParts, Rooms } from './rooms'
import { openSharedHealth, shareHealth } from './vendor-events'

/** What a process knows of vendors, and what checks them. */
interface VendorDesk {
  readonly health: VendorHealthBook
  readonly checker: VendorChecker
}

export async function openVendorDesk(
  { storage, clock, random, log, observing: { metrics }, peers, cluster = null }: GatewayParts,
  { settings: { values }, loader, notices }: Rooms,
  send: Send,
): Promise<VendorDesk> {
  const known = openVendorHealth({
    clock,
    terms: {
      checkEveryMs: () => values.vendorCheckEvery,
      downAfterMs: () => values.vendorDownAfter,
      jitter: () => 0.5 + random() / 2,
    },
    tellsBalance: (vendor) => healthCheckOf(vendor)?.tellsBalance === true,
    kept: await storage.vendorStates.all(),
  })
  known.configure(loader.vendors())
  const health = peers?.role === 'front' ? openSharedHealth(known, peers) : known
  const { channels } = notices
  // Every process learns from its own calls; idle vendors are asked by one.
  const duties = cluster?.duties ?? allDuties
  const checker = openVendorChecker({
    health,
    store: vendorStatesOnDuty(storage, duties, (lost) =>
      log.warn('vendor states', faultFields(lost)),
    ),
    vendors: loader.vendors,
    isCheckable: (vendor) => duties.has('vendors') && isCheckable(vendor),
    check: (vendor) => checkVendor({ vendors, send }, vendor),
    noticeOf: (turn) => vendorNotice({ clock, newId: systemNoticeId, channels }, turn),
    onTold: notices.wake,
    onFault: (fault) => log.error('vendor health check failed', faultFields(fault)),
  })
  if (peers?.role === 'front') return { health, checker }
  if (metrics !== null) showVendors(metrics, () => health.states())
  if (peers === undefined) return { health, checker }
  const unshare = shareHealth(health, loader.vendorConfig, peers)
  return {
    health,
    checker: {
      ...checker,
      async close() {
        unshare()
        await checker.close()
      },
    },
  }
}

/** Has what is known of vendors hear of each call to one. */
export const openAttemptBook = (health: Pick<VendorHealthBook, 'attempted'>): CallObserver => ({
  attempted: (attempt) => health.attempted(attempt),
  ended() {},
  refused() {},
})
