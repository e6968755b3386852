import type { Notice } from '../../domain/notice'

/** A way out for notices. */
export interface Channel {
  /** Its name in the outbox: pending notices wait for the channel of this name. */
  readonly name: string
  /**
   * Carries one notice; may be asked again for the same one, which keeps its id.
   * @param signal aborts when the process ends; undelivered notices are retried at the next start
   * @throws DeliveryFailed when it did not arrive
   */
  deliver(notice: Notice, signal: AbortSignal): Promise<void>
}

/** A notice did not arrive; the message says why, without secrets. */
export class DeliveryFailed extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DeliveryFailed'
  }
}
