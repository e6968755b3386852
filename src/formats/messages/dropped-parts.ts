import { isFields, listOf, type Fields } from '../../json/fields'
import type { MessagesBody } from './schema'

/**
 * Block types that a chat body holds; tool results nest them. Names as in `ContentBlockParam` of the SDK,
 * 1.11.0.
 */
const translated: ReadonlySet<unknown> = new Set([
  'text',
  'image',
  'document',
  'search_result',
  'tool_reference',
  'tool_use',
  'tool_result',
  'thinking',
])

/**
 * Parts of a request that a chat body cannot hold, and a vendor of the format reads: what tools at the
 * vendor found, sealed reasoning, tools that run there.
 */
export function droppedParts({ system, messages, tools }: MessagesBody): readonly Fields[] {
  const out: Fields[] = []
  const look = (content: unknown) => {
    for (const block of listOf(content)) {
      if (!isFields(block)) continue
      if (!translated.has(block['type'])) out.push(block)
      else if (block['type'] === 'tool_result') look(block['content'])
    }
  }
  look(system)
  for (const { content } of messages) look(content)
  for (const tool of tools ?? []) if (isHosted(tool)) out.push(tool)
  return out
}

const isHosted = ({ type }: Fields): boolean => (type ?? 'custom') !== 'custom'
