import type { Caller } from '../domain/caller'
import { toGatewayError } from '../http/error-response'
import type { Inbound } from '../http/inbound'
import { headersFor, refusalResponse } from '../http/refusal'
import type { Limits } from '../limits/limits'
import { identify, type AdmitParts } from './admit'

/**
 * A request that needs a key and costs no money: one of the key's requests per minute, no seat.
 * Refusals after the key is known carry its rate-limit headers.
 * @param take of which bucket, when not of the key's requests
 * @throws what `identify` throws
 */
export async function answerKeyed(
  parts: AdmitParts,
  inbound: Inbound,
  answer: (caller: Caller) => unknown,
  take: (limits: Limits, caller: Caller) => void = (limits, caller) => limits.takeRequest(caller),
): Promise<Response> {
  const caller = identify(parts, inbound)
  const { limits } = parts
  try {
    take(limits, caller)
    const body = JSON.stringify(await answer(caller))
    const type = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
    return new Response(body, {
      headers: { ...headersFor(inbound, limits.allowance(caller)), ...type },
    })
  } catch (thrown) {
    const error = toGatewayError(thrown)
    parts.observer.refused({ error, endpoint: null, held: false }, inbound)
    return refusalResponse(error, inbound, limits.allowance(caller))
  }
}
