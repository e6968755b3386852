import type { ModelEntry } from '../../domain/model'
import { costKey, nextCard, type CostCard, type SaleCard } from '../../gateway/catalogue/cards'
import { dearerThan, leastMargin, type Shortfall } from './shortfall'
import type { PriceState } from './contract'
import { pricedCatalogue } from './priced-catalogue'
import { catalogueOf, type ServiceParts } from '../data/service-parts'

/** Cost of one route to a model, beside the model's sale price. */
export interface RouteMargin {
  readonly vendor: string
  readonly vendorModel: string
  /** Null where nobody knows. */
  readonly cost: CostCard | null
  /** A cost that begins later. */
  readonly nextCost: CostCard | null
  /** The least that is earned on any price of this route, in percent of what it costs. */
  readonly marginPercent: string | null
  /** Prices that are below what this route costs. */
  readonly below: readonly Shortfall[]
}

/** Sale price and costs of a model. */
export interface ModelMargins {
  /** Null for a model that is sold by the prices it came with. */
  readonly sale: SaleCard | null
  /** A price that begins later. */
  readonly next: SaleCard | null
  /** All of them, in the order in which they were decided. */
  readonly cards: readonly SaleCard[]
  readonly routes: readonly RouteMargin[]
}

export function marginsOf(state: PriceState, entry: ModelEntry): ModelMargins {
  const cards = state.sale.get(entry.id) ?? []
  const lines = entry.card?.lines ?? []
  const sale = cards.find(({ version }) => version === entry.card?.version) ?? null
  return {
    sale,
    next: nextCard(cards, state.now, sale?.version),
    cards,
    routes: entry.routes.map(({ vendor, vendorModel }) => {
      const key = costKey({ vendor, vendorModel })
      const cost = state.costsNow.get(key) ?? null
      const last = state.costs.get(key) ?? null
      const nextCost =
        last !== null && last.validFrom > state.now && last.id !== cost?.id ? last : null
      return cost === null || cost.lines.length === 0
        ? { vendor, vendorModel, cost: null, nextCost, marginPercent: null, below: [] }
        : {
            vendor,
            vendorModel,
            cost,
            nextCost,
            marginPercent: leastMargin(lines, cost.lines),
            below: dearerThan(lines, cost.lines, entry),
          }
    }),
  }
}

/** Models on sale with a route that costs more than they are sold for. */
export async function soldBelowCost(parts: ServiceParts): Promise<readonly string[]> {
  const { entries, state } = await pricedCatalogue(await catalogueOf(parts))
  return entries
    .filter(({ status, card }) => status === 'active' && card !== null)
    .filter((entry) => marginsOf(state, entry).routes.some(({ below }) => below.length > 0))
    .map(({ id }) => id)
}
