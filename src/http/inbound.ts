import type { Ms } from '../domain/clock'
import type { RequestId } from '../domain/ids'
import type { Secret } from '../domain/secret'
import type { Language } from '../errors/gateway-error'

/** What a call needs to know of its HTTP request. */
export interface Inbound {
  readonly requestId: RequestId
  readonly received: Ms
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly headers: Headers
  readonly query: URLSearchParams
  /** The key as sent, by whichever header; null when none was. */
  readonly secret: Secret | null
  /** Canonical client address; IPv6 in full, IPv4-mapped as IPv4. */
  readonly address: string
  readonly language: Language
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal
  /** The raw request, for its body. */
  readonly request: Request
}
