import type { VendorBalance } from '../../../domain/vendor-state'
import type { GatewayError } from '../../../errors/gateway-error'

/** Result of a free call to a vendor. */
export interface CheckedVendor {
  /** Null where it was answered well. */
  readonly error: GatewayError | null
  /** Whether the answer proves that the credential is good. */
  readonly provesCredential: boolean
  /** Null where the vendor tells none. */
  readonly balance: VendorBalance | null
  /** The vendor says itself that nothing is left. */
  readonly isEmpty: boolean
}
