import type { Usage } from '../../../domain/usage'
import { readWebSearch } from '../../formats/chat/web-search'
import { soldSearches, type ToolMeter } from '../../formats/hosted-tools'
import type { Target } from '../../vendors/vendor'
import type { Ask } from '../../call/endpoint'

/**
 * Meter of the searches that a chat body asks of a vendor that bills them by their size.
 * @returns null for a body without searches, or where none has a price
 */
export function searchMeter(body: object, { sells }: Pick<Target, 'sells'>): ToolMeter | null {
  const search = readWebSearch(body)
  return search === null ? null : (soldSearches(search.contextSize, sells)[0] ?? null)
}

/**
 * Meter of the search that an answer of a vendor of the reference format holds; null for none that is paid.
 * @param drop members of the body that do not go out
 */
export const searchFee = (
  body: object,
  target: Pick<Target, 'sells'>,
  drop: readonly string[],
): ToolMeter | null => (drop.includes('web_search_options') ? null : searchMeter(body, target))

/**
 * Most vendors of the reference format do not tell how often they searched: they bill it by the answer. One that
 * broke off, or that only calls tools, is none that was searched for.
 */
export const withSearchFee = (asking: Ask, meter: ToolMeter): Ask =>
  withUsage(asking, (usage, answer) => {
    const { 'tool:web_search': told, ...units } = usage.units
    const searches = told ?? (answer.hasText() ? 1 : 0)
    return searches === 0
      ? { ...usage, units }
      : { ...usage, units: { ...units, [meter]: searches } }
  })

/** Searches of a vendor that bills them by their size, which its answers do not tell. */
export const withSizedSearches = (asking: Ask, meter: ToolMeter): Ask =>
  withUsage(asking, (usage) => {
    const { 'tool:web_search': searches, ...units } = usage.units
    return searches === undefined ? usage : { ...usage, units: { ...units, [meter]: searches } }
  })

/** An answer as far as a search can be told from it. */
interface Searched {
  /** It holds text of its own, and did not break off. */
  hasText(): boolean
}

const withUsage = (asking: Ask, change: (usage: Usage, answer: Searched) => Usage): Ask => ({
  ...asking,
  async answer(...replies) {
    const answer = await asking.answer(...replies)
    let isBroken = false
    const hasText = () => !isBroken && (!('wrote' in answer) || answer.wrote())
    return {
      ...answer,
      usage: () => change(answer.usage(), { hasText }),
      vendorAnswer: () => answer.vendorAnswer?.() ?? null,
      broke: () => void (isBroken = true),
    }
  },
})
