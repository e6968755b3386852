import type { Caller } from '../domain/caller'
import { errorResponse, toGatewayError } from '../http/error-response'
import { answerHeaders } from '../http/headers'
import type { Inbound } from '../http/inbound'
import { readLanguage } from '../http/language'
import { identify, type AdmitParts } from './admit'

/**
 * A request that needs a key and costs no money: one of the key's requests per minute, no seat.
 * Refusals after the key is known carry its rate-limit headers.
 * @throws what `identify` throws
 */
export async function answerKeyed(
  parts: AdmitParts,
  inbound: Inbound,
  answer: (caller: Caller) => unknown,
): Promise<Response> {
  const caller = identify(parts, inbound)
  const headers = () => answerHeaders(inbound.requestId, parts.limits.allowance(caller))
  try {
    parts.limits.takeRequest(caller)
    const body = JSON.stringify(await answer(caller))
    const type = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
    return new Response(body, { headers: { ...headers(), ...type } })
  } catch (thrown) {
    const error = toGatewayError(thrown)
    parts.observer.refused({ error, endpoint: null, held: false }, inbound)
    return errorResponse(error, readLanguage(inbound.headers), headers())
  }
}
