import type { ServerSocket, SocketRequest } from '../../domain/socket'
import { brokenClose } from '../../domain/socket'
import { openSocketInbox } from '../../domain/socket-inbox'
import { GatewayError } from '../../errors/gateway-error'
import { fieldsOf, isFields, listOf, textOf, type Fields } from '../../formats/chat/wire'
import { eventOf } from '../../formats/realtime/event-type'
import { openAnswer, type Answering, type Saying } from './realtime-answer'
import { openListener } from './realtime-listener'
import { openMemory } from './realtime-memory'

const interrupted = 'realtime-error-stream_interrupted'
/** Of the answer that breaks off: its beginning, and a word or two. */
const eventsBeforeCut = 6
/** So that a client that does not listen is held back here as anywhere. */
const usualEventBytes = 500

/**
 * A vendor's realtime channel inside the program: it hears sound, says again what it is told in words
 * and tones, and bills every turn.
 * @throws model_temporarily_unavailable for a model it has not
 */
export function connect({ url }: SocketRequest, model: string): ServerSocket {
  const asked = new URL(url).searchParams.get('model') ?? ''
  if (asked !== 'realtime' && asked !== interrupted)
    throw new GatewayError('model_temporarily_unavailable', { model })
  const inbox = openSocketInbox()
  const memory = openMemory()
  let session = firstSession(asked)
  /** What is to be said before the answer goes on. */
  const waiting: Saying[] = [{ type: 'session.created', session }]
  let answer: Answering | null = null
  let answers = 0
  let events = 0
  let ofAnswer = 0
  let paused = false
  let over = false
  let turning = false

  const close = (code: number, reason: string) => {
    if (over) return
    over = true
    setImmediate(() => inbox.sink.closed(code, reason))
  }
  const next = (): Saying | null => {
    const first = waiting.shift()
    if (first !== undefined) return first
    const { done, value } = answer?.events.next() ?? { done: true, value: undefined }
    if (done === true || value === undefined) {
      answer = null
      return null
    }
    if (asked === interrupted && ++ofAnswer > eventsBeforeCut) {
      close(brokenClose, '')
      return null
    }
    if (value.type === 'response.done') {
      // Whoever hears this may ask for the next answer at once.
      answer = null
      waiting.push({ type: 'rate_limits.updated', rate_limits: [] })
    }
    return value
  }
  /** One event at a time, so that whoever listens can interrupt. */
  const turn = () => {
    if (turning || paused || over) return
    turning = true
    setImmediate(() => {
      turning = false
      if (paused || over) return
      const saying = next()
      if (saying === null) return
      const { type, ...rest } = saying
      const event_id = `event_sandbox_${++events}`
      inbox.sink.frame(JSON.stringify({ type, event_id, ...rest }))
      turn()
    })
  }
  const say = (saying: Saying) => {
    waiting.push(saying)
    turn()
  }
  const refuse = (code: string, message: string, { event_id }: Fields) =>
    say({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        code,
        message,
        param: null,
        event_id: event_id ?? null,
      },
    })

  const listener = openListener({ say, memory, session: () => session, respond: () => respond({}) })

  const respond = (event: Fields) => {
    if (answer !== null)
      return refuse('conversation_already_has_active_response', 'An answer is under way.', event)
    answer = openAnswer(++answers, memory, { ...session, ...fieldsOf(event['response']) })
    turn()
  }

  const hear: Readonly<Record<string, (event: Fields) => void>> = {
    'session.update': (event) => {
      session = merged(session, fieldsOf(event['session']))
      say({ type: 'session.updated', session })
    },
    'input_audio_buffer.append': ({ audio }) => listener.append(textOf(audio) ?? ''),
    'input_audio_buffer.commit': (event) => {
      if (!listener.commit())
        refuse('input_audio_buffer_commit_empty', 'The buffer is empty.', event)
    },
    'input_audio_buffer.clear': listener.clear,
    'conversation.item.create': (event) => {
      const previous = memory.lastId()
      const item = memory.add(fieldsOf(event['item']))
      say({ type: 'conversation.item.added', previous_item_id: previous, item })
      say({ type: 'conversation.item.done', previous_item_id: previous, item })
    },
    'conversation.item.retrieve': (event) => {
      const item = memory.find(event['item_id'])
      if (item === null) refuse('item_not_found', 'There is no such item.', event)
      else say({ type: 'conversation.item.retrieved', item })
    },
    'conversation.item.delete': (event) => {
      const { item_id } = event
      if (memory.remove(item_id)) say({ type: 'conversation.item.deleted', item_id })
      else refuse('item_not_found', 'There is no such item.', event)
    },
    'conversation.item.truncate': ({ item_id, content_index, audio_end_ms }) =>
      say({ type: 'conversation.item.truncated', item_id, content_index, audio_end_ms }),
    'response.create': respond,
    'response.cancel': (event) => {
      if (answer === null) refuse('response_cancel_not_active', 'Nothing is being said.', event)
      else answer.cancel()
    },
  }

  return {
    listen(sink) {
      inbox.listen(sink)
      turn()
    },
    send(frame) {
      if (over) return
      const event = eventOf(String(frame))
      if (event === null) return refuse('invalid_json', 'That is no event.', {})
      const type = String(event['type'])
      const act = Object.hasOwn(hear, type) ? hear[type] : undefined
      if (act === undefined) refuse('invalid_value', 'There is no such event.', event)
      else act(event)
    },
    waiting: () => waiting.length * usualEventBytes,
    pause: () => void (paused = true),
    resume() {
      paused = false
      turn()
    },
    ping: () => setImmediate(inbox.sink.pong),
    close,
  }
}

const firstSession = (model: string): Fields => ({
  type: 'realtime',
  object: 'realtime.session',
  id: 'sess_sandbox',
  model,
  output_modalities: ['audio'],
  instructions: '',
  tools: [],
  tool_choice: 'auto',
  max_output_tokens: 'inf',
  audio: {
    input: {
      format: { type: 'audio/pcm', rate: 24_000 },
      transcription: null,
      turn_detection: { type: 'server_vad', silence_duration_ms: 500, create_response: true },
    },
    output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'tone', speed: 1 },
  },
})

/** Objects are filled in, everything else is replaced. */
function merged(old: Fields, change: Fields): Fields {
  const result = { ...old }
  for (const [name, value] of Object.entries(change)) {
    const before = result[name]
    result[name] =
      isFields(before) && isFields(value) && listOf(before).length === 0
        ? merged(before, value)
        : value
  }
  return result
}
