import { foundNote, ranLine, sourceLine } from '../chat/found-note'
import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'

/**
 * What searches found for the answers of an input, on its way behind each of them and the results of its calls.
 */
interface FoundText {
  /** Takes what an item found or cites. */
  add(item: Fields): void
  /** The results of the answer's calls came: with the next item of a model it is over. */
  answered(): void
  /** An item of a model begins. @returns what was found for the answer before it, if that is over */
  begin(): string
  /** @returns what was found for the answer that is over; '' for nothing */
  end(): string
}

export function openFoundText(): FoundText {
  let found: string[] = []
  let urls = new Set<unknown>()
  let isOver = false
  const end = (): string => {
    const note = foundNote(found)
    found = []
    urls = new Set()
    isOver = false
    return note
  }
  return {
    add(item) {
      if (item['type'] === 'web_search_call') found.push(...searchLine(item))
      for (const source of sourcesIn(item)) {
        if (urls.has(source['url'])) continue
        urls.add(source['url'])
        found.push(...sourceLine({ title: source['title'], url: source['url'] }))
      }
    },
    answered: () => void (isOver = true),
    begin: () => (isOver ? end() : ''),
    end,
  }
}

/** openai/openai-node 7.59.0, `src/resources/responses/responses.ts` (`ResponseFunctionWebSearch`). */
function searchLine({ action }: Fields): readonly string[] {
  const { type = 'search', query, queries, url, pattern } = fieldsOf(action)
  const name = type === 'search' ? 'web_search' : type
  const asked = isText(query) ? query : listOf(queries).filter(isText).join(', ')
  return ranLine(name, { query: asked === '' ? undefined : asked, url, pattern })
}

/** Sources of a search, and pages that the parts of a message cite (`UrlCitationBody`). */
const sourcesIn = ({ action, content }: Fields): readonly Fields[] => [
  ...listOf(fieldsOf(action)['sources']).filter(isFields),
  ...listOf(content)
    .flatMap((part) => listOf(fieldsOf(part)['annotations']))
    .map(fieldsOf)
    .filter(({ type }) => type === 'url_citation'),
]
