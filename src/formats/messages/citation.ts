import type { Fields } from '../../json/fields'

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
