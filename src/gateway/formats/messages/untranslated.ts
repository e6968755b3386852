import { fieldsOf, isText, listOf, type Fields } from '../../json/fields'
import { hostedTool } from '../hosted-tools'
import { definitionOf } from './client-tools'
import { compactedText } from './compaction'
import { offeredTools } from './hosted-tools'
import { isVendorSearch, offeredNames } from './parse-tools'
import type { MessagesBody } from './schema'

type Role = MessagesBody['messages'][number]['role']

const shown = ['text', 'image', 'document', 'search_result', 'tool_reference'] as const

/** What tools at the vendor did, which is told as text. */
const ran = [
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'tool_search_tool_result',
] as const

/** Blocks of each role that a chat body can hold. */
const translated: Readonly<Record<Role, ReadonlySet<unknown>>> = {
  user: new Set([...shown, ...ran, 'tool_result']),
  assistant: new Set(['text', 'thinking', 'tool_use', ...ran]),
  system: new Set(['text', 'tool_addition', 'tool_removal']),
}
const inResult: ReadonlySet<unknown> = new Set([...shown, ...ran])

/**
 * Blocks that are left out without harm. Sealed thinking can be read by its own vendor alone; who answered
 * in whose place tells nothing to the next.
 */
const spent: ReadonlySet<unknown> = new Set(['redacted_thinking', 'fallback'])

/** The reference format takes no more (openai/openai-openapi `StopConfiguration`). */
const maxStops = 4

/**
 * The member of a request that a chat body cannot say, and whose loss would change the answer: a block
 * of a type that is not translated, in its role, a tool without a schema, a choice of none of the tools, or
 * more ends than there may be.
 * @returns null when there is none
 */
export function untranslatedIn(body: MessagesBody): string | null {
  const { system, messages, stop_sequences: stops } = body
  if ((stops?.length ?? 0) > maxStops) return 'stop_sequences'
  const tool = unsaidTool(body) ?? unsaidChoice(body)
  if (tool !== null) return tool
  const unsaid = unsaidIn(system, 'system', translated.system)
  if (unsaid !== null) return unsaid
  for (const [index, { role, content }] of messages.entries()) {
    const at = `messages[${index}].content`
    const block = unsaidIn(content, at, translated[role])
    if (block !== null) return block
  }
  return null
}

function unsaidIn(content: unknown, at: string, said: ReadonlySet<unknown>): string | null {
  for (const [index, block] of listOf(content).entries()) {
    const { type, content: inner } = fieldsOf(block)
    if (!said.has(type) && !spent.has(type) && compactedText(fieldsOf(block)) === null)
      return `${at}[${index}].type`
    if (type !== 'tool_result') continue
    const unsaid = unsaidIn(inner, `${at}[${index}].content`, inResult)
    if (unsaid !== null) return unsaid
  }
  return null
}

function unsaidTool(body: MessagesBody): string | null {
  if ((body.tools ?? null) === null && !body.messages.some(({ role }) => role === 'system'))
    return null
  const types = new Map<unknown, unknown>()
  for (const { tool: raw, param } of offeredTools(body)) {
    const tool = fieldsOf(raw)
    if (hostedTool(tool) !== null || isVendorSearch(tool)) continue
    const definition = definitionOf(tool)
    // An addition may only name a tool.
    if (definition === null && raw === undefined) continue
    if (definition === null) return param
    const at = param.slice(0, -'.type'.length)
    if (isForCode(tool)) return `${at}.allowed_callers`
    const type = tool['type'] ?? 'custom'
    if ((types.get(definition['name']) ?? type) !== type) return `${at}.name`
    types.set(definition['name'], type)
  }
  return null
}

/** Only code that runs at the vendor may call it, and never the model itself. */
function isForCode({ allowed_callers: callers }: Fields): boolean {
  const allowed = listOf(callers)
  return allowed.length > 0 && !allowed.includes('direct')
}

/** A choice of a tool that is not there; one that runs at the vendor may be left out. */
function unsaidChoice(body: MessagesBody): string | null {
  const { type, name } = fieldsOf(body.tool_choice)
  if (type !== 'tool' && type !== 'any') return null
  const hosted = offeredTools(body).filter(({ tool }) => hostedTool(tool) !== null)
  const names = [...offeredNames(body), ...hosted.map(({ tool }) => fieldsOf(tool)['name'])]
  if (type === 'any') return names.length === 0 ? 'tool_choice' : null
  return isText(name) && names.includes(name) ? null : 'tool_choice.name'
}
