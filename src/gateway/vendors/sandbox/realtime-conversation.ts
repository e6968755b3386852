import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { textOf } from '../../formats/chat/wire'
import { appendedAudio } from '../../formats/realtime/audio-append'
import { eventOf } from '../../formats/realtime/event-type'
import { openAnswer, type Answering, type Saying } from './realtime-answer'
import { openListener } from './realtime-listener'
import { maxMemoryChars, Memory } from './realtime-memory'

/** Longest event but for sound: what is longer would not be remembered. */
const maxEventChars = maxMemoryChars
/**
 * Longest piece of sound, 15 MiB before base64:
 * https://platform.openai.com/docs/api-reference/realtime-client-events, 2026-11-22.
 */
const maxSoundChars = 20_971_520
/** Longest session: its instructions and tools are read for every answer. */
const maxSessionChars = 131_072

/** Conversation of the sandbox, whatever carries it. It keeps no more than a model's context. */
export interface Conversation {
  /** Takes an event of the client. */
  hear(frame: string): void
  /** Whether replies are due before anything else is heard. */
  hasReplies(): boolean
  /** Whether an answer is under way. */
  isAnswering(): boolean
  /** Null while there is nothing to say, or nothing yet. */
  next(): { readonly saying: Saying; readonly ofAnswer: boolean } | null
}

export function openConversation(model: string): Conversation {
  const replies: Saying[] = [{ type: 'session.created', session: firstSession(model) }]
  let answer: Answering | null = null
  let answers = 0

  const say = (saying: Saying) => void replies.push(saying)
  const refuse: Refuse = (code, message, { event_id = null } = {}) =>
    say({
      type: 'error',
      error: { type: 'invalid_request_error', code, message, param: null, event_id },
    })
  const memory = new Memory()
  const acts: Acts = {
    ...openItemActs({ memory, say, refuse }),
    ...openSessionActs({
      memory,
      say,
      refuse,
      session: firstSession(model),
      respond(session, event) {
        if (answer !== null)
          return refuse(
            'conversation_already_has_active_response',
            'An answer is under way.',
            event,
          )
        answer = openAnswer(++answers, memory, session)
      },
    }),
    'response.cancel': (event) => {
      if (answer === null) refuse('response_cancel_not_active', 'Nothing is being said.', event)
      else answer.cancel()
    },
  }

  return {
    hear(frame) {
      const longest = appendedAudio(frame) === null ? maxEventChars : maxSoundChars
      if (frame.length > longest)
        return refuse('string_above_max_length', `At most ${longest} characters.`)
      const event = eventOf(frame, Infinity)
      if (event === null) return refuse('invalid_json', 'That is no event.')
      const type = String(event['type'])
      const act = Object.hasOwn(acts, type) ? acts[type] : undefined
      if (act === undefined) refuse('invalid_value', 'There is no such event.', event)
      else act(event)
    },
    hasReplies: () => replies.length > 0,
    isAnswering: () => answer !== null,
    next() {
      const reply = replies.shift()
      if (reply !== undefined) return { saying: reply, ofAnswer: false }
      const { done, value } = answer?.events.next() ?? {}
      if (done === true) answer = null
      if (typeof value !== 'object') return null
      if (value.type === 'response.done') {
        // Whoever hears this may ask for the next answer at once.
        answer = null
        say({ type: 'rate_limits.updated', rate_limits: [] })
      }
      return { saying: value, ofAnswer: true }
    },
  }
}

/** Handlers of events by type. */
type Acts = Readonly<Record<string, (event: Fields) => void>>

type Refuse = (code: string, message: string, event?: Fields) => void

interface ActParts {
  readonly memory: Memory
  say(saying: Saying): void
  readonly refuse: Refuse
}

interface SessionParts extends ActParts {
  /** As it begins. */
  readonly session: Fields
  /** Begins an answer, unless one is under way. */
  respond(session: Fields, event: Fields): void
}

/** The session, sound, and what begins an answer. */
function openSessionActs({ memory, say, refuse, session: first, respond }: SessionParts): Acts {
  let session = first
  const listener = openListener({
    say,
    memory,
    session: () => session,
    respond: () => respond(session, {}),
  })
  return {
    'session.update': (event) => {
      const updated = merged(session, fieldsOf(event['session']))
      if (JSON.stringify(updated).length > maxSessionChars)
        return refuse('session_too_large', `At most ${maxSessionChars} characters.`, event)
      session = updated
      say({ type: 'session.updated', session })
    },
    'input_audio_buffer.append': ({ audio }) => listener.append(textOf(audio) ?? ''),
    'input_audio_buffer.commit': (event) => {
      if (!listener.commit())
        refuse('input_audio_buffer_commit_empty', 'The buffer is empty.', event)
    },
    'input_audio_buffer.clear': listener.clear,
    'response.create': (event) => respond({ ...session, ...fieldsOf(event['response']) }, event),
  }
}

function openItemActs({ memory, say, refuse }: ActParts): Acts {
  return {
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
