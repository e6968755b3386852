import { checkVendor, isCheckable } from '../../gateway/call/check-vendor'
import { openVendorChecker, type VendorChecker } from '../../gateway/catalogue/health/checker'
import {
  openVendorHealth,
  type VendorHealthBook,
} from '../../gateway/catalogue/health/vendor-health'
import { systemNoticeId } from '../../domain/ids'
import { vendorNotice } from '../../business/notices/vendor-notices'
import type { CallObserver } from '../../gateway/observability/call-observer'
import { faultFields } from '../../gateway/observability/log'
import { showVendors } from '../../gateway/observability/vendor-metrics'
import type { Send } from '../../gateway/outbound/send'
import { healthCheckOf } from '../../gateway/vendors/health-check'
import { vendors } from '../../gateway/vendors/registry'
import { allDuties } from '../cluster/cluster'
import { vendorStatesOnDuty } from '../cluster/duty-stores'
import type { GatewayParts, Rooms } from './subjects'
import { openSharedHealth } from '../vendor-events'

/** What a process knows of vendors, and what checks them. */
interface VendorService {
  readonly health: VendorHealthBook
  readonly checker: VendorChecker
}

/** Calls in half a second that other nodes hear of, through the database. */
const maxAttempts = 20

export async function openVendorService(
  given: GatewayParts,
  { settings: { values }, loader, notices }: Rooms,
  send: Send,
): Promise<VendorService> {
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
