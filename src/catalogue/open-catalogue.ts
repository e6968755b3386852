import { familyOf, type ModelEntry } from '../domain/model'
import { compileCard, missingPrices } from '../metering/price-card'
import type { Catalogue, CatalogueItem, Offer } from './catalogue'

/** An empty catalogue; `load` fills it. */
export function openCatalogue(): Catalogue {
  let items = new Map<string, CatalogueItem>()
  let sale: readonly Offer[] = []
  return {
    onSale: () => sale,
    find: (id) => items.get(id) ?? null,
    load(entries) {
      items = new Map(entries.map((model) => [model.id, { model, offer: offerOf(model) }]))
      sale = [...items.values()]
        .flatMap(({ offer }) => offer ?? [])
        .sort((a, b) => (a.model.id < b.model.id ? -1 : 1))
    },
  }
}

/** No complete card, no sale: never a silent zero. */
function offerOf(model: ModelEntry): Offer | null {
  const { card, routes, status, isFree } = model
  if (status !== 'active' || card === null || routes.length === 0) return null
  if (missingPrices(card, familyOf(model), isFree).length > 0) return null
  return { model, card, rates: compileCard(card), routes }
}
