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
import { openSharedHealth } from './vendor-events'

/** What a process knows of vendors, and what checks them. */
interface VendorDesk {
  readonly health: VendorHealthBook
  readonly checker: VendorChecker
}

/** Calls in half a second that other nodes hear of, through the database. */
const maxAttempts = 20

export async function openVendorDesk(
  given: GatewayParts,
  { settings: { values }, loader, notices }: Rooms,
  send: Send,
): Promise<VendorDesk> {
  const {
    storage,
    clock,
    monotonic,
    random,
    log,
    observing,
    cluster = null,
    duties = allDuties,
  } = given
  const { metrics } = observing
  const known = openVendorHealth({
    clock,
    monotonic,
    terms: {
      checkEveryMs: () => values.vendorCheckEvery,
      downAfterMs: () => values.vendorDownAfter,
      jitter: () => 0.5 + random() / 2,
    },
    tellsBalance: (vendor) => healthCheckOf(vendor)?.tellsBalance === true,
    kept: await storage.vendorStates.all(),
  })
  known.configure(loader.vendors())
  const bus = cluster?.bus
  const health =
    bus === undefined
      ? known
      : openSharedHealth({
          health: known,
          bus,
          clock,
          configOf: loader.vendorConfig,
          maxAttempts,
        })
  const { channels } = notices
  // Idle vendors are asked by one, and the others hear of it.
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
  if (metrics !== null) showVendors(metrics, () => health.states())
  return { health, checker }
}

/** Has what is known of vendors hear of each call to one. */
export const openAttemptBook = (health: Pick<VendorHealthBook, 'attempted'>): CallObserver => ({
  attempted: (attempt) => health.attempted(attempt),
  ended() {},
  refused() {},
})
