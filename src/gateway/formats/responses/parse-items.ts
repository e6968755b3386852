import { knownMark, someMarked, withCacheMark } from '../chat/cache-marks'
import type { ChatBody } from '../chat/schema'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { textOf } from '../chat/wire'
import { toolCallIn, toolOutputIn, type CallOutput } from './client-calls'
import { openFoundText } from './found-text'
import type { ResponsesBody } from './schema'

type ChatMessage = ChatBody['messages'][number]

/**
 * Items of an input as messages of chat. Calls that stand together, and what was said and thought
 * just before them, are one message of the assistant.
 * @see openai/openai-openapi `InputItem`, 2.3.0 of 2026-08-21
 */
export function parseItems(input: ResponsesBody['input']): ChatMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  const messages: ChatMessage[] = []
  const found = openFoundText()
  /** Ids of calls by those of their items. */
  const callIds = new Map<unknown, unknown>()
  let thought = ''

  const show = (note: string) => {
    if (note !== '') messages.push({ role: 'user', content: note })
  }
  /** The assistant's message that goes on with this item. */
  const assistant = (): ChatMessage & Fields => {
    const last = messages.at(-1)
    if (last?.role === 'assistant') return last
    const fresh: ChatMessage & Fields = { role: 'assistant', content: null }
    messages.push(fresh)
    return fresh
  }
  const think = (message: Fields) => {
    if (thought !== '')
      message['reasoning_content'] = `${textOf(message['reasoning_content']) ?? ''}${thought}`
    thought = ''
  }

  for (const item of input.filter(isFields)) {
    const { type = 'message', role, id, call_id: callId } = item
    const called = toolCallIn(item)
    const result = toolOutputIn(item, (each) => callIds.get(each) ?? each)
    const isAnswer = called !== null || answers.has(type) || role === 'assistant'
    if (isAnswer) show(found.begin())
    found.add(item)
    if (called !== null) {
      callIds.set(id, callId)
      const message = assistant()
      think(message)
      const made = { id: String(callId), type: 'function', function: called }
      // One list, which grows: a turn may have thousands.
      if (message.tool_calls) message.tool_calls.push(made)
      else message.tool_calls = [made]
    } else if (result !== null) {
      messages.push(...resultOf(result))
      found.answered()
    } else if (type === 'reasoning') thought += thoughtOf(item)
    else if (type === 'message') {
      const message = messageOf(item)
      if (message === null) continue
      if (message.role === 'assistant') think(message)
      messages.push(role === 'user' ? behind(found.end(), message) : message)
    }
  }
  show(found.end())
  return messages.length > 0 ? messages : [{ role: 'user', content: '' }]
}

/** Items of a model's answer besides its messages and calls. */
const answers: ReadonlySet<unknown> = new Set(['reasoning', 'web_search_call'])

/** A message of the user's behind what was found for the answer before it. */
function behind(note: string, message: ChatMessage): ChatMessage {
  const { content } = message
  if (note === '') return message
  return typeof content === 'string'
    ? { ...message, content: `${note}\n\n${content}` }
    : { ...message, content: [{ type: 'text', text: note }, ...listOf(content).filter(isFields)] }
}

function messageOf(item: Fields): ChatMessage | null {
  const role = String(item['role'])
  const { content } = item
  if (typeof content === 'string') return { role, content }
  const parts = listOf(content).filter(isFields).flatMap(partOf)
  const plain = parts.every(({ type }) => type === 'text')
  if ((!plain && role === 'user') || (plain && someMarked(parts))) return { role, content: parts }
  const text = parts.flatMap((part) => (part['type'] === 'text' ? [String(part['text'])] : []))
  return text.length === 0 && role !== 'user' ? null : { role, content: text.join('') }
}

/** A part with its mark of caches. */
const partOf = (part: Fields): Fields[] =>
  unmarkedPart(part).map((each) => withCacheMark(each, knownMark(part)))

function unmarkedPart(part: Fields): Fields[] {
  const { type, text, refusal, image_url: image, detail } = part
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return typeof text === 'string' ? [{ type: 'text', text }] : []
    case 'refusal':
      return typeof refusal === 'string' ? [{ type: 'text', text: refusal }] : []
    case 'input_image':
      return typeof image === 'string'
        ? [
            {
              type: 'image_url',
              image_url: { url: image, ...(typeof detail === 'string' ? { detail } : {}) },
            },
          ]
        : []
    case 'input_audio':
      return [{ type, input_audio: fieldsOf(part['input_audio']) }]
    case 'input_file': {
      const { file_data: data, file_url: url, filename } = part
      const file = { file_data: data ?? url, ...(typeof filename === 'string' ? { filename } : {}) }
      return [{ type: 'file', file }]
    }
  }
  return []
}

const thoughtOf = (item: Fields): string =>
  [...listOf(item['content']), ...listOf(item['summary'])]
    .map((part) => textOf(fieldsOf(part)['text']) ?? '')
    .join('\n\n')

/** A message of a tool holds nothing but text: pictures are shown by the user in its place. */
function resultOf({ call_id: id, output }: CallOutput): ChatMessage[] {
  if (typeof output === 'string')
    return [{ role: 'tool', tool_call_id: String(id), content: output }]
  const parts = listOf(output).filter(isFields).flatMap(partOf)
  const said = parts.filter(({ type }) => type === 'text')
  const media = parts.filter(({ type }) => type !== 'text')
  const text = said.map((part) => part['text']).join('\n')
  const marked = said.findLast((part) => knownMark(part) !== null)
  const content =
    marked === undefined ? text : [withCacheMark({ type: 'text', text }, knownMark(marked))]
  const result: ChatMessage = { role: 'tool', tool_call_id: String(id), content }
  return media.length === 0 ? [result] : [result, { role: 'user', content: media }]
}
