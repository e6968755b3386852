import { domainsOf, locationOf, maxSearchesOf, type WebSearch } from '../chat/web-search'
import { fieldsOf, isCount, isFields, listOf, type Fields } from '../../json/fields'
import type { MessagesBody } from './schema'

/**
 * The search of the web that a client offers to the model; null for none. One that keeps pages out is
 * none: other vendors have no word for that, and would find them.
 */
export function offeredSearch({ tools }: MessagesBody): WebSearch | null {
  const tool: Fields | undefined = tools?.find(({ type }) => type?.startsWith('web_search_'))
  if (tool === undefined || listOf(tool['blocked_domains']).length > 0) return null
  return {
    contextSize: null,
    location: locationOf(fieldsOf(tool['user_location'])),
    domains: domainsOf(tool),
    maxSearches: maxSearchesOf(tool['max_uses']),
  }
}

/**
 * Stands for `encrypted_content` and `encrypted_index`: only the vendor whose search it was could seal it.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts`
 *   (`WebSearchResultBlock`,
 *   `CitationsWebSearchResultLocation`)
 */
const unsealed = ''

/**
 * Length of the excerpt in a citation, as in the vendor's own (docs.claude.com, "Web search tool", November 2026).
 * Another vendor may cite all of a long answer thousands of times.
 */
const maxCitedLength = 150

/**
 * A citation in the reference shape as one of this format; null for what is none of a page.
 * @param text what it cites from, where that is at hand
 */
export function citationBlock(annotation: Fields, text = ''): Fields | null {
  const { url, title, start_index: from, end_index: to } = fieldsOf(annotation['url_citation'])
  if (typeof url !== 'string') return null
  const isPlace = isCount(from) && isCount(to)
  const cited = isPlace ? text.slice(from, Math.min(to, from + maxCitedLength)) : ''
  return {
    type: 'web_search_result_location',
    url,
    title: typeof title === 'string' ? title : null,
    encrypted_index: unsealed,
    cited_text: cited,
  }
}

/**
 * Citations as results of a search, which is where clients of this format look for them.
 * @param id of the answer
 */
export function sourceBlocks(citations: readonly Fields[], id: string): readonly Fields[] {
  if (citations.length === 0) return []
  const use = `srvtoolu_${id.slice(-24)}`
  const pages = new Map(citations.map(({ url, title }) => [url, title]))
  const results = [...pages].map(([url, title]) => ({
    type: 'web_search_result',
    url,
    title,
    encrypted_content: unsealed,
    page_age: null,
  }))
  return [
    { type: 'server_tool_use', id: use, name: 'web_search', input: {} },
    { type: 'web_search_tool_result', tool_use_id: use, content: results },
  ]
}

/**
 * Sources of an answer that another vendor gave, which are refused where they are not sealed.
 * @returns the same blocks where there are none
 */
export function withoutUnsealed(content: readonly unknown[]): readonly unknown[] {
  const uses = new Set(content.flatMap((block) => (isUnsealed(block) ? [block.tool_use_id] : [])))
  const cited = content.some((block) => citesUnsealed(block))
  if (uses.size === 0 && !cited) return content
  return content
    .filter((block) => !isUnsealed(block) && !uses.has(fieldsOf(block)['id']))
    .map((block) => (citesUnsealed(block) ? { ...fieldsOf(block), citations: null } : block))
}

const isUnsealed = (block: unknown): block is { readonly tool_use_id: unknown } =>
  isFields(block) &&
  block['type'] === 'web_search_tool_result' &&
  listOf(block['content']).some((each) => fieldsOf(each)['encrypted_content'] === unsealed)

const citesUnsealed = (block: unknown): boolean =>
  isFields(block) &&
  block['type'] === 'text' &&
  listOf(block['citations']).some((each) => fieldsOf(each)['encrypted_index'] === unsealed)

/**
 * A citation of a page that a search found, in the reference shape; null for what chat knows no word
 * for.
 * @param from where the text that it stands for begins in the answer
 * @param to where that ends
 */
export function citationOf({ type, url, title }: Fields, from: number, to: number): Fields | null {
  if (type !== 'web_search_result_location' || typeof url !== 'string') return null
  const cited = { start_index: from, end_index: to, url, title: title ?? '' }
  return { type: 'url_citation', url_citation: cited }
}
