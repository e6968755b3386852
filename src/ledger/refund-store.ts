import type { NanoUsd } from '../domain/money'
import type { Refund } from '../domain/video-job'

/** A refund by a person, of a call that has ended. */
export interface CallRefund extends Refund {
  readonly model: string
  readonly note: string | null
  /** Whether the account's people read the note (default: no). */
  readonly told?: boolean
  readonly by: string
}

export interface RefundStore {
  /**
   * Moves the money back, counts it back in every sum that counted the charge, durably, and beside a
   * gateway that serves. Changes nothing where the call was refunded before.
   */
  refund(refund: CallRefund): Promise<{
    /** Of the account, afterwards. */
    readonly balance: NanoUsd
    /** What was refunded before; null when nothing was. */
    readonly earlier: NanoUsd | null
    /** Part of the amount that goes to the service, which bore as much of the charge. */
    readonly borne: NanoUsd
  }>
}
