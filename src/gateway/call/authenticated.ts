import type { Caller } from '../../domain/caller'
import { toGatewayError } from '../http/error-response'
import type { Inbound } from '../http/inbound'
import { headersFor, refusalResponse } from '../http/refusal'
import type { AnsweredAccounts } from '../identity/key-lookup'
import type { Limits } from '../limits/limits'
import { identify, type AdmitParts } from './admit'

/**
 * A request that needs a key and costs no money: one of the key's requests per minute, no slot.
 * Refusals after the key is known carry its rate-limit headers.
 * @throws what `identify` throws
 */
export const answerAuthenticated = (
  parts: AdmitParts,
  inbound: Inbound,
  answer: (caller: Caller) => unknown,
  options?: AuthenticatedOptions,
): Promise<Response> =>
  respondAuthenticated(
    parts,
    inbound,
    async (caller, headers) => jsonResponse(await answer(caller), headers),
    options,
  )

/** Deviations from the usual way. */
interface AuthenticatedOptions {
  /** Another bucket than that of the key's requests. */
  take?(limits: Limits, caller: Caller): Promise<void>
  readonly accounts?: AnsweredAccounts
}

const takeRequest = async (limits: Limits, caller: Caller): Promise<void> => {
  await limits.takeRequest(caller)
}

/** JSON response that nobody may cache: it is the key's alone, and may be another in a moment. */
export const jsonResponse = (value: unknown, headers: Readonly<Record<string, string>>): Response =>
  new Response(JSON.stringify(value), {
    headers: {
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    },
  })

/** Answers a request with a key in any form. @param respond is told the headers that every answer has */
export async function respondAuthenticated(
  parts: AdmitParts,
  inbound: Inbound,
  respond: (caller: Caller, headers: Record<string, string>) => Promise<Response>,
  { take = takeRequest, accounts }: AuthenticatedOptions = {},
): Promise<Response> {
  const caller = await identify(parts, inbound, accounts)
  const { limits } = parts
  try {
    await take(limits, caller)
    return await respond(caller, headersFor(inbound, limits.allowance(caller, inbound.address)))
  } catch (thrown) {
    const error = toGatewayError(thrown)
    parts.observer.refused({ error, caller, endpoint: null, held: false }, inbound)
    return refusalResponse(error, inbound, limits.allowance(caller, inbound.address))
  }
}
