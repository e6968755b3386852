import type { ServerSocket, SocketRequest } from '../../net/socket'
import { brokenClose } from '../../net/socket'
import { openSocketInbox } from '../../net/socket-inbox'
import { GatewayError } from '../../errors/gateway-error'
import { vendorFailure } from '../failure'
import { faults, isFault } from './faults'
import { openConversation } from './realtime-conversation'

const interrupted = 'error-stream_interrupted'
/** Of the answer that breaks off: its beginning, and a word or two. */
const eventsBeforeCut = 6
/** What a frame that waits takes beside its letters. */
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
export function connect({ url }: SocketRequest, model: string): ServerSocket {
  const asked = new URL(url).searchParams.get('model') ?? ''
  if (asked !== 'realtime' && asked !== interrupted) throw failureOf(asked, model)
  const inbox = openSocketInbox()
  const conversation = openConversation(asked)
  let untaken: string[] = []
  let untakenBytes = 0
  /** When all that was heard could have come, had it come slowly enough. */
  let heardUntil = 0
  let events = 0
  let ofAnswer = 0
  let paused = false
  let over = false
  let turning = false

  const close = (code: number, reason: string) => {
    if (over) return
    over = true
    untaken = []
    setImmediate(() => inbox.sink.closed(code, reason))
  }
  const deafMs = () => Math.ceil(heardUntil - performance.now()) - burstMs
  /** Between two events of an answer, so that whoever listens can interrupt. */
  const hearNext = () => {
    if (conversation.hasReplies() || deafMs() > 0) return
    const frame = untaken.shift()
    if (frame === undefined) return
    untakenBytes -= frame.length + frameBytes
    heardUntil = Math.max(heardUntil, performance.now()) + frame.length / hearsBytesPerMs
    conversation.hear(frame)
  }
  const sayNext = () => {
    const next = conversation.next()
    if (next === null) return
    if (next.ofAnswer && asked === interrupted && ++ofAnswer > eventsBeforeCut)
      return close(brokenClose, '')
    const { type, ...rest } = next.saying
    inbox.sink.frame(JSON.stringify({ type, event_id: `event_sandbox_${++events}`, ...rest }))
  }
  /** One event at a time, each in a turn of the event loop. */
  const turn = () => {
    if (turning || paused || over) return
    const speaks = conversation.hasReplies() || conversation.isAnswering()
    if (!speaks && untaken.length === 0) return
    turning = true
    const waitMs = speaks ? 0 : deafMs()
    if (waitMs > 0) setTimeout(takeTurn, waitMs)
    else setImmediate(takeTurn)
  }
  const takeTurn = () => {
    turning = false
    if (paused || over) return
    hearNext()
    sayNext()
    turn()
  }

  return {
    listen(sink) {
      inbox.listen(sink)
      turn()
    },
    send(frame) {
      if (over) return
      const text = String(frame)
      untaken.push(text)
      untakenBytes += text.length + frameBytes
      turn()
    },
    waiting: () => untakenBytes,
    pause: () => void (paused = true),
    resume() {
      paused = false
      turn()
    },
    ping: () => setImmediate(inbox.sink.pong),
    close,
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
