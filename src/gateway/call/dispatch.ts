import type { AffinityKey } from '../catalogue/route-order'
import { maxAnswerBytes } from '../../domain/answer-ceilings'
import { MemoryBudgetExceeded } from '../../domain/memory-budget'
import type { EndpointName, Route } from '../../domain/model'
import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import type { ByteSource, Reply } from '../outbound/http1/reply'
import type { Target, VendorRequest } from '../vendors/vendor'
import { ClientLeft } from '../outbound/client-left'
import type { Answer, Ask, RequestParts, Endpoint, CallBody } from './endpoint'
import type { Exchange, Send } from '../outbound/send'
import { tryRoutes, type AttemptObserver, type RoutingParts, type Trial } from './try-routes'

/** Dependencies of asking vendors. */
export interface DispatchParts extends RoutingParts {
  readonly send: Send
}

/** A vendor's answer, and who gave it. */
export interface Dispatched {
  readonly answer: Answer
  readonly route: Route
  /** As of `VendorRequest`. */
  readonly ignored?: readonly string[]
  abort(): void
}

/** Part of an endpoint that asks vendors. */
export type Asking<Body extends CallBody> = Pick<
  Endpoint<Body>,
  'name' | 'ask' | 'routes' | 'isOrder' | 'beginning'
>

/**
 * Asks the vendors of a call until one answers, by retry and failover.
 * @param open told of routes that gave no answer
 * @throws what `tryRoutes` throws | ClientLeft
 */
export const dispatch = <Body extends CallBody>(
  parts: DispatchParts,
  endpoint: Asking<Body>,
  body: Body,
  call: RequestParts,
  open: AttemptObserver,
): Promise<Dispatched> => {
  const { offer, inbound } = call
  const { isOrder = false } = endpoint
  const routes = routesOf(endpoint, body, call)
  const likeness = routes.length < 2 ? null : likenessOf(endpoint, body, call)
  const project = cachesPrompts.has(endpoint.name) ? call.project : null
  const routed = { routes, offer, inbound, isOrder, open, likeness, project }
  return tryRoutes(parts, routed, (target, trial) =>
    attempt(parts, { endpoint, body, trial }, target, call),
  )
}

/** Calls of a project whose prompts begin alike are alike; null where there is no prompt. */
function likenessOf<Body extends CallBody>(
  { beginning }: Asking<Body>,
  body: Body,
  { project }: RequestParts,
): AffinityKey | null {
  const begins = beginning?.(body)
  return begins === undefined ? null : Bun.hash.wyhash(begins, BigInt(project))
}

/** Where vendors keep prompts and answers, each for the account of a credential. */
const cachesPrompts: ReadonlySet<EndpointName> = new Set<EndpointName>([
  'chat',
  'messages',
  'responses',
  'compact',
  'completions',
])

/** The routes of the offer that this body can go. */
export const routesOf = <Body extends CallBody>(
  endpoint: Asking<Body>,
  body: Body,
  call: RequestParts,
): readonly Route[] => endpoint.routes?.(body, call) ?? call.offer.routes

interface Attempt<Body extends CallBody> {
  readonly endpoint: Asking<Body>
  readonly body: Body
  readonly trial: Trial
}

async function attempt<Body extends CallBody>(
  parts: DispatchParts,
  { endpoint, body, trial }: Attempt<Body>,
  target: Target,
  call: RequestParts,
): Promise<Dispatched> {
  const ask = await endpoint.ask(body, target, call)
  trial.isAsked = true
  try {
    return await exchange(parts, ask, target, call)
  } catch (thrown) {
    if (!isGatewayError(thrown) || !thrown.sealRejected) throw thrown
    const again = await endpoint.ask(body, target, { ...call, withoutSealed: true })
    if (again.request.body === ask.request.body) throw thrown
    return await exchange(parts, again, target, call).catch((failed: unknown) => {
      // What it lacks now was in it before.
      throw isGatewayError(failed) && failed.code === thrown.code ? thrown : failed
    })
  }
}

/** One request of a call to one vendor, and its answer. */
async function exchange(
  parts: DispatchParts,
  ask: Ask,
  target: Target,
  call: RequestParts,
): Promise<Dispatched> {
  const { inbound, offer } = call
  const requests = requestsOf(ask)
  const { signal } = inbound
  const exchanges =
    requests === null
      ? [await parts.send(ask.request, target, signal, offer.model.id, inbound.requestId)]
      : await sendAll(parts, requests, target, call)
  const [first] = exchanges
  if (first === undefined) throw new Error('no vendor request')
  const abort = exchanges.length === 1 ? first.abort : abortOf(exchanges)
  try {
    for (const exchange of exchanges)
      if (!exchange.reply.ok) {
        const error = await failureOf(exchange, target, offer.model.id)
        throw exchanges.some(({ reply }) => reply.ok) ? partlyDone(error) : error
      }
    const replies = exchanges.length === 1 ? noReplies : exchanges.slice(1).map(replyOf)
    const answer = await first.inTime(ask.answer(first.reply, replies))
    // Nobody may have listened yet: a client that disconnected before the first byte is not charged.
    if (signal.aborted) throw new ClientLeft()
    if (answer.kind === 'collected') answer.release(abort)
    if (answer.kind === 'whole' || answer.kind === 'collected')
      for (const exchange of exchanges) exchange.done()
    const { ignored } = ask
    const dispatched = { answer, route: target.route, abort }
    return ignored === undefined ? dispatched : { ...dispatched, ignored }
  } catch (thrown) {
    abort()
    if (signal.aborted) throw new ClientLeft()
    if (isGatewayError(thrown)) throw thrown
    // A broken connection or a malformed answer: before any output both are the vendor's failure.
    const options = { fateUnknown: true, cause: thrown }
    // The vendor is well: this process has no memory for its answer.
    if (thrown instanceof MemoryBudgetExceeded) throw new GatewayError('gateway_error', {}, options)
    throw new GatewayError('upstream_error', { model: offer.model.id }, options)
  } finally {
    for (const { reply } of exchanges) reply.release()
  }
}

const noReplies: readonly Reply[] = []
const replyOf = ({ reply }: Exchange): Reply => reply

const abortOf = (exchanges: readonly Exchange[]) => () => {
  for (const exchange of exchanges) exchange.abort()
}

/** Null for the usual one. */
const requestsOf = (ask: Ask): readonly VendorRequest[] | null =>
  ask.times === undefined && ask.also === undefined ? null : severalOf(ask)

const severalOf = ({ request, times = 1, also = [] }: Ask): readonly VendorRequest[] => [
  ...Array.from({ length: times }, () => request),
  ...also,
]

/** Several requests at once: all are answered, or none is. */
async function sendAll(
  { send }: DispatchParts,
  requests: readonly VendorRequest[],
  target: Target,
  { inbound, offer }: RequestParts,
): Promise<readonly Exchange[]> {
  const { signal, requestId } = inbound
  const sent = await Promise.allSettled(
    requests.map((each) => send(each, target, signal, offer.model.id, requestId)),
  )
  const done = sent.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const failed = sent.find((each) => each.status === 'rejected')
  if (failed === undefined) return done
  for (const exchange of done) exchange.abort()
  const reason: unknown = failed.reason
  throw done.length > 0 && isGatewayError(reason) ? partlyDone(reason) : reason
}

/** Some of several requests were done: the vendor bills those. */
const partlyDone = ({ code, facts, param, retryAfterSeconds, headers, cause }: GatewayError) =>
  new GatewayError(code, facts, {
    ...(param === null ? {} : { param }),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    headers,
    cause,
    fateUnknown: true,
  })

async function failureOf(exchange: Exchange, target: Target, model: string): Promise<GatewayError> {
  const { status, headers, source } = exchange.reply
  const text = await exchange.inTime(readSome(source)).catch(() => '')
  return target.vendor.failure(status, headers, text, model)
}

/** The beginning of a body, as text. */
export async function readSome(source: ByteSource): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (let piece = await source.read(); piece !== null; piece = await source.read()) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > maxAnswerBytes('failure')) break
  }
  return text
}
