import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { compactedText } from './compaction'
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
 * vendor found, sealed reasoning, tools that run there. Pictures and files in them are parts of a chat message.
 */
export function droppedParts({ system, messages, tools }: MessagesBody): readonly Fields[] {
  const out: Fields[] = []
  const look = (content: unknown) => {
    for (const block of listOf(content)) {
      if (!isFields(block)) continue
      if (compactedText(block) !== null) continue
      if (!translated.has(block['type'])) out.push(...withMedia(block))
      else if (block['type'] === 'tool_result') look(block['content'])
    }
  }
  look(system)
  for (const { content } of messages) look(content)
  for (const tool of tools ?? []) if (isHosted(tool)) out.push(tool)
  return out
}

const isHosted = ({ type }: Fields): boolean => (type ?? 'custom') !== 'custom'

/** Levels of a block that are searched for files: a page that was fetched has its file on the third. */
const maxDepth = 6

/**
 * A block, with its files apart: a page that was fetched is a PDF as base64 (`WebFetchBlockParam`, its
 * `Base64PDFSource`), which nobody reads as text.
 */
function withMedia(block: Fields): readonly Fields[] {
  const media: Fields[] = []
  const shown = withoutData(block, media, maxDepth)
  return media.length === 0 ? [block] : [...media, fieldsOf(shown)]
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
