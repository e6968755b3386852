import { errorCode } from '../../domain/error-code'
import { ticksAfter, type Monotonic, type Ticks } from '../../domain/clock'
import type { RequestId } from '../../domain/ids'
import type { VendorConfig } from '../../domain/model'
import type { WriteBatcher } from '../net/write-batcher'
import { GatewayError } from '../../errors/gateway-error'
import { Attempt } from './http1/attempt'
import { decoded } from './http1/decode'
import { replyOfResponse } from './http1/fetch-reply'
import { readOrigin, type Origin } from './http1/origin'
import { openPool } from './http1/pool'
import type { Reply } from './http1/reply'
import { openRequestHead, type RequestHead } from './http1/request-head'
import { fetchBody, isStreamed } from './http1/stream-body'
import type { Target, Vendor, VendorRequest } from '../vendors/vendor'
import { ClientLeft } from './client-left'
import { Deadline, never, type Deadlines } from './deadlines'

/** One exchange with a vendor. */
export interface Exchange {
  readonly reply: Reply
  /** Ends the exchange: the vendor's connection is dropped at once. A function of its own: it may be handed on. */
  readonly abort: () => void
  /** Its answer is whole: there is nothing left to watch. One that is never told so is watched a while longer. */
  done(): void
  /** Ends it, whatever became of it: nothing of it is kept. */
  end(): void
  /**
   * Waits for the body no longer than the timeout of the whole exchange.
   * @throws upstream_unreachable | what `wait` throws
   */
  inTime<T>(wait: Promise<T>): Promise<T>
}

/**
 * Sends one vendor request and waits for its headers.
 * @param signal aborts when the client leaves; noticed by the next look at the deadlines, and at once
 *   from then on
 * @param call for which it is sent, so that it can be stopped
 * @throws upstream_unreachable | ClientLeft | what it is stopped by
 */
export type Send = (
  request: VendorRequest,
  target: Target,
  signal: AbortSignal,
  model: string,
  call?: RequestId,
) => Promise<Exchange>

interface SendParts {
  readonly monotonic: Monotonic
  readonly deadlines: Deadlines
  /** Vendors are reached through a proxy of the environment's: only `fetch` knows how. */
  readonly proxied: boolean
  /** Batches the writes of one turn of the event loop. */
  readonly turn: WriteBatcher
}

/** The only place that speaks to vendors. */
export function openSend({ monotonic, deadlines, proxied, turn }: SendParts): Send {
  const pool = openPool(monotonic, turn)
  const doors = new WeakMap<VendorConfig, Door>()

  const doorOf = ({ config, vendor }: Target): Door => {
    let door = doors.get(config)
    if (door === undefined) doors.set(config, (door = openDoor(config, vendor)))
    return door
  }

  const carry = (request: VendorRequest, target: Target, attempt: Attempt): Promise<Reply> => {
    if (proxied || target.config.transport === 'fetch' || target.vendor.fetch !== undefined)
      return fetched(request, target, attempt)
    const { method, path, base, contentType, body, headers } = request
    // Seldom, so that its door is opened each time.
    const door =
      base === undefined
        ? doorOf(target)
        : openDoor({ ...target.config, baseUrl: base }, target.vendor)
    const { origin, head } = door
    const contentBytes = lengthOf(body)
    const common = { method, path, contentType, contentBytes }
    const wire = {
      head: head(headers === undefined ? common : { ...common, fields: headers }),
      body,
      idempotent: method !== 'POST',
    }
    return pool.exchange(origin, wire, attempt)
  }

  return async (request, target, signal, model, call) => {
    const { timeoutMs = target.config.timeoutMs } = request
    const until = ticksAfter(monotonic.ticks(), timeoutMs)
    const sending = new Sending(deadlines, until, signal, model, call)
    if (signal.aborted) sending.abort()
    try {
      sending.answeredWith(decoded(await carry(request, target, sending.attempt)))
      return sending
    } catch (cause) {
      sending.abort()
      sending.done()
      if (sending.stopped !== null) throw sending.stopped
      if (signal.aborted && !sending.timedOut) throw new ClientLeft()
      throw sending.unreachable(cause)
    }
  }
}

/**
 * An exchange on its way, its own place among the deadlines: first until its head is there, then for
 * what somebody waits for. It listens for its client's leaving from the first look on: most are done
 * by then, and to listen costs as much as to send.
 */
class Sending extends Deadline implements Exchange {
  readonly attempt = new Attempt()
  readonly abort = this.attempt.callOff
  timedOut = false
  /** Why it was stopped. */
  stopped: GatewayError | null = null
  #listens = false
  #reply: Reply | null = null
  #tooLate: ((cause: GatewayError) => void) | null = null

  constructor(
    readonly deadlines: Deadlines,
    readonly until: Ticks,
    readonly signal: AbortSignal,
    readonly model: string,
    readonly call: RequestId | undefined,
  ) {
    super()
    deadlines.add(this, until)
  }

  get reply(): Reply {
    if (this.#reply === null) throw new Error('vendor reply missing')
    return this.#reply
  }

  answeredWith(reply: Reply): void {
    this.#reply = reply
    this.at = never
  }

  done(): void {
    this.deadlines.remove(this)
    if (this.#listens) this.signal.removeEventListener('abort', this.abort)
  }

  end(): void {
    this.abort()
    this.done()
    this.#reply?.release()
  }

  inTime<T>(wait: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#tooLate = reject
      this.deadlines.add(this, this.until)
      wait.then(
        (value) => resolve(this.#over(value)),
        (cause: unknown) => reject(this.#over(cause)),
      )
    })
  }

  #over<Outcome>(outcome: Outcome): Outcome {
    this.at = never
    return outcome
  }

  override lasts(): void {
    if (!this.#listens) {
      this.#listens = true
      if (this.signal.aborted) this.abort()
      else this.signal.addEventListener('abort', this.abort, { once: true })
    }
    if (this.at === never) this.deadlines.remove(this)
  }

  /** Failure of an exchange without an answer. */
  unreachable(cause?: unknown): GatewayError {
    const options = { fateUnknown: this.attempt.handed, cause }
    return new GatewayError('upstream_unreachable', { model: this.model }, options)
  }

  override expire(): void {
    this.timedOut = true
    this.#tooLate?.(this.unreachable())
    this.attempt.callOff()
  }

  stop(error: GatewayError): void {
    this.stopped = error
    this.#tooLate?.(error)
    this.attempt.callOff()
  }
}

/**
 * Calls off what a call waits for: heads of vendors, and answers until they begin. It fails by this error at once.
 * @returns false where it waits for none
 */
export function stopSending(
  deadlines: Pick<Deadlines, 'all'>,
  call: RequestId,
  error: GatewayError,
): boolean {
  const waiting = deadlines
    .all()
    .filter((each) => each instanceof Sending)
    .filter((each) => each.call === call && each.at !== never)
  for (const each of waiting) each.stop(error)
  return waiting.length > 0
}

const lengthOf = (body: VendorRequest['body']): number | null => {
  if (body === null) return null
  return isStreamed(body) ? body.bytes : Buffer.byteLength(body)
}

/** A vendor's origin, and the head that every request to it begins with. */
interface Door {
  readonly origin: Origin
  readonly head: RequestHead
}

// Compressed events would arrive in lumps (`identity`: RFC 9110, 12.5.3).
const commonFields = [
  ['accept', '*/*'],
  ['accept-encoding', 'identity'],
  ['user-agent', 'chapar'],
] as const

function openDoor(config: VendorConfig, vendor: Vendor): Door {
  const origin = readOrigin(config.baseUrl)
  return { origin, head: openRequestHead(origin, [...commonFields, ...signed(config, vendor)]) }
}

const signed = (config: VendorConfig, vendor: Vendor): readonly (readonly [string, string])[] =>
  config.credential === null ? [] : vendor.sign(config.credential, config)

async function fetched(
  request: VendorRequest,
  { config, vendor }: Target,
  attempt: Attempt,
): Promise<Reply> {
  const controller = new AbortController()
  const streamed = isStreamed(request.body) ? fetchBody(request.body) : null
  attempt.carriedBy(() => {
    controller.abort()
    streamed?.close()
  })
  const headers = Object.fromEntries([
    ...commonFields,
    ...signed(config, vendor),
    ...(request.headers ?? []),
  ])
  if (request.contentType !== null) headers['content-type'] = request.contentType
  // Without it a stream would go out in chunks, which some vendors do not take.
  if (isStreamed(request.body)) headers['content-length'] = String(request.body.bytes)
  const init = {
    method: request.method,
    headers,
    body: isStreamed(request.body) ? (streamed?.stream ?? null) : request.body,
    signal: controller.signal,
    // A redirect could carry the credential elsewhere.
    redirect: 'manual',
    // Bun would decode what we decode in bounded steps.
    decompress: false,
  } as const
  const url = (request.base ?? config.baseUrl) + request.path
  const { fetch: own } = vendor
  attempt.handed = true
  try {
    const answering = own === undefined ? fetch(url, init) : own(new Request(url, init))
    return replyOfResponse(await answering)
  } catch (thrown) {
    if (isUnsent(thrown)) attempt.handed = false
    throw thrown
  }
}

/** Codes with which `fetch` of this runtime fails before it has a connection. */
const unsentCodes: ReadonlySet<string | null> = new Set([
  'ConnectionRefused',
  'ECONNREFUSED',
  'FailedToOpenSocket',
  'ENOTFOUND',
  'DNSException',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

const isUnsent = (thrown: unknown): boolean => unsentCodes.has(errorCode(thrown))
