import { knownMark, someMarked, withCacheMark } from '../chat/cache-marks'
import type { ChatBody } from '../chat/schema'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { textOf, wholeArguments } from '../chat/wire'
import { chatName, toolSearch } from './parse-tools'
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
  let thought = ''

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
  const call = (item: Fields, text: string) => {
    const message = assistant()
    think(message)
    const called = { name: chatName(item), arguments: text }
    const made = { id: String(item['call_id']), type: 'function', function: called }
    message.tool_calls = [...(message.tool_calls ?? []), made]
  }

  for (const item of input.filter(isFields))
    switch (item['type']) {
      case undefined:
      case 'message': {
        const message = messageOf(item)
        if (message === null) break
        if (message.role === 'assistant') think(message)
        messages.push(message)
        break
      }
      case 'reasoning':
        thought += thoughtOf(item)
        break
      case 'function_call':
        call(item, wholeArguments(item['arguments']))
        break
      case 'custom_tool_call':
        call(item, JSON.stringify({ input: textOf(item['input']) ?? '' }))
        break
      case 'tool_search_call':
        call({ ...item, name: toolSearch }, wholeArguments(item['arguments']))
        break
      case 'tool_search_output':
        messages.push({
          role: 'tool',
          tool_call_id: String(item['call_id']),
          content: foundIn(item),
        })
        break
      case 'function_call_output':
      case 'custom_tool_call_output':
        messages.push(...resultOf(item))
    }
  return messages.length > 0 ? messages : [{ role: 'user', content: '' }]
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

/** The tools themselves are offered from then on. */
function foundIn({ tools }: Fields): string {
  const names = listOf(tools)
    .filter(isFields)
    .flatMap(({ type, name, tools: inner }) =>
      type === 'namespace'
        ? listOf(inner).map((each) => chatName({ ...fieldsOf(each), namespace: name }))
        : [String(name)],
    )
  return names.length > 0 ? `loaded: ${names.join(', ')}` : 'nothing found'
}

/** A message of a tool holds nothing but text: pictures are shown by the user in its place. */
function resultOf({ call_id: id, output }: Fields): ChatMessage[] {
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
