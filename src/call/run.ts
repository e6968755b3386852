import type { Offer } from '../catalogue/catalogue'
import type { Caller } from '../domain/caller'
import type { EndpointName } from '../domain/model'
import { showUsd } from '../domain/money'
import type { WriteBatcher } from '../net/write-batcher'
import { editMembers } from '../json/edit-members'
import { headersFor, refusalResponse } from '../http/refusal'
import type { Inbound } from '../http/inbound'
import { eventStreamHeaders } from '../http/sse'
import { price } from '../metering/price'
import { billedUnits } from '../metering/price-card'
import { identify } from './admit'
import { askPartsOf, type CallContextParts } from './call-context'
import { openBudget, type BudgetedCall, type GrowingMeter } from './budget'
import { ClientLeft } from '../outbound/client-left'
import { dispatch, routesOf, type Dispatched, type DispatchParts } from './dispatch'
import { anyPicture, asksDryRun, dryRun } from './dry-run'
import type { BytesAnswer, CallBody, Endpoint, StreamAnswer, WholeAnswer } from './endpoint'
import { affordable, askInTurn, type AskModel } from './fallbacks'
import type { Charge, OpenCall } from './outcome'
import { meteredAsking } from './metered-asking'
import { withCeiling } from './output-ceiling'
import { holdCall, prepareCall, type PreparedCall, type PrepareParts } from './prepare'
import { relay, type RelayParts } from './relay'
import { lookAgain, lookAgainDry } from './second-look'
import { giveBack, type Acquired } from './acquired'
import { checkRoutes, type FailedRoutes } from './try-routes'

/** Rooms that a metered call depends on. */
export interface CallParts extends PrepareParts, DispatchParts, CallContextParts, RelayParts {
  readonly settings: PrepareParts['settings']
  readonly ledger: PrepareParts['ledger']
  /** Batches the writes of one turn of the event loop. */
  readonly turn: WriteBatcher
  /** The caller by now, other processes' changes included. @throws what `Identity.renew` throws */
  renew(caller: Caller): Caller
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
    if (asksDryRun(inbound)) {
      const tried = await lookAgainDry(parts, endpoint, prepared)
      const report = await dryRun(parts, tried, checking(parts, endpoint))
      acquired.slot?.release()
      return Response.json(report, { headers: keyedHeaders(parts, caller, inbound) })
    }
    const call = await holdCall(parts, prepared, acquired)
    const { answering, dispatched } = isChoice
      ? await askChoices(parts, endpoint, prepared, call)
      : { answering: prepared, dispatched: await askModel(parts, endpoint, prepared, call, call) }
    const { answer, route } = dispatched
    call.answered()
    const headers: Record<string, string> = keyedHeaders(parts, caller, inbound)
    if (isChoice) headers['x-model'] = answering.offer.model.id
    if (dispatched.ignored !== undefined) headers['x-ignored-fields'] = namesOf(dispatched.ignored)
    if (answer.kind === 'stream' || answer.kind === 'bytes')
      return relayed(parts, endpoint, answering, { ...dispatched, answer, call, headers })
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

/** Names of members as a header has them: those that it can hold. */
const namesOf = (members: readonly string[]): string =>
  members
    .filter((name) => /^[\w.[\]-]{1,100}$/.test(name))
    .join(', ')
    .slice(0, maxNamesChars)

/*
 * Code of some calls alone stands in functions of its own: a closure costs each call that passes it, and so does
 * the scope that it is made in.
 */

/** Asks the vendors of one model. @param open told of routes that gave no answer */
const askModel = <Body extends CallBody>(
  parts: CallParts,
  endpoint: Endpoint<Body>,
  model: PreparedCall<Body>,
  call: OpenCall,
  open: FailedRoutes,
): Promise<Dispatched> =>
  call.hold.metered
    ? askMetered(parts, endpoint, model, call, open)
    : dispatch(parts, endpoint, model.body, askPartsOf(parts, model), open)

/** Asks the models that may answer, one after the other. */
const askChoices = <Body extends CallBody>(
  parts: CallParts,
  endpoint: Endpoint<Body>,
  prepared: PreparedCall<Body>,
  call: OpenCall,
) => {
  const ask: AskModel<Body> = (model, open) => askModel(parts, endpoint, model, call, open)
  return askInTurn({ endpoint, routeOrder: parts.routeOrder, open: call, ask }, prepared)
}

/** Asks the vendors of a model for an answer that ends where the money does. */
async function askMetered<Body extends CallBody>(
  parts: CallParts,
  endpoint: Endpoint<Body>,
  model: PreparedCall<Body>,
  call: OpenCall,
  open: FailedRoutes,
): Promise<Dispatched> {
  const renew = () => parts.renew(model.caller)
  const counted = await lookAgain(parts, endpoint, model, { hold: call.hold, renew })
  const budgeted = budgetedOf(counted, call)
  const budget = openBudget(budgeted, renew, 'output')
  const asking = meteredAsking(endpoint, counted, budgeted, budget)
  return await dispatch(parts, asking, model.body, askPartsOf(parts, model), open)
}

/** An answer that is passed on as it comes. */
interface RelayedAnswer extends Pick<Dispatched, 'route' | 'abort'> {
  readonly answer: StreamAnswer | BytesAnswer
  readonly call: OpenCall
  readonly headers: Readonly<Record<string, string>>
}

/** The client's response to it. */
function relayed<Body extends CallBody>(
  parts: CallParts,
  endpoint: Endpoint<Body>,
  answering: PreparedCall<Body>,
  { answer, route, abort, call, headers }: RelayedAnswer,
): Response {
  const { body, offer, caller, inbound } = answering
  const learn = () => endpoint.learn?.(body, offer, answer.usage(), parts.calibration)
  const renew = () => parts.renew(caller)
  const budget = openBudget(budgetedOf(answering, call), renew, growingIn(answer))
  const stream = relay(parts, { answer, route, call, budget, inbound, abort, learn })
  return new Response(stream, { headers: { ...headers, ...relayedHeaders(answer, offer) } })
}

const budgetedOf = <Body extends CallBody>(
  { offer, estimate }: PreparedCall<Body>,
  { hold }: OpenCall,
): BudgetedCall => ({
  hold,
  rates: offer.rates,
  ceiling: estimate.possible,
  prompts: estimate.prompts,
})

/** Whether a vendor of the model could be asked; no picture is fetched to learn that. */
const checking =
  <Body extends CallBody>(parts: CallParts, endpoint: Endpoint<Body>) =>
  (prepared: PreparedCall<Body>): Promise<void> => {
    const { body, offer } = prepared
    const call = { ...askPartsOf(parts, prepared), fetchPicture: anyPicture }
    const routes = routesOf(endpoint, body, call)
    return checkRoutes(parts, { routes, offer }, (target) => endpoint.ask(body, target, call))
  }

/** Body with the charged usage, where a vendor counted something else. */
function toldAs<Body extends CallBody>(
  { tellUsage }: Endpoint<Body>,
  body: WholeAnswer['body'],
  { isCut, usage }: Charge,
): WholeAnswer['body'] {
  if (!isCut || tellUsage === undefined || typeof body !== 'string') return body
  return editMembers(body, { set: { usage: tellUsage(usage) }, drop: [] })
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
  const { error, left } = giveBack(acquired, thrown)
  if (!left) {
    const held = acquired.call !== null
    parts.observer.refused({ error, caller, endpoint, held }, inbound)
  }
  return refusalResponse(error, inbound, parts.limits.allowance(caller))
}

const keyedHeaders = (parts: CallParts, caller: Caller, inbound: Inbound) =>
  headersFor(inbound, parts.limits.allowance(caller))
