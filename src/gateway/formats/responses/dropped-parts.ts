import { fieldsOf, type Fields } from '../../json/fields'
import { formKindOf } from './client-tools'
import { requestsCompaction } from './compaction-trigger'
import { offeredTools } from './hosted-tools'
import type { ResponsesBody } from './schema'
import { partsOf, translatedItems } from './untranslated'

/** Tools of the client's own, as chat offers them too. */
const named: ReadonlySet<unknown> = new Set(['function', 'custom', 'namespace', 'tool_search'])

/**
 * Parts of a request that a chat body cannot hold, and a vendor of the format reads: what tools at the
 * vendor did and found, sealed reasoning, tools that run there. Pictures in them are parts of a chat message.
 */
export function droppedParts(body: ResponsesBody): readonly unknown[] {
  const { input } = body
  const out: unknown[] = []
  if (typeof input !== 'string')
    for (const item of input) {
      const { type = 'message', encrypted_content: sealed }: Fields = fieldsOf(item)
      if (!translatedItems.has(type) && !partsOf.has(type)) out.push(...withPicture(fieldsOf(item)))
      else if (typeof sealed === 'string') out.push(sealed)
    }
  // Of a compaction the chat body has no tools at all.
  const isToolless = requestsCompaction({ input })
  for (const { tool } of offeredTools(body)) {
    const known = fieldsOf(tool)
    if (isToolless || !(named.has(known['type']) || formKindOf(known) !== null)) out.push(tool)
  }
  return out
}

/**
 * An item, with its picture apart: one that was made (`ImageGenToolCall`), which has no head of a `data:` URL.
 */
function withPicture(item: Fields): readonly Fields[] {
  const { type, result } = item
  if (type === 'image_generation_call' && typeof result === 'string')
    return [picture(`data:image/png;base64,${result}`), { ...item, result: null }]
  return [item]
}

const picture = (url: string): Fields => ({ type: 'image_url', image_url: { url } })
