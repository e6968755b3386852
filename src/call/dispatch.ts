import type { Offer } from '../catalogue/catalogue'
import type { RouteOrder } from '../catalogue/route-order'
import type { Clock } from '../domain/clock'
import type { Route, VendorConfig } from '../domain/model'
import type { Meter } from '../domain/usage'
import { GatewayError, isGatewayError } from '../errors/gateway-error'
import type { CallObserver } from '../observability/call-observer'
import type { ByteSource } from '../outbound/reply'
import type { Target, Vendor, VendorRequest } from '../vendors/vendor'
import { ClientLeft } from './client-left'
import type { Answer, Ask, AskParts, Endpoint, CallBody } from './endpoint'
import type { Exchange, Send } from './send'

export interface DispatchParts {
  readonly vendors: Readonly<Record<string, Vendor>>
  /** Vendors as configured now, by name. */
  vendorConfig(name: string): VendorConfig | null
  readonly routeOrder: RouteOrder
  readonly send: Send
  readonly clock: Clock
  readonly observer: CallObserver
}

/** A vendor's answer, and who gave it. */
export interface Dispatched {
  readonly answer: Answer
  readonly route: Route
  abort(): void
}

/** What of an endpoint asks vendors. */
export type Asking<Body extends CallBody> = Pick<Endpoint<Body>, 'name' | 'ask' | 'routes'>

/** An error body longer than this tells nothing more. */
const failureBodyMaxBytes = 65_536

/**
 * Routes in order; the next one on a failure before an answer.
 * @throws the last vendor's failure | ClientLeft
 */
export async function dispatch<Body extends CallBody>(
  parts: DispatchParts,
  endpoint: Asking<Body>,
  body: Body,
  call: AskParts,
): Promise<Dispatched> {
  let failure: GatewayError | null = null
  let instead: Route | null = null
  for (const route of parts.routeOrder.order(routesOf(endpoint, body, call))) {
    const target = targetOf(parts, route, call.offer)
    if (target === null) continue
    const tried = { route, config: target.config, instead, began: parts.clock.now() }
    try {
      const dispatched = await attempt(parts, endpoint, body, target, call)
      parts.routeOrder.succeeded(route)
      parts.observer.attempted({ ...tried, failed: null, error: null }, call.inbound)
      return dispatched
    } catch (thrown) {
      const error = isGatewayError(thrown) ? thrown : null
      parts.observer.attempted({ ...tried, failed: parts.clock.now(), error }, call.inbound)
      if (error?.row.nextRoute !== true) throw thrown
      if (error.code !== 'endpoint_not_supported')
        parts.routeOrder.failed(route, error.retryAfterSeconds)
      failure = error
      instead = route
    }
  }
  throw failure ?? unavailable(call.offer)
}

/**
 * Whether there is a route that this body can be put to; none is asked.
 * @throws endpoint_not_supported | model_temporarily_unavailable
 */
export async function checkRoutes<Body extends CallBody>(
  parts: DispatchParts,
  endpoint: Asking<Body>,
  body: Body,
  call: AskParts,
): Promise<void> {
  let failure: GatewayError | null = null
  for (const route of routesOf(endpoint, body, call)) {
    const target = targetOf(parts, route, call.offer)
    if (target === null) continue
    try {
      await endpoint.ask(body, target, call)
      return
    } catch (thrown) {
      if (!isGatewayError(thrown) || thrown.row.nextRoute !== true) throw thrown
      failure = thrown
    }
  }
  throw failure ?? unavailable(call.offer)
}

const routesOf = <Body extends CallBody>(endpoint: Asking<Body>, body: Body, call: AskParts) =>
  endpoint.routes?.(body, call) ?? call.offer.routes

const unavailable = ({ model }: Offer) =>
  new GatewayError('model_temporarily_unavailable', { model: model.id })

/** Whom a route leads to; null while its vendor is off. */
export function targetOf(parts: DispatchParts, route: Route, offer: Offer): Target | null {
  const config = parts.vendorConfig(route.vendor)
  const vendor = config === null ? undefined : parts.vendors[config.kind]
  if (config === null || vendor === undefined || !config.active) return null
  const { traits, maxOutputTokens } = offer.model
  const sells = (meter: Meter) => offer.card.lines.some((line) => line.meter === meter)
  return { vendor, config, route, traits, maxOutputTokens, sells }
}

async function attempt<Body extends CallBody>(
  parts: DispatchParts,
  endpoint: Asking<Body>,
  body: Body,
  target: Target,
  call: AskParts,
): Promise<Dispatched> {
  const { inbound, offer } = call
  // What is no promise is not waited for: each wait is a turn of the queue and what it keeps.
  const asking = endpoint.ask(body, target, call)
  const ask = asking instanceof Promise ? await asking : asking
  const requests = requestsOf(ask)
  const { signal } = inbound
  const exchanges =
    requests === null
      ? [await parts.send(ask.request, target, signal, offer.model.id)]
      : await sendAll(requests, (each) => parts.send(each, target, signal, offer.model.id))
  const [first, ...more] = exchanges
  if (first === undefined) throw new Error('nothing was asked')
  const abort = () => exchanges.forEach((each) => each.abort())
  try {
    for (const exchange of exchanges)
      if (!exchange.reply.ok) throw await failureOf(exchange, target, offer.model.id)
    const replies = more.map(({ reply }) => reply)
    const answering = ask.answer(first.reply, replies)
    const answer = answering instanceof Promise ? await first.inTime(answering) : answering
    // Nobody may have listened yet: who left before the answer began pays nothing for it.
    if (signal.aborted) throw new ClientLeft()
    if (answer.kind === 'whole') for (const exchange of exchanges) exchange.done()
    return { answer, route: target.route, abort }
  } catch (thrown) {
    abort()
    if (signal.aborted) throw new ClientLeft()
    if (isGatewayError(thrown)) throw thrown
    // The connection broke, or what came is not the format: before an answer both are its failure.
    throw new GatewayError('upstream_error', { model: offer.model.id }, { cause: thrown })
  } finally {
    for (const { reply } of exchanges) reply.release()
  }
}

/** Null for the usual one. */
const requestsOf = ({ request, times, also }: Ask): readonly VendorRequest[] | null =>
  times === undefined && also === undefined
    ? null
    : [...Array.from({ length: times ?? 1 }, () => request), ...(also ?? [])]

/** Several requests at once: all are answered, or none is. */
async function sendAll(
  requests: readonly VendorRequest[],
  send: (request: VendorRequest) => Promise<Exchange>,
): Promise<readonly Exchange[]> {
  const sent = await Promise.allSettled(requests.map(send))
  const done = sent.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const failed = sent.find((each) => each.status === 'rejected')
  if (failed === undefined) return done
  for (const exchange of done) exchange.abort()
  throw failed.reason
}

async function failureOf(exchange: Exchange, target: Target, model: string): Promise<GatewayError> {
  const { status, headers, source } = exchange.reply
  const text = await exchange.inTime(readSome(source)).catch(() => '')
  return target.vendor.failure(status, headers, text, model)
}

async function readSome(source: ByteSource): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (let piece = await source.read(); piece !== null; piece = await source.read()) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > failureBodyMaxBytes) break
  }
  return text
}
