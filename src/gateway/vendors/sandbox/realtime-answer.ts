import type { Fields } from '../../json/fields'
import type { Memory } from './realtime-memory'
import { sandboxOutputTokens, toneFor } from './realtime-sound'
import type { ToolCall } from './tool-calls'
import { countSandboxTokens, piecesOf } from './tokens'

/** An event without its id. */
export type Saying = Fields & { readonly type: string }

/** One answer, event by event, in the order that the reference has; nothing while it is thought of. */
export interface Answering {
  readonly events: Iterator<Saying | void, void>
  /** Called off: the last events say so. */
  cancel(): void
}

interface Said {
  text: number
  audio: number
}

export function openAnswer(number: number, memory: Memory, session: Fields): Answering {
  const id = `resp_sandbox_${number}`
  const aloud = !Array.isArray(session['output_modalities'])
    ? true
    : session['output_modalities'].includes('audio')
  let cancelled = false
  return {
    events: events({ id, memory, session, aloud, isCancelled: () => cancelled }),
    cancel: () => void (cancelled = true),
  }
}

interface Speech {
  readonly id: string
  readonly memory: Memory
  readonly session: Fields
  readonly aloud: boolean
  isCancelled(): boolean
}

function* events(speech: Speech): Generator<Saying | void, void, void> {
  const { id, memory, session, isCancelled } = speech
  const about = {
    object: 'realtime.response',
    id,
    output_modalities: [speech.aloud ? 'audio' : 'text'],
  }
  yield { type: 'response.created', response: { ...about, status: 'in_progress', output: [] } }
  const { text, calls } = yield* memory.answer(session)
  const read = memory.read(session)
  const said: Said = { text: 0, audio: 0 }
  const output: Fields[] = []
  if (text !== '') output.push(yield* message(speech, text, said))
  for (const call of calls)
    if (!isCancelled()) output.push(yield* functionCall(speech, call, output.length, said))
  const status = isCancelled() ? 'cancelled' : 'completed'
  const details = isCancelled() ? { type: 'cancelled', reason: 'client_cancelled' } : null
  yield {
    type: 'response.done',
    response: { ...about, status, status_details: details, output, usage: usageOf(read, said) },
  }
}

function* message(speech: Speech, text: string, said: Said): Generator<Saying, Fields> {
  const { id, memory, aloud, isCancelled } = speech
  const begun = { type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  const previous = memory.lastId()
  const item = memory.add(begun)
  const at = { response_id: id, item_id: item['id'], output_index: 0, content_index: 0 }
  yield { type: 'response.output_item.added', response_id: id, output_index: 0, item }
  yield { type: 'conversation.item.added', previous_item_id: previous, item }
  const empty = aloud ? { type: 'audio', transcript: '' } : { type: 'text', text: '' }
  yield { type: 'response.content_part.added', ...at, part: empty }
  let spoken = ''
  for (const piece of piecesOf(text)) {
    if (isCancelled()) break
    spoken += piece
    said.text++
    if (!aloud) yield { type: 'response.output_text.delta', ...at, delta: piece }
    else {
      yield { type: 'response.output_audio_transcript.delta', ...at, delta: piece }
      const { base64, seconds } = toneFor(said.text - 1)
      said.audio += seconds
      yield { type: 'response.output_audio.delta', ...at, delta: base64 }
    }
  }
  if (aloud) {
    yield { type: 'response.output_audio.done', ...at }
    yield { type: 'response.output_audio_transcript.done', ...at, transcript: spoken }
  } else yield { type: 'response.output_text.done', ...at, text: spoken }
  const part = aloud
    ? { type: 'output_audio', transcript: spoken }
    : { type: 'output_text', text: spoken }
  yield { type: 'response.content_part.done', ...at, part }
  const status = isCancelled() ? 'incomplete' : 'completed'
  memory.change(item, { status, content: [part] })
  yield { type: 'response.output_item.done', response_id: id, output_index: 0, item }
  yield { type: 'conversation.item.done', previous_item_id: previous, item }
  return item
}

function* functionCall(
  { id, memory }: Speech,
  call: ToolCall,
  index: number,
  said: Said,
): Generator<Saying, Fields> {
  const { name, arguments: text } = call
  const previous = memory.lastId()
  const item = memory.add({
    type: 'function_call',
    name,
    call_id: `${call.id}_${id}`,
    arguments: '',
  })
  const at = { response_id: id, item_id: item['id'], output_index: index, call_id: item['call_id'] }
  yield { type: 'response.output_item.added', response_id: id, output_index: index, item }
  yield { type: 'conversation.item.added', previous_item_id: previous, item }
  said.text += countSandboxTokens(name) + countSandboxTokens(text)
  yield { type: 'response.function_call_arguments.delta', ...at, delta: text }
  yield { type: 'response.function_call_arguments.done', ...at, name, arguments: text }
  memory.change(item, { arguments: text })
  yield { type: 'response.output_item.done', response_id: id, output_index: index, item }
  yield { type: 'conversation.item.done', previous_item_id: previous, item }
  return item
}

/** Words are tokens here, and sound is counted as vendors count it. */
function usageOf({ text, audio }: ReturnType<Memory['read']>, said: Said): Fields {
  const spoken = sandboxOutputTokens(said.audio)
  const input = text.all + audio.all
  const output = said.text + spoken
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: {
      text_tokens: text.all,
      audio_tokens: audio.all,
      image_tokens: 0,
      cached_tokens: text.cached + audio.cached,
      cached_tokens_details: {
        text_tokens: text.cached,
        audio_tokens: audio.cached,
        image_tokens: 0,
      },
    },
    output_token_details: { text_tokens: said.text, audio_tokens: spoken },
  }
}
