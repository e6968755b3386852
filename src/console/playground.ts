import type { KeyId } from '../domain/ids'
import type { Inbound } from '../gateway/http/inbound'
import type { CustomerOf } from './customer'
import type { Own } from './own'
import { Refusal } from './refusal'

/** Below it lies one address for each kind of call. */
export const playgroundPath = '/app/api/playground/'

/** Kinds of calls that are tried in the pages, as the last step of their address. */
const playgroundCalls = ['chat', 'images', 'speech', 'transcriptions'] as const
type PlaygroundCall = (typeof playgroundCalls)[number]

/**
 * Runs a metered call whose caller is a key of the customer's own: with its limits, recorded and
 * charged as any other of it.
 * @throws GatewayError before the key is known to be good
 */
export type CallByKey = (call: PlaygroundCall, key: KeyId, inbound: Inbound) => Promise<Response>

interface PlaygroundParts {
  readonly customer: CustomerOf
  readonly own: Pick<Own, 'changeableKey'>
  readonly callByKey: CallByKey
}

/**
 * Calls out of the playground: a body as programs send it, the session in the place of a secret, and
 * `key` in the query. Not a route of the pages' API: answers are relayed as the gateway makes them.
 */
export const openPlayground =
  ({ customer, own, callByKey }: PlaygroundParts) =>
  async (request: Request, inbound: Inbound): Promise<Response> => {
    try {
      const name = inbound.path.slice(playgroundPath.length)
      const call = playgroundCalls.find((each) => each === name)
      if (call === undefined || request.method !== 'POST') throw new Refusal(404, 'not_found')
      const who = await customer(request)
      const { id } = await own.changeableKey(who, keyIn(inbound.search))
      return await callByKey(call, id, inbound)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      return Response.json(
        { error: { ...thrown.facts, code: thrown.code } },
        { status: thrown.status, headers: { 'cache-control': 'no-store' } },
      )
    }
  }

/** @throws Refusal 400 `invalid` */
function keyIn(search: string): KeyId {
  const key = new URLSearchParams(search).get('key') ?? ''
  if (!/^[1-9]\d{0,14}$/.test(key)) throw new Refusal(400, 'invalid')
  return Number(key) as KeyId
}
