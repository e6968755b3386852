import { fieldsOf, type Fields } from '../../json/fields'
import { asksCompaction } from './compaction-trigger'
import type { ResponsesBody } from './schema'

/** Item types that a chat body holds (openai/openai-openapi `InputItem`, 2.3.0 of 2026-08-21). */
const translated: ReadonlySet<unknown> = new Set([
  undefined,
  'message',
  'reasoning',
  'function_call',
  'custom_tool_call',
  'tool_search_call',
  'tool_search_output',
  'function_call_output',
  'custom_tool_call_output',
])

/** Tools of the client's own, as chat offers them too. */
const offered: ReadonlySet<unknown> = new Set(['function', 'custom', 'namespace', 'tool_search'])
const noTools: ReadonlySet<unknown> = new Set()

/**
 * Parts of a request that a chat body cannot hold, and a vendor of the format reads: what tools at the
 * vendor did and found, sealed reasoning, tools that run there.
 */
export function droppedParts({ input, tools }: ResponsesBody): readonly unknown[] {
  const out: unknown[] = []
  if (typeof input !== 'string')
    for (const item of input) {
      const { type, encrypted_content: sealed }: Fields = fieldsOf(item)
      if (!translated.has(type)) out.push(item)
      else if (typeof sealed === 'string') out.push(sealed)
    }
  // Of a compaction the chat body has no tools at all.
  const has = asksCompaction({ input }) ? noTools : offered
  for (const tool of tools ?? []) if (!has.has(tool.type)) out.push(tool)
  return out
}
