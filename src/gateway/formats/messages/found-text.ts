import { foundNote, ranLine, sourceLine } from '../chat/found-note'
import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'
import type { MessagesBody } from './schema'

type Content = MessagesBody['messages'][number]['content']

/**
 * What a tool that ran at the vendor was asked for or found, as lines; none for another block.
 * @see anthropics/anthropic-sdk-typescript 1.14.0, `src/resources/messages/messages.ts`
 *   (`ServerToolUseBlockParam`, `WebSearchToolResultBlockParam`, `WebFetchToolResultBlockParam`,
 *   `ToolSearchToolResultBlockParam`)
 */
export function foundLines({ type, name, input, content }: Fields): readonly string[] {
  switch (type) {
    case 'server_tool_use':
      return ranLine(name, fieldsOf(input))
    case 'web_search_tool_result':
      if (Array.isArray(content)) return listOf(content).map(fieldsOf).flatMap(pageLine)
      return failureLine('web_search', content)
    case 'web_fetch_tool_result':
      return fetchedLines(fieldsOf(content))
    case 'tool_search_tool_result': {
      const names = listOf(fieldsOf(content)['tool_references']).map((each) =>
        String(fieldsOf(each)['tool_name']),
      )
      return names.length === 0
        ? failureLine('tool_search', content)
        : [`[tools found: ${names.join(', ')}]`]
    }
  }
  return []
}

const pageLine = ({ title, url, page_age: age }: Fields): readonly string[] =>
  sourceLine({ title, url, age })

function failureLine(tool: string, content: unknown): readonly string[] {
  const { error_code: code } = fieldsOf(content)
  return isText(code) ? [`[${tool} failed: ${code}]`] : []
}

function fetchedLines(fetched: Fields): readonly string[] {
  const { url, retrieved_at: age, content } = fetched
  if (!isText(url)) return failureLine('web_fetch', fetched)
  const { title, source } = fieldsOf(content)
  const page = pageText(fieldsOf(source))
  return [...sourceLine({ title, url, age }), page === '' ? '[a file, not shown here]' : page]
}

/** A file is no text, and many models take none: it stays with its address. */
function pageText({ type, data, content }: Fields): string {
  if (type === 'text') return isText(data) ? data : ''
  if (type !== 'content') return ''
  if (typeof content === 'string') return content
  return listOf(content)
    .map((block) => fieldsOf(block)['text'])
    .filter(isText)
    .join('\n')
}

/** What was found for an answer, and cited in it, as one text; '' for nothing. */
export function foundFor(content: Content): string {
  const blocks = listOf(content).filter(isFields)
  const found = blocks.flatMap(foundLines)
  const seen = new Set(
    blocks.flatMap(({ content: results }) => listOf(results).map((each) => fieldsOf(each)['url'])),
  )
  const cited = blocks
    .flatMap(({ citations }) => listOf(citations).map(fieldsOf))
    .filter(({ url }) => !seen.has(url))
  return foundNote([...found, ...cited.flatMap(pageLine)])
}

/** Content of the user's, behind what was found for the answer before it. */
export function withFound(found: string, content: Content): Content {
  if (found === '') return content
  if (typeof content === 'string') return content === '' ? found : `${found}\n\n${content}`
  const note: { type: string } & Fields = { type: 'text', text: found }
  return [note, ...content]
}
