import type { CallObserver } from './call-observer'
import { faultFields, type Log } from './log'

/**
 * Vendor failures and faults of our own, for the operator. What a vendor said is shortened and
 * without secrets already.
 */
export const openCallLog = (log: Log): CallObserver => ({
  attempted({ error, route }, { requestId }) {
    if (error === null) return
    const { code, cause } = error
    log.warn('vendor failed', {
      request: requestId,
      vendor: route.vendor,
      code,
      ...faultFields(cause),
    })
  },
  ended(opening, ending) {
    if (!log.debugging) return
    log.debug('call', {
      request: opening.id,
      model: opening.model,
      vendor: ending.vendor,
      status: ending.status,
      code: ending.error,
      costNanoUsd: ending.cost,
      latencyMs: ending.latencyMs,
    })
  },
  refused({ error }, { requestId }) {
    if (error.code === 'internal_error')
      log.error('fault', { request: requestId, ...faultFields(error.cause) })
  },
})
