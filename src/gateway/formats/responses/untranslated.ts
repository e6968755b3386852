import { fieldsOf, isText, listOf, type Fields } from '../../json/fields'
import { hostedTool } from '../hosted-tools'
import { formKindOf, formOf } from './client-tools'
import { offeredTools } from './hosted-tools'
import { chatName, missingChoice, toolSearch } from './parse-tools'
import type { ResponsesBody } from './schema'

/** Parts of a user's message, and of a result of a tool, that a chat body can hold. */
const media: ReadonlySet<unknown> = new Set(['input_image', 'input_audio', 'input_file'])
const texts: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'text', 'refusal'])

/** Items (openai/openai-openapi `InputItem`, 2.3.0 of 2026-08-21) whose parts are checked, by the member that holds them. */
export const partsOf: ReadonlyMap<unknown, 'content' | 'output'> = new Map([
  ['message', 'content'],
  ['function_call_output', 'output'],
  ['custom_tool_call_output', 'output'],
])

/** Items that a chat body holds, but for their parts; what tools at the vendor found as text. */
export const translatedItems: ReadonlySet<unknown> = new Set([
  'reasoning',
  'function_call',
  'custom_tool_call',
  'tool_search_call',
  'tool_search_output',
  'additional_tools',
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'computer_call',
  'computer_call_output',
  'web_search_call',
])

/** Compactions of ours, opened before; a vendor's own goes to that vendor alone. */
const compactions: ReadonlySet<unknown> = new Set(['compaction', 'compaction_trigger'])

/**
 * The member of a request that a chat body cannot say, and whose loss would change the answer: an item or
 * part of a type that is not translated, a tool whose calls could not be given back, or a choice of none of
 * the tools.
 * @returns null when there is none
 */
export const untranslatedIn = (body: ResponsesBody): string | null =>
  unsaidTool(body) ?? missingChoice(body) ?? unsaidItem(body.input)

function unsaidItem(input: ResponsesBody['input']): string | null {
  if (typeof input === 'string') return null
  for (const [index, raw] of input.entries()) {
    const item = fieldsOf(raw)
    const type = item['type'] ?? 'message'
    const name = partsOf.get(type)
    if (name === undefined) {
      if (!translatedItems.has(type) && !compactions.has(type)) return `input[${index}].type`
      if (type === 'computer_call_output' && !isText(fieldsOf(item['output'])['image_url']))
        return `input[${index}].output`
      continue
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

/** Types of tools that chat offers as functions, besides those whose calls have a form of their own. */
const named: ReadonlySet<unknown> = new Set(['function', 'custom'])

function unsaidTool(body: ResponsesBody): string | null {
  const kinds = new Map<string, string>()
  for (const { tool, param } of offeredTools(body)) {
    const unsaid = unsaidIn(fieldsOf(tool), param.slice(0, -'.type'.length), kinds, null)
    if (unsaid !== null) return unsaid
  }
  return null
}

/**
 * @param at the tool's place @param kinds the tools so far, by their names in chat
 * @param namespace that it is in
 */
function unsaidIn(
  tool: Fields,
  at: string,
  kinds: Map<string, string>,
  namespace: unknown,
): string | null {
  const { type, name } = tool
  if (hostedTool(tool) !== null) return null
  if (type === toolSearch)
    return tool['execution'] === 'client' ? clashIn(tool, at, kinds, namespace) : null
  if (type === 'namespace') {
    for (const [place, inner] of listOf(tool['tools']).entries()) {
      const unsaid = unsaidIn(fieldsOf(inner), `${at}.tools[${place}]`, kinds, name)
      if (unsaid !== null) return unsaid
    }
    return null
  }
  if (formKindOf(tool) === null && !named.has(type)) return `${at}.type`
  if (named.has(type) && !isText(name)) return `${at}.name`
  // Its result would come in a later request than the next.
  if (tool['async'] === true) return `${at}.async`
  const callers = listOf(tool['allowed_callers'])
  if (callers.length > 0 && !callers.includes('direct')) return `${at}.allowed_callers`
  return clashIn(tool, at, kinds, namespace)
}

/** Two tools of one name in chat: the calls of one would be given back as the other's. */
function clashIn(
  tool: Fields,
  at: string,
  kinds: Map<string, string>,
  namespace: unknown,
): string | null {
  const { type, name } = tool
  const kind = formKindOf(tool)
  const isNamed = named.has(type)
  const known = isNamed
    ? chatName({ name, namespace })
    : kind === null
      ? toolSearch
      : formOf(kind).name
  const identity = JSON.stringify([type, namespace, isNamed ? name : null])
  if ((kinds.get(known) ?? identity) !== identity) return isNamed ? `${at}.name` : `${at}.type`
  kinds.set(known, identity)
  return null
}
