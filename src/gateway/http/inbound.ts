import type { Ms, Ticks } from '../../domain/clock'
import type { RequestId } from '../../domain/ids'
import type { Links } from '../../errors/links'
import type { AddressSlot } from '../limits/address-slots'

/** HTTP request as plain data, as far as a call needs it. */
export interface Inbound {
  readonly requestId: RequestId
  readonly received: Ms
  /** `received` by the monotonic clock: durations are measured from it. */
  readonly arrived: Ticks
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly headers: Headers
  /** The query as sent, without the question mark; empty where nobody reads it. */
  readonly search: string
  /** Canonical client address; IPv6 in full, IPv4-mapped as IPv4. */
  readonly address: string
  /** Its place among the requests in progress of this address, kept until its answer is over. */
  readonly slot: AddressSlot
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal
  /** The raw request, for its body. */
  readonly request: Request
  /**
   * Lets a connection be quiet for as long as it likes, or for as long as others. One function for
   * all requests, since every call makes an Inbound.
   */
  readonly exemptFromIdleTimeout: (request: Request, exempt: boolean) => void
  /** Of the service, for messages that lead to them; one object for all requests. */
  readonly links: Links
}
