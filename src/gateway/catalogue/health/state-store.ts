import type { DueNotice } from '../../../domain/notice'
import type { VendorState } from '../../../domain/vendor-state'

/** Changes of vendors and their notices: both or neither is written. */
interface VendorStateChange {
  readonly states: readonly VendorState[]
  /** Credentials that nobody has any more. */
  readonly gone: readonly Pick<VendorState, 'vendor' | 'credential'>[]
  readonly notices: readonly DueNotice[]
}

/** States of vendors, written by who serves and read by commands. */
export interface VendorStateStore {
  all(): Promise<readonly VendorState[]>
  save(change: VendorStateChange): Promise<void>
}
