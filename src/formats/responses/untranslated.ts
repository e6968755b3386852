import { fieldsOf, listOf } from '../../json/fields'
import type { ResponsesBody } from './schema'

/** Parts of a user's message, and of a result of a tool, that a chat body can hold. */
const media: ReadonlySet<unknown> = new Set(['input_image', 'input_audio', 'input_file'])
const texts: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'text', 'refusal'])

/** Items (openai/openai-openapi `InputItem`) whose parts are checked, by the member that holds them. */
const partsOf: ReadonlyMap<unknown, 'content' | 'output'> = new Map([
  ['message', 'content'],
  ['function_call_output', 'output'],
  ['custom_tool_call_output', 'output'],
])

/** Items that a chat body holds, but for their parts. */
const translated: ReadonlySet<unknown> = new Set([
  'reasoning',
  'function_call',
  'custom_tool_call',
  'tool_search_call',
  'tool_search_output',
  // Ours, opened before; a vendor's own goes to that vendor alone.
  'compaction',
  'compaction_trigger',
])

/**
 * Items that are left out without harm: what a vendor searched for stands, with its sources, in the
 * answer that follows.
 */
const spent: ReadonlySet<unknown> = new Set(['web_search_call'])

/**
 * The member of an input that a chat body cannot say, and whose loss would change the conversation:
 * an item or part of a type that is not translated.
 * @returns null when there is none
 */
export function untranslatedIn({ input }: Pick<ResponsesBody, 'input'>): string | null {
  if (typeof input === 'string') return null
  for (const [index, raw] of input.entries()) {
    const item = fieldsOf(raw)
    const type = item['type'] ?? 'message'
    const name = partsOf.get(type)
    if (name === undefined) {
      if (translated.has(type) || spent.has(type)) continue
      return `input[${index}].type`
    }
    // A message of another role than the user's holds nothing but text in chat.
    const takesMedia = type !== 'message' || item['role'] === 'user'
    for (const [place, part] of listOf(item[name]).entries()) {
      const kind = fieldsOf(part)['type']
      if (!texts.has(kind) && !(takesMedia && media.has(kind)))
        return `input[${index}].${name}[${place}].type`
    }
  }
  return null
}
