import type { Frame, ServerSocket, SocketRequest, SocketSink } from '../../net/socket'
import { brokenClose } from '../../net/socket'
import { openSocketInbox } from '../../net/socket-inbox'
import { GatewayError } from '../../../errors/gateway-error'
import { vendorFailure } from '../failure'
import { faults, isFault } from './faults'
import { openConversation, type Conversation } from './realtime-conversation'

const interrupted = 'error-stream_interrupted'
/** Of the answer that breaks off: its beginning, and a word or two. */
const eventsBeforeCut = 6
/** Overhead of a waiting frame, in bytes. */
const frameBytes = 500
/** How fast it listens: eighty times as fast as anybody speaks. What comes faster has to wait. */
const hearsBytesPerMs = 4000
/** So much may come at once. */
const burstMs = 50

/**
 * A vendor's realtime channel inside the program: it hears sound, says again what it is told in words
 * and tones, and bills every turn. It takes nothing while its client does not read, and never more than
 * an event at a time: what it has not taken is `waiting`, so that whoever sends too much is held back.
 * @throws what a model is called after that fails | model_temporarily_unavailable for one it has not
 */
export function connectSandbox({ url }: SocketRequest, model: string): ServerSocket {
  const asked = new URL(url).searchParams.get('model') ?? ''
  if (asked !== 'realtime' && asked !== interrupted) throw failureOf(asked, model)
  return new SandboxSocket(asked)
}

class SandboxSocket implements ServerSocket {
  readonly #model: string
  readonly #inbox = openSocketInbox({
    pause: () => void (this.#paused = true),
    resume: () => {
      this.#paused = false
      this.#turn()
    },
    terminate: () => this.close(brokenClose, ''),
  })
  readonly #conversation: Conversation
  #untaken: string[] = []
  #untakenBytes = 0
  /** When all that was heard could have come, had it come slowly enough. */
  #heardUntil = 0
  #events = 0
  #ofAnswer = 0
  #paused = false
  #over = false
  #turning = false

  constructor(model: string) {
    this.#model = model
    this.#conversation = openConversation(model)
  }

  listen(sink: SocketSink): void {
    this.#inbox.listen(sink)
    this.#turn()
  }

  send(frame: Frame): void {
    if (this.#over) return
    const text = String(frame)
    this.#untaken.push(text)
    this.#untakenBytes += text.length + frameBytes
    this.#turn()
  }

  /** A property, as callers hand it on alone. */
  readonly waiting = (): number => this.#untakenBytes

  pause(): void {
    this.#inbox.pause()
  }

  resume(): void {
    this.#inbox.resume()
  }

  ping(): void {
    setImmediate(this.#inbox.sink.pong)
  }

  close(code: number, reason: string): void {
    if (this.#over) return
    this.#over = true
    this.#untaken = []
    setImmediate(() => this.#inbox.sink.closed(code, reason))
  }

  /** One event at a time, each in a turn of the event loop. */
  #turn(): void {
    if (this.#turning || this.#paused || this.#over) return
    const speaks = this.#conversation.hasReplies() || this.#conversation.isAnswering()
    if (!speaks && this.#untaken.length === 0) return
    this.#turning = true
    const waitMs = speaks ? 0 : this.#deafMs()
    if (waitMs > 0) setTimeout(() => this.#takeTurn(), waitMs)
    else setImmediate(() => this.#takeTurn())
  }

  #takeTurn(): void {
    this.#turning = false
    if (this.#paused || this.#over) return
    this.#hearNext()
    this.#sayNext()
    this.#turn()
  }

  /** Between two events of an answer, so that whoever listens can interrupt. */
  #hearNext(): void {
    if (this.#conversation.hasReplies() || this.#deafMs() > 0) return
    const frame = this.#untaken.shift()
    if (frame === undefined) return
    this.#untakenBytes -= frame.length + frameBytes
    const now = performance.now()
    this.#heardUntil = Math.max(this.#heardUntil, now) + frame.length / hearsBytesPerMs
    this.#conversation.hear(frame)
  }

  #sayNext(): void {
    const next = this.#conversation.next()
    if (next === null) return
    if (next.ofAnswer && this.#model === interrupted && ++this.#ofAnswer > eventsBeforeCut)
      return this.close(brokenClose, '')
    const { type, ...rest } = next.saying
    const event_id = `event_sandbox_${++this.#events}`
    this.#inbox.sink.frame(JSON.stringify({ type, event_id, ...rest }))
  }

  #deafMs(): number {
    return Math.ceil(this.#heardUntil - performance.now()) - burstMs
  }
}

/** A channel that is not opened: a vendor's refusal in its own words, or none at all. */
function failureOf(asked: string, model: string): GatewayError {
  const fault = asked.replace(/^error-/, '')
  if (fault === 'upstream_unreachable' || fault === 'timeout')
    return new GatewayError('upstream_unreachable', { model })
  if (fault === asked || !isFault(fault))
    return new GatewayError('model_temporarily_unavailable', { model })
  const { status, type, code, message } = faults[fault]
  return vendorFailure(
    status,
    new Headers(),
    JSON.stringify({ error: { message, type, code } }),
    model,
  )
}
