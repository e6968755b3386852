import type { Caller } from '../domain/caller'
import { toGatewayError } from '../http/error-response'
import type { Inbound } from '../http/inbound'
import { headersFor, refusalResponse } from '../http/refusal'
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
  const { limits } = parts
  try {
    limits.takeRequest(caller)
    const body = JSON.stringify(await answer(caller))
    const type = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
    return new Response(body, {
      headers: { ...headersFor(inbound, limits.allowance(caller)), ...type },
    })
  } catch (thrown) {
    return refusalResponse(toGatewayError(thrown), inbound, limits.allowance(caller))
  }
}
