import type { Moment } from '../../../domain/clock'
import type { GatewayError } from '../../../errors/gateway-error'
import { VendorFailure } from '../../../errors/vendor-failure'

/**
 * Fault of the vendor behind a failure. `refused`: it does not know our key. `forbidden`: our key
 * may not do this, or nothing. `failing`: the vendor itself does not work. `none`: it works.
 */
type VendorFault =
  'refused' | 'forbidden' | 'out_of_money' | 'limited' | 'no_model' | 'failing' | 'none'

/** A failure of a call or a check. */
export interface FailureSeen {
  readonly fault: VendorFault
  readonly error: Pick<GatewayError, 'code' | 'retryAfterSeconds'>
  readonly now: Moment
}

/** Kind of a vendor's failure, for its health. */
export function faultOf({ code, cause }: GatewayError): VendorFault {
  const failure = cause instanceof VendorFailure ? cause : null
  switch (failure?.alert) {
    case 'credential':
      return failure.status === 401 ? 'refused' : 'forbidden'
    case 'quota':
      return 'out_of_money'
    case 'allowance':
      return 'limited'
    case 'model':
      return 'no_model'
  }
  switch (code) {
    case 'upstream_rate_limited':
      return 'limited'
    case 'upstream_unreachable':
    case 'upstream_error':
    case 'upstream_capacity_full':
      return 'failing'
    default:
      return 'none'
  }
}

/** Faults of one credential: the vendor did nothing, and another credential may do. */
const ofCredential: ReadonlySet<VendorFault> = new Set<VendorFault>([
  'refused',
  'forbidden',
  'out_of_money',
  'limited',
  'no_model',
])

/** Whether the same vendor may be asked again with another credential: it refused before it did anything. */
export const isForNextCredential = (error: GatewayError): boolean =>
  !error.fateUnknown && ofCredential.has(faultOf(error))
