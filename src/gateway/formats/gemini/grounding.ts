import type { Traits } from '../../../domain/model'
import { fieldsOf, isCount, listOf, type Fields } from '../../json/fields'

/**
 * Results of web searches for one candidate.
 * @see googleapis/js-genai `src/types.ts` of 2026-08-21 (`GroundingMetadata`)
 */
export interface Grounding {
  /** @param metadata of the candidate in one event; later ones replace what they repeat */
  add(metadata: Fields): void
  /** As the vendor bills them. */
  searches(): number
  /** Citations in the reference shape. @param text all of the answer */
  annotations(text: string): readonly Fields[]
}

/**
 * Opens the count of one candidate's searches. Models that think in tokens, or not at all (Gemini 2.x), are
 * billed by the prompt; all since then (3.x) by the query.
 * @see https://ai.google.dev/gemini-api/docs/pricing, September 2026
 */
export function openGrounding({ thinking, efforts }: Traits): Grounding {
  const byQuestion = thinking === 'budget' || efforts?.length === 0
  const queries = new Set<unknown>()
  let chunks: readonly unknown[] = []
  let supports: readonly unknown[] = []
  return {
    add(metadata) {
      for (const query of listOf(metadata['webSearchQueries'])) queries.add(query)
      const { groundingChunks, groundingSupports } = metadata
      if (Array.isArray(groundingChunks)) chunks = groundingChunks
      if (Array.isArray(groundingSupports)) supports = groundingSupports
    },
    searches: () => (byQuestion ? Math.min(1, queries.size) : queries.size),
    annotations(text) {
      const place = openPlaces(text)
      return supports.map(fieldsOf).flatMap(({ segment, groundingChunkIndices: sources }) => {
        const { startIndex, endIndex } = fieldsOf(segment)
        const span = { start_index: place(startIndex), end_index: place(endIndex) }
        return listOf(sources).flatMap((index) => {
          const { uri: url, title } = fieldsOf(fieldsOf(chunks[Number(index)])['web'])
          if (typeof url !== 'string') return []
          const cited = { ...span, url, title: typeof title === 'string' ? title : '' }
          return [{ type: 'url_citation', url_citation: cited }]
        })
      })
    },
  }
}

/** The vendor counts bytes of UTF-8 (`Segment`), clients count characters. */
function openPlaces(text: string): (bytes: unknown) => number {
  const encoded = new TextEncoder().encode(text)
  const decoder = new TextDecoder()
  return (bytes) => (isCount(bytes) ? decoder.decode(encoded.subarray(0, bytes)).length : 0)
}
