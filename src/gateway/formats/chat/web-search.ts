import { fieldsOf, isCount, isFields, isText, listOf, type Fields } from '../../json/fields'

/**
 * A search of the web that the vendor may run for an answer.
 * @see openai/openai-openapi `CreateChatCompletionRequest`, 2.3.0 of 2026-08-21 (`web_search_options`);
 *   `filters` and `max_uses` are ours: the Responses and Messages formats have them
 */
export interface WebSearch {
  /** `low`, `medium` or `high`; null when the client does not say. */
  readonly contextSize: string | null
  /** Of `city`, `region`, `country` and `timezone` what is told; null for nowhere. */
  readonly location: Fields | null
  /** Null for the whole web. */
  readonly domains: readonly string[] | null
  /** Maximum number of searches. */
  readonly maxSearches: number
}

/** One request may run many searches; most run fewer. */
export const defaultSearches = 4

/** Maximum number of searches. @param requested by the client */
export const maxSearchesOf = (requested: unknown): number =>
  isCount(requested) && requested > 0 ? requested : defaultSearches

/** The pages that a search is kept to; null for the whole web. */
export function domainsOf({ allowed_domains: requested }: Fields): readonly string[] | null {
  const domains = listOf(requested).filter(isText)
  return domains.length > 0 ? domains : null
}

/** Web search requested by a chat body; null for none. */
export function readWebSearch(body: object): WebSearch | null {
  const { web_search_options: requested, max_tool_calls: most } = body as Fields
  if (!isFields(requested)) return null
  const { search_context_size: size, filters, max_uses: max } = requested
  const place = fieldsOf(requested['user_location'])
  return {
    contextSize: isText(size) ? size : null,
    location: locationOf(fieldsOf(place['approximate'])),
    domains: domainsOf(fieldsOf(filters)),
    maxSearches: maxSearchesOf(most ?? max),
  }
}

/** The member of a chat body that asks for it. */
export const webSearchMember = ({
  contextSize,
  location,
  domains,
  maxSearches,
}: WebSearch): Fields => ({
  ...(contextSize === null ? {} : { search_context_size: contextSize }),
  ...(location === null
    ? {}
    : { user_location: { type: 'approximate', approximate: { ...location } } }),
  ...(domains === null ? {} : { filters: { allowed_domains: domains } }),
  max_uses: maxSearches,
})

/** That member as vendors of the reference format know it: others buy another price (`search_type` of Perplexity). */
export function plainSearch(requested: unknown): unknown {
  if (!isFields(requested)) return requested
  const { search_context_size: size, user_location: location } = requested
  return {
    ...(size === undefined ? {} : { search_context_size: size }),
    ...(location === undefined ? {} : { user_location: location }),
  }
}

const places = ['city', 'region', 'country', 'timezone'] as const

/** Location of the client, as far as it says. */
export function locationOf(requested: Fields): Fields | null {
  const known = places.flatMap((name) => (isText(requested[name]) ? [[name, requested[name]]] : []))
  return known.length === 0 ? null : (Object.fromEntries(known) as Fields)
}
