import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'
import { definitionOf } from './client-tools'
import { compactedText } from './compaction'
import type { MessagesBody } from './schema'

/**
 * Block types that a chat body holds; tool results nest them. Names as in `ContentBlockParam` of the SDK,
 * 1.14.0. What a search found is held as text, but for what of it is sealed, and the files of pages.
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
  'server_tool_use',
  'tool_search_tool_result',
])

/**
 * Parts of a request that a chat body cannot hold, and a vendor of the format reads: what tools at the
 * vendor found and sealed, sealed reasoning, tools that run there. Pictures and files in them are parts of a
 * chat message.
 */
export function droppedParts({ system, messages, tools }: MessagesBody): readonly unknown[] {
  const out: unknown[] = []
  const look = (content: unknown) => {
    for (const block of listOf(content)) {
      if (!isFields(block)) continue
      if (compactedText(block) !== null) continue
      const { type, content } = block
      if (type === 'tool_result') look(content)
      else if (type === 'web_search_tool_result') out.push(...sealedIn(content))
      else if (type === 'web_fetch_tool_result') out.push(...splitMedia(block).media)
      else if (!translated.has(type)) out.push(...withMedia(block))
    }
  }
  look(system)
  for (const { content } of messages) look(content)
  for (const tool of tools ?? []) if (isHosted(tool)) out.push(tool)
  return out
}

const isHosted = (tool: Fields): boolean =>
  (tool['type'] ?? 'custom') !== 'custom' && definitionOf(tool) === null

const sealedIn = (results: unknown): readonly unknown[] =>
  listOf(results)
    .map((result) => fieldsOf(result)['encrypted_content'])
    .filter(isText)

/** Levels of a block that are searched for files: a page that was fetched has its file on the third. */
const maxDepth = 6

/**
 * A block, with its files apart: a page that was fetched is a PDF as base64 (`WebFetchBlockParam`, its
 * `Base64PDFSource`), which nobody reads as text.
 */
function withMedia(block: Fields): readonly Fields[] {
  const { media, rest } = splitMedia(block)
  return media.length === 0 ? [block] : [...media, rest]
}

function splitMedia(block: Fields): { readonly media: readonly Fields[]; readonly rest: Fields } {
  const media: Fields[] = []
  return { rest: fieldsOf(withoutData(block, media, maxDepth)), media }
}

/** @param media takes the files of the value */
function withoutData(value: unknown, media: Fields[], depth: number): unknown {
  if (depth === 0) return value
  if (Array.isArray(value)) return listOf(value).map((each) => withoutData(each, media, depth - 1))
  if (!isFields(value)) return value
  const { type, data, media_type: mediaType } = value
  if (type === 'base64' && typeof data === 'string') {
    media.push(mediaPart(mediaType, data))
    return { ...value, data: null }
  }
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([name, each]) => [name, withoutData(each, media, depth - 1)]),
  )
}

function mediaPart(mediaType: unknown, data: string): Fields {
  const url = `data:${String(mediaType)};base64,${data}`
  return typeof mediaType === 'string' && mediaType.startsWith('image/')
    ? { type: 'image_url', image_url: { url } }
    : { type: 'file', file: { file_data: url } }
}
