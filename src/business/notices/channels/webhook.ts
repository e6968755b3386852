import type { Clock } from '../../../domain/clock'
import { DeliveryFailed, type Channel } from '../channel'
import { noticeBody } from '../notice-body'
import { signedHeaders } from '../signature'

interface WebhookParts {
  /** http or https. */
  readonly url: string
  readonly secret: string
  /** For the whole exchange. */
  readonly timeoutMs: number
  readonly clock: Clock
}

/**
 * POSTs each notice, signed in the way of standardwebhooks.com, so that its libraries verify it:
 * HMAC-SHA-256 over `id.timestamp.body`. Any 2xx is an arrival; redirects are not followed, since
 * they could carry what is signed elsewhere.
 */
export function webhookChannel({ url, secret, timeoutMs, clock }: WebhookParts): Channel {
  return {
    name: 'webhook',
    async deliver(notice, signal) {
      const body = JSON.stringify(noticeBody(notice))
      const late = AbortSignal.timeout(timeoutMs)
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: signedHeaders(secret, notice.id, body, clock.now()),
          body,
          redirect: 'manual',
          // A body that nobody reads is not expanded either.
          decompress: false,
          signal: AbortSignal.any([signal, late]),
        })
        // Nobody reads what it says: a body without end must not hold the connection.
        await response.body?.cancel()
        if (!response.ok) throw new DeliveryFailed(`it answered ${response.status}`)
      } catch (cause) {
        if (cause instanceof DeliveryFailed) throw cause
        throw new DeliveryFailed(late.aborted ? `no answer in ${timeoutMs} ms` : reason(cause), {
          cause,
        })
      }
    },
  }
}

/** The code alone: messages may name addresses. */
const reason = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? `not reached: ${cause.code}`
    : 'not reached'
