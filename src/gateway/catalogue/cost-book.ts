import type { Route } from '../../domain/model'
import { compileCard, type CompiledCard } from '../metering/price-card'
import { costKey, type CostCard, type CostPlace } from './cards'

/** A cost card as calls are priced by it. */
interface RouteRates {
  /** Number of the card, as records name it. */
  readonly card: number
  readonly rates: CompiledCard
}

/** Current costs of routes. Cards are compiled when a call first needs them. */
export interface CostBook {
  /** Null where nobody knows. */
  of(route: Pick<Route, 'vendor' | 'vendorModel'>): RouteRates | null
}

export function openCostBook(costs: ReadonlyMap<string, CostCard>): CostBook {
  const byVendor = new Map<string, Map<string, RouteRates | null>>()
  const compiled = (place: CostPlace): RouteRates | null => {
    const card = costs.get(costKey(place))
    return card === undefined || card.lines.length === 0
      ? null
      : { card: card.id, rates: compileCard(card) }
  }
  return {
    of(route) {
      let models = byVendor.get(route.vendor)
      if (models === undefined)
        byVendor.set(route.vendor, (models = new Map<string, RouteRates | null>()))
      let rates = models.get(route.vendorModel)
      if (rates === undefined) models.set(route.vendorModel, (rates = compiled(route)))
      return rates
    },
  }
}
