import type { Usage } from '../../domain/usage'
import { readWebSearch } from '../../formats/chat/web-search'
import type { Target } from '../../vendors/vendor'
import type { Answer } from '../../call/endpoint'

/**
 * Whether an answer of a vendor of the reference format holds a search that is paid.
 * @param drop members of the body that do not go out
 */
export const searchesFor = (
  body: object,
  { sells }: Pick<Target, 'sells'>,
  drop: readonly string[],
): boolean =>
  sells('tool:web_search') && readWebSearch(body) !== null && !drop.includes('web_search_options')

/** Vendors of the reference format do not tell how often they searched: they bill it by the answer. */
export const withSearchFee = (answer: Answer): Answer => ({
  ...answer,
  usage: () => addSearch(answer.usage()),
  vendorAnswer: () => answer.vendorAnswer?.() ?? null,
})

const addSearch = (usage: Usage): Usage => ({
  ...usage,
  units: { ...usage.units, 'tool:web_search': 1 },
})
