import type { Catalogue, Offer } from '../catalogue/catalogue'
import { resolve, resolveFirst } from '../catalogue/resolve'
import type { Caller } from '../domain/caller'
import type { EndpointName } from '../domain/model'
import { showUsd } from '../domain/money'
import type { Turn } from '../domain/turn'
import { headersFor, refusalResponse } from '../http/refusal'
import type { Inbound } from '../http/inbound'
import { eventStreamHeaders } from '../http/sse'
import { checkModel } from '../identity/access'
import type { Ledger } from '../ledger/ledger'
import { ceilingPrice, price } from '../metering/price'
import type { Settings } from '../settings/registry'
import { identify, takeSeat, type AdmitParts } from './admit'
import { askPartsOf, openingOf, type AskerParts } from './asker'
import { openBudget, type GrowingMeter } from './budget'
import { ClientLeft } from './client-left'
import { dispatch, type DispatchParts } from './dispatch'
import { asksDryRun, dryRun } from './dry-run'
import type { BytesAnswer, CallBody, Endpoint, EstimateParts, StreamAnswer } from './endpoint'
import { openOutcome, type OutcomeParts } from './outcome'
import { relay, type RelayParts } from './relay'
import { checkOpen, checkStreaming } from './switches'
import { giveBack, type Taken } from './taken'

/** What a metered call needs of the rooms around it. */
export interface CallParts
  extends AdmitParts, DispatchParts, OutcomeParts, EstimateParts, AskerParts, RelayParts {
  readonly catalogue: Catalogue
  readonly ledger: Ledger
  readonly settings: Settings
  /** What it answers goes out together. */
  readonly turn: Turn
  /** The caller by now, other processes' changes included. @throws what `Identity.renew` throws */
  renew(caller: Caller): Caller
}

/**
 * The whole life of one metered call, straight on. Refusals before the key is known are thrown;
 * every later one is answered with the key's rate-limit headers.
 * @throws what `identify` throws
 */
export async function runCall<Body extends CallBody>(
  parts: CallParts,
  endpoint: Endpoint<Body>,
  inbound: Inbound,
): Promise<Response> {
  const caller = identify(parts, inbound)
  const taken: Taken = { seat: null, call: null }
  try {
    checkOpen(parts.settings)
    taken.seat = takeSeat(parts, caller)
    const body = await endpoint.read(inbound, caller.account.maxRequestKb * 1024)
    checkStreaming(parts.settings, body)
    const offer = offerFor(parts.catalogue, endpoint, body)
    checkModel(caller, offer.model)
    const estimate = endpoint.estimate(body, offer, parts)
    const amount = ceilingPrice(estimate.high, offer.rates)
    const asker = { caller, offer, inbound }
    const opening = openingOf(asker, endpoint.name, body.stream)
    const asked = askPartsOf(parts, asker)
    if (asksDryRun(inbound)) {
      const told = await dryRun(parts, endpoint, body, {
        asked,
        estimate,
        request: { caller, amount, opening },
      })
      taken.seat.release()
      return Response.json(told, { headers: keyedHeaders(parts, caller, inbound) })
    }
    const hold = parts.ledger.hold({ caller, amount, opening })
    const call = openOutcome(parts, { hold, seat: taken.seat, offer, opening, inbound })
    taken.call = call

    const { answer, route, abort } = await dispatch(parts, endpoint, body, asked)
    call.answered()
    const headers = keyedHeaders(parts, caller, inbound)
    if (answer.kind !== 'whole') {
      const renew = () => parts.renew(caller)
      const learn = () => endpoint.learn?.(body, offer, answer.usage(), parts.calibration)
      const budget = openBudget(hold, offer.rates, renew, growingIn(answer))
      const stream = relay(parts, { answer, route, call, budget, inbound, abort, learn })
      const own = answer.kind === 'stream' ? eventStreamHeaders : fileHeaders(answer, offer)
      return new Response(stream, { headers: { ...headers, ...own } })
    }
    // From here on nothing waits: what is charged goes out.
    await parts.turn.over()
    // Whole answers are all or nothing: to a client that has left nothing can be delivered.
    if (inbound.signal.aborted) throw new ClientLeft()
    const ended = { status: 'success', route, error: null, answer } as const
    const usage = answer.usage()
    const cost = call.charge(ended, usage)
    endpoint.learn?.(body, offer, usage, parts.calibration)
    headers['content-type'] = answer.contentType
    headers['x-cost-usd'] = showUsd(cost)
    return new Response(answer.body, { headers })
  } catch (thrown) {
    return refuse(parts, thrown, taken, { caller, endpoint: endpoint.name, inbound })
  }
}

const growingIn = (answer: StreamAnswer | BytesAnswer): GrowingMeter | null => {
  if (answer.kind === 'stream') return 'output'
  return answer.knownUsage === null ? 'output_audio' : null
}

const fileHeaders = ({ contentType, knownUsage }: BytesAnswer, { rates }: Offer) => ({
  'content-type': contentType,
  ...(knownUsage === null ? {} : { 'x-cost-usd': showUsd(price(knownUsage.units, rates)) }),
})

/** What the client asks for; where it leaves the choice to us, the first of its type on sale. */
const offerFor = <Body extends CallBody>(
  catalogue: Catalogue,
  { name, models }: Endpoint<Body>,
  { model }: Body,
): Offer =>
  model === null ? resolveFirst(catalogue, models) : resolve(catalogue, name, models, model)

/** Who is refused what. */
interface Refused {
  readonly caller: Caller
  readonly endpoint: EndpointName
  readonly inbound: Inbound
}

/** Gives back what was taken, and tells the client why. */
export function refuse(
  parts: CallParts,
  thrown: unknown,
  taken: Taken,
  { caller, endpoint, inbound }: Refused,
): Response {
  const { error, left } = giveBack(taken, thrown)
  if (!left) parts.observer.refused({ error, endpoint, held: taken.call !== null }, inbound)
  return refusalResponse(error, inbound, parts.limits.allowance(caller))
}

const keyedHeaders = (parts: CallParts, caller: Caller, inbound: Inbound) =>
  headersFor(inbound, parts.limits.allowance(caller))
