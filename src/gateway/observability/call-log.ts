import { storageFault } from '../../domain/storage-fault'
import type { VideoJob } from '../../domain/video-job'
import type { CallObserver } from './call-observer'
import { faultFields, type Log, type ShowsVendorWords } from './log'

/** Logs vendor failures and faults of our own, for the operator. */
export const openCallLog = (log: Log, showsVendorWords: ShowsVendorWords): CallObserver => ({
  attempted({ error, route, config }, { requestId }) {
    // The sandbox fails where a client's test asks for that.
    if (error === null || config.kind === 'sandbox') return
    const { code, cause } = error
    log.warn('vendor failed', {
      request: requestId,
      vendor: route.vendor,
      code,
      ...(cause === undefined ? {} : faultFields(cause, showsVendorWords())),
    })
  },
  broke({ vendor, error }, { requestId }) {
    log.warn('stream broke', {
      request: requestId,
      vendor,
      code: error.code,
      ...faultFields(error, showsVendorWords()),
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
    if (error.cause === undefined) return
    if (error.code === 'internal_error')
      log.error('internal error', { request: requestId, ...faultFields(error.cause) })
    else if (storageFault(error.cause) !== null)
      log.error('storage unavailable', { request: requestId, ...faultFields(error.cause) })
  },
})

/** Logs that looks at a video came to nothing again and again. */
export const openVideoLog =
  (log: Log, showsVendorWords: ShowsVendorWords) =>
  ({ id, vendor }: Pick<VideoJob, 'id' | 'vendor'>, cause: unknown): void =>
    log.warn('video poll failed repeatedly', {
      video: id,
      vendor,
      ...faultFields(cause, showsVendorWords()),
    })
