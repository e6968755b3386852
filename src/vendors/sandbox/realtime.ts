import type { ServerSocket, SocketRequest } from '../../domain/socket'
import { brokenClose } from '../../domain/socket'
import { openSocketInbox } from '../../domain/socket-inbox'
import { GatewayError } from '../../errors/gateway-error'
import { openConversation } from './realtime-conversation'

const interrupted = 'realtime-error-stream_interrupted'
/** Of the answer that breaks off: its beginning, and a word or two. */
const eventsBeforeCut = 6
/** What a frame that waits takes beside its letters. */
const frameBytes = 500

/**
 * A vendor's realtime channel inside the program: it hears sound, says again what it is told in words
 * and tones, and bills every turn. It takes nothing while its client does not read, and never more than
 * an event at a time: what it has not taken is `waiting`, so that whoever sends too much is held back.
 * @throws model_temporarily_unavailable for a model it has not
 */
export function connect({ url }: SocketRequest, model: string): ServerSocket {
  const asked = new URL(url).searchParams.get('model') ?? ''
  if (asked !== 'realtime' && asked !== interrupted)
    throw new GatewayError('model_temporarily_unavailable', { model })
  const inbox = openSocketInbox()
  const conversation = openConversation(asked)
  let untaken: string[] = []
  let untakenBytes = 0
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
  /** Between two events of an answer, so that whoever listens can interrupt. */
  const hearNext = () => {
    if (conversation.hasReplies()) return
    const frame = untaken.shift()
    if (frame === undefined) return
    untakenBytes -= frame.length + frameBytes
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
  const isIdle = () =>
    untaken.length === 0 && !conversation.hasReplies() && !conversation.isAnswering()
  /** One event at a time, each in a turn of the event loop. */
  const turn = () => {
    if (turning || paused || over || isIdle()) return
    turning = true
    setImmediate(() => {
      turning = false
      if (paused || over) return
      hearNext()
      sayNext()
      turn()
    })
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
