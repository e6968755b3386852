import MiniSearch from 'minisearch'
import { yieldToLoop } from '../domain/yield-to-loop'
import type { GuideLanguage } from '../guide/pages'
import { foldedText } from './folded-text'

/** A part of a page below one heading, as readers see it: no marks of Markdown. */
export interface GuideSection {
  readonly page: string
  readonly language: GuideLanguage
  readonly pageTitle: string
  readonly heading: string
  /** Of the heading in its page; null for what stands above the first one. */
  readonly anchor: string | null
  readonly text: string
}

/** A section that was found, and some words around the first of what was looked for. */
export interface GuideHit extends Omit<GuideSection, 'text'> {
  readonly excerpt: string
}

export interface GuideSearch {
  /** Best first, at most twenty. */
  find(query: string): readonly GuideHit[]
}

const maxHits = 20
const sectionsASlice = 8
/** Nobody types more; it bounds the work, which a stranger asks for: a hundred letters took 0.2 s. */
const maxQueryChars = 200
const maxWords = 8
/** A letter is the beginning of a tenth of all words. */
const minPrefixChars = 2
/** Between words, as the index has them. */
const betweenWords = /[\n\r\p{Z}\p{P}]+/u
const excerptChars = 160

/** Makes an index over sections, in memory and in slices: others have turns of the event loop meanwhile. */
export async function openGuideSearch(
  parts: Iterable<readonly GuideSection[]>,
): Promise<GuideSearch> {
  const sections: GuideSection[] = []
  const index = new MiniSearch<GuideSection & { readonly id: number }>({
    fields: ['heading', 'pageTitle', 'text'],
    processTerm: foldedText,
    searchOptions: {
      boost: { heading: 3, pageTitle: 2 },
      prefix: (term) => term.length >= minPrefixChars,
      fuzzy: (term) => (term.length > 5 ? 0.15 : false),
      combineWith: 'AND',
    },
  })
  for (const part of parts)
    for (const section of part) {
      index.add({ ...section, id: sections.length })
      sections.push(section)
      if (sections.length % sectionsASlice === 0) await yieldToLoop()
    }
  return {
    find(query) {
      const words = query.slice(0, maxQueryChars).split(betweenWords).map(foldedText)
      const asked = [...new Set(words)].filter((word) => word !== '').slice(0, maxWords)
      return index
        .search(asked.join(' '))
        .slice(0, maxHits)
        .flatMap(({ id, terms }) => {
          const section = sections[Number(id)]
          if (section === undefined) return []
          const { text, ...rest } = section
          return [{ ...rest, excerpt: excerptOf(text, terms) }]
        })
    },
  }
}

function excerptOf(text: string, terms: readonly string[]): string {
  const words = foldedText(text)
  const places = terms.map((term) => words.indexOf(term)).filter((place) => place >= 0)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const from = Math.max(0, text.lastIndexOf(' ', Math.max(0, first - excerptChars / 3)))
  const piece = text.slice(from, from + excerptChars).trim()
  return `${from > 0 ? '… ' : ''}${piece}${from + excerptChars < text.length ? ' …' : ''}`
}
