import { fieldsOf, listOf } from '../../json/fields'
import { compactedText } from './compaction'
import type { MessagesBody } from './schema'

type Role = MessagesBody['messages'][number]['role']

const shown = ['text', 'image', 'document', 'search_result', 'tool_reference'] as const

/** Blocks of each role that a chat body can hold. */
const translated: Readonly<Record<Role, ReadonlySet<unknown>>> = {
  user: new Set([...shown, 'tool_result']),
  assistant: new Set(['text', 'thinking', 'tool_use']),
  system: new Set(['text', 'tool_addition', 'tool_removal']),
}
const inResult: ReadonlySet<unknown> = new Set(shown)

/**
 * Blocks that are left out without harm. Sealed thinking can be read by its own vendor alone; what it
 * searched for stands, with its sources, in the text that follows; tools that were found are offered
 * by their definitions; who answered in whose place tells nothing to the next.
 */
const spent: ReadonlySet<unknown> = new Set([
  'redacted_thinking',
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'tool_search_tool_result',
  'fallback',
])

/** The reference format takes no more (openai/openai-openapi `StopConfiguration`). */
const maxStops = 4

/**
 * The member of a request that a chat body cannot say, and whose loss would change the answer: a block
 * of a type that is not translated, in its role, or more ends than there may be.
 * @returns null when there is none
 */
export function untranslatedIn({
  system,
  messages,
  stop_sequences: stops,
}: Pick<MessagesBody, 'system' | 'messages' | 'stop_sequences'>): string | null {
  if ((stops?.length ?? 0) > maxStops) return 'stop_sequences'
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
