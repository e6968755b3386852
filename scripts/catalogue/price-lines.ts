import type { ModelFamily, ModelType, PriceLine } from '../../src/domain/model'
import { litellmPrices } from '../../src/business/pricing/sources/litellm'
import { modelsDevPrices } from '../../src/business/pricing/sources/models-dev'
import { portkeyPrices } from '../../src/business/pricing/sources/portkey'
import { rowOf, type Row } from '../../src/business/pricing/sources/rows'
import {
  basePrice,
  priceReported,
  pricesAboveZero,
} from '../../src/business/pricing/sources/told-price'

type Card = readonly PriceLine[]

/** The card of a row of the first source. */
export const litellmLines = (row: Row, family: ModelFamily): Card =>
  family === 'moderation'
    ? [{ meter: 'request', unit: 'each', price: '0' }]
    : pricesAboveZero(litellmPrices(row, family))

/** The card of a row of the second source. */
export const modelsDevLines = (fact: Row, family: ModelFamily = 'chat'): Card =>
  pricesAboveZero(modelsDevPrices(fact, family))

/** The card of a row of the third source. */
export const portkeyLines = (row: Row, family: ModelFamily = 'chat'): Card =>
  pricesAboveZero(portkeyPrices(row, family))

/**
 * Prices of a second by its size, where the third source tells that they differ: never less than the
 * first source's one price.
 */
export function videoLines(base: Card, row: Row): Card {
  const least = basePrice(base, 'video_second')
  const sized = portkeyLines(row, 'video').map((line) =>
    Number(least ?? 0) > Number(line.price) ? { ...line, price: least ?? line.price } : line,
  )
  return sized.every(({ price }) => price === least) ? base : sized
}

/** Price of calls of tools that a vendor runs, by its own price list, in dollars. */
const toolPrices = {
  anthropic: { web_search: '0.01' },
  openai: { web_search: '0.01', code_interpreter: '0.03' },
} as const

/** A model as far as it decides on what its vendor's tools cost. */
interface ToolSeller {
  readonly owner: string
  readonly vendorModel: string
  readonly type: ModelType
  readonly row: Row
  readonly reasons: boolean
}

/**
 * What calls of tools cost that the vendor runs, beside the tokens of an answer. Where a source says
 * which models have them the others get no price: coding clients offer a search to every model, and
 * one without it would refuse them.
 */
export function toolLines({ owner, vendorModel, type, row, reasons }: ToolSeller): Card {
  if (type !== 'chat') return []
  if (owner === 'anthropic') return eachOf(toolPrices.anthropic)
  if (owner === 'google') {
    // An alias moves on to models that are paid by the query; its price was one by the question.
    if (row['web_search_billing_unit'] !== 'per_query' && vendorModel.endsWith('-latest')) return []
    const told = rowOf(row['search_context_cost_per_query'])['search_context_size_medium']
    const price = Number(told) > 0 ? priceReported(told, 1) : null
    return price === null || price === undefined ? [] : eachOf({ web_search: price })
  }
  if (owner !== 'openai' || row['supports_web_search'] !== true) return []
  return eachOf({ ...toolPrices.openai, web_search_preview: reasons ? '0.01' : '0.025' })
}

const eachOf = (prices: Readonly<Record<string, string>>): Card =>
  Object.entries(prices).map(([tool, price]) => ({ meter: `tool:${tool}`, unit: 'each', price }))
