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
 * vendor did and found, sealed reasoning, tools that run there. Pictures in them are parts of a chat message.
 */
export function droppedParts({ input, tools }: ResponsesBody): readonly unknown[] {
  const out: unknown[] = []
  if (typeof input !== 'string')
    for (const item of input) {
      const { type, encrypted_content: sealed }: Fields = fieldsOf(item)
      if (!translated.has(type)) out.push(...withPicture(fieldsOf(item)))
      else if (typeof sealed === 'string') out.push(sealed)
    }
  // Of a compaction the chat body has no tools at all.
  const has = asksCompaction({ input }) ? noTools : offered
  for (const tool of tools ?? []) if (!has.has(tool.type)) out.push(tool)
  return out
}

/**
 * An item, with its picture apart: a screen that a computer shows (`ComputerScreenshotImage`), or one that
 * was made (`ImageGenToolCall`), which has no head of a `data:` URL.
 */
function withPicture(item: Fields): readonly Fields[] {
  const { type, output, result } = item
  const { image_url: screen, ...shown } = fieldsOf(output)
  if (type === 'computer_call_output' && typeof screen === 'string')
    return [picture(screen), { ...item, output: shown }]
  if (type === 'image_generation_call' && typeof result === 'string')
    return [picture(`data:image/png;base64,${result}`), { ...item, result: null }]
  return [item]
}

const picture = (url: string): Fields => ({ type: 'image_url', image_url: { url } })
