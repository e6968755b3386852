import type { Offer } from '../catalogue/catalogue'
import type { Caller } from '../../domain/caller'
import type { EndpointName } from '../../domain/model'
import { showUsd } from '../../domain/money'
import type { WriteBatcher } from '../net/write-batcher'
import { editMembers } from '../json/edit-members'
import { headersFor, refusalResponse } from '../http/refusal'
import type { Inbound } from '../http/inbound'
import { eventStreamHeaders } from '../http/sse'
import { price } from '../metering/price'
import { billedUnits } from '../metering/price-card'
import { identify } from './admit'
import {
  answeredBy,
  requestChoices,
  requestModel,
  budgetedOf,
  type ModelAnswer,
  type RequestModelParts,
} from './ask-models'
import { requestPartsOf } from './call-context'
import { openBudget, type GrowingMeter } from './budget'
import { ClientLeft } from '../outbound/client-left'
import type { Deadlines } from '../outbound/deadlines'
import { stopSending } from '../outbound/send'
import type { GatewayError } from '../../errors/gateway-error'
import type { ClientStream, Piece } from './client-stream'
import { routesOf, type Dispatched } from './dispatch'
import { anyPicture, requestsDryRun, dryRun } from './dry-run'
import { EarlyStream, isLate } from './early-stream'
import type { BytesAnswer, CallBody, Endpoint, StreamAnswer, WholeAnswer } from './endpoint'
import { affordable } from './fallbacks'
import type { Charge, MeteredCall } from './settlement'
import { withCeiling } from './output-ceiling'
import { holdCall, prepareCall, type PreparedCall, type PrepareParts } from './prepare'
import { relay, type RelayParts } from './relay'
import { recountPromptDry } from './recount'
import { giveBack, type Acquired } from './resources'
import { checkRoutes } from './try-routes'

/** Rooms that a metered call depends on. */
export interface CallParts extends RequestModelParts, RelayParts {
  readonly ledger: PrepareParts['ledger']
  /** Batches the writes of one turn of the event loop. */
  readonly turn: WriteBatcher
  readonly deadlines: Deadlines
}

/**
 * The whole life of one metered call. Refusals before the key is known are thrown; every later one is
 * answered with the key's rate-limit headers.
 * @param known its caller, where that was identified otherwise
 * @throws what `identify` throws
 */
export async function runCall<Body extends CallBody>(
  parts: CallParts,
  endpoint: Endpoint<Body>,
  inbound: Inbound,
  known?: Caller,
): Promise<Response> {
  const caller = known ?? (await identify(parts, inbound))
  const who = { caller, inbound }
  const acquired: Acquired = { slot: null, call: null }
  try {
    const named = await prepareCall(parts, endpoint, who, acquired)
    const isChoice = named.fallbacks !== undefined
    const prepared = isChoice ? await affordable(parts.ledger, named) : named
    if (requestsDryRun(inbound)) {
      const tried = await recountPromptDry(parts, endpoint, prepared)
      const report = await dryRun(parts, tried, checking(parts, endpoint))
      acquired.slot?.release()
      return Response.json(report, { headers: keyedHeaders(parts, caller, inbound) })
    }
    const call = await holdCall(parts, prepared, acquired)
    const asking = isChoice
      ? requestChoices(parts, endpoint, prepared, call)
      : requestModel(parts, endpoint, prepared, call, call)
    if (prepared.body.stream && endpoint.unanswered !== undefined)
      if (await isLate(parts.deadlines, inbound.arrived, asking))
        return answerLate(parts, endpoint, { prepared, asking, call, acquired })
    const { answering, dispatched } = answeredBy(await asking, prepared)
    const { answer, route, abort } = dispatched
    call.answered()
    const headers: Record<string, string> = keyedHeaders(parts, caller, inbound)
    if (isChoice) headers['x-model'] = answering.offer.model.id
    if (dispatched.ignored !== undefined) nameIgnored(headers, dispatched.ignored)
    if (answer.kind === 'stream' || answer.kind === 'bytes')
      return new Response(relayOf(parts, endpoint, answering, { answer, route, abort, call }), {
        headers: { ...headers, ...relayedHeaders(answer, answering.offer) },
      })
    // From here on only the charge is awaited before the answer goes out.
    await parts.turn.over()
    // Whole answers are all or nothing: to a client that has left nothing can be delivered.
    if (inbound.signal.aborted) {
      call.unanswered(route, answer.usage())
      throw new ClientLeft()
    }
    const ended = { status: 'success', route, error: null, answer } as const
    const charge = call.charge(ended, answer.usage())
    const { cost, usage } = charge
    await parts.ledger.spooled().catch((thrown: unknown) => {
      // An answer that could not be charged for good is none.
      call.hold.takeBack()
      throw thrown
    })
    endpoint.learn?.(answering.body, answering.offer, usage, parts.calibration)
    headers['content-type'] = answer.contentType
    headers['x-cost-usd'] = showUsd(cost)
    if (answer.kind === 'whole')
      return new Response(toldAs(endpoint, answer.body, charge), { headers })
    if (answer.stoppedBy !== null) headers['x-stopped-by'] = answer.stoppedBy
    return new Response(answer.body(usage, showUsd(cost)), { headers })
  } catch (thrown) {
    const refusal = withCeiling(thrown, endpoint.name)
    return refuse(parts, refusal, acquired, { caller, endpoint: endpoint.name, inbound })
  }
}

/** Longest list of names in a header; proxies refuse a head of more than some thousands. */
const maxNamesChars = 1000

/** Names members in a header: those that it can hold, as far as there is room. */
function nameIgnored(headers: Record<string, string>, members: readonly string[]): void {
  let names = ''
  for (const name of members) {
    if (!/^[\w.[\]-]{1,100}$/.test(name)) continue
    const longer = names === '' ? name : `${names}, ${name}`
    if (longer.length > maxNamesChars) break
    names = longer
  }
  if (names !== '') headers['x-ignored-fields'] = names
}

/*
 * Code of some calls alone stands in functions of its own: a closure costs each call that passes it, and so does
 * the scope that it is made in.
 */

/** A stream whose vendors have not answered yet. */
interface LateCall<Body extends CallBody> {
  readonly prepared: PreparedCall<Body>
  readonly asking: Promise<ModelAnswer<Body>>
  readonly call: MeteredCall
  readonly acquired: Acquired
}

/** Opens the client's stream, while vendors are still tried; what they say of the answer no header tells. */
function answerLate<Body extends CallBody>(
  parts: CallParts,
  endpoint: Endpoint<Body>,
  { prepared, asking, call, acquired }: LateCall<Body>,
): Response {
  const { caller, inbound, body } = prepared
  const unanswered = endpoint.unanswered?.(body, requestPartsOf(parts, prepared))
  if (unanswered === undefined) throw new Error('a stream that does not open early')
  const refused = { caller, endpoint: endpoint.name, inbound }
  const release = (thrown: unknown) => released(parts, thrown, acquired, refused)
  const stop = (error: GatewayError) => stopSending(parts.deadlines, inbound.requestId, error)
  const early = new EarlyStream(parts.streams, { inbound, unanswered, stop, release })
  const answered = (asked: ModelAnswer<Body>): void => {
    const { answering, dispatched } = answeredBy(asked, prepared)
    const { answer, route, abort } = dispatched
    const client = early.take()
    if (client === null) return abort()
    if (answer.kind !== 'stream') throw new Error('whole answer to a stream')
    call.answered()
    relayOf(parts, endpoint, answering, { answer, route, abort, call, early: client })
  }
  void asking.then(answered).catch((thrown: unknown) => early.fail(thrown))
  const headers = { ...keyedHeaders(parts, caller, inbound), ...eventStreamHeaders }
  return new Response(early.client.body, { headers })
}

/** An answer that is passed on as it comes. */
interface RelayedAnswer extends Pick<Dispatched, 'route' | 'abort'> {
  readonly answer: StreamAnswer | BytesAnswer
  readonly call: MeteredCall
  readonly early?: ClientStream
}

/** The stream of it that its client gets. */
function relayOf<Body extends CallBody>(
  parts: CallParts,
  endpoint: Endpoint<Body>,
  answering: PreparedCall<Body>,
  { answer, call, ...rest }: RelayedAnswer,
): ReadableStream<Piece> {
  const { body, offer, caller, inbound } = answering
  const learn = () => endpoint.learn?.(body, offer, answer.usage(), parts.calibration)
  const renew = () => parts.renew(caller)
  const budget = openBudget(budgetedOf(answering, call), renew, growingIn(answer))
  return relay(parts, { ...rest, answer, call, budget, inbound, learn })
}

/** Whether a vendor of the model could be asked; no picture is fetched to learn that. */
const checking =
  <Body extends CallBody>(parts: CallParts, endpoint: Endpoint<Body>) =>
  (prepared: PreparedCall<Body>): Promise<void> => {
    const { body, offer } = prepared
    const call = { ...requestPartsOf(parts, prepared), fetchPicture: anyPicture }
    const routes = routesOf(endpoint, body, call)
    return checkRoutes(parts, { routes, offer }, (target) => endpoint.ask(body, target, call))
  }

/** Body with the charged usage, where a vendor counted something else. */
function toldAs<Body extends CallBody>(
  { tellUsage: reportUsage }: Endpoint<Body>,
  body: WholeAnswer['body'],
  { isCut, usage }: Charge,
): WholeAnswer['body'] {
  if (!isCut || reportUsage === undefined || typeof body !== 'string') return body
  return editMembers(body, { set: { usage: reportUsage(usage) }, drop: [] })
}

const growingIn = (answer: StreamAnswer | BytesAnswer): GrowingMeter | null => {
  if (answer.kind === 'stream') return 'output'
  return answer.knownUsage === null ? 'output_audio' : null
}

const relayedHeaders = (answer: StreamAnswer | BytesAnswer, offer: Offer) =>
  answer.kind === 'stream' ? eventStreamHeaders : fileHeaders(answer, offer)

const fileHeaders = ({ contentType, knownUsage }: BytesAnswer, { rates }: Offer) => ({
  'content-type': contentType,
  ...(knownUsage === null
    ? {}
    : { 'x-cost-usd': showUsd(price(billedUnits(knownUsage.units, rates), rates)) }),
})

/** Recipient of a refusal. */
interface Refused {
  readonly caller: Caller
  readonly endpoint: EndpointName
  readonly inbound: Inbound
}

/** Releases the call's slot and hold, and answers the client with the error. */
export function refuse(
  parts: CallParts,
  thrown: unknown,
  acquired: Acquired,
  { caller, endpoint, inbound }: Refused,
): Response {
  const error = released(parts, thrown, acquired, { caller, endpoint, inbound })
  return refusalResponse(error, inbound, parts.limits.allowance(caller, inbound.address))
}

/** Releases the call's slot and hold. @returns the error for its client */
function released(
  { observer }: CallParts,
  thrown: unknown,
  acquired: Acquired,
  { caller, endpoint, inbound }: Refused,
): GatewayError {
  const { error, left } = giveBack(acquired, thrown)
  if (!left) {
    const held = acquired.call !== null
    observer.refused({ error, caller, endpoint, held }, inbound)
  }
  return error
}

const keyedHeaders = (parts: CallParts, caller: Caller, inbound: Inbound) =>
  headersFor(inbound, parts.limits.allowance(caller, inbound.address))
