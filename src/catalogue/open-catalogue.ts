import { familyOf, type ModelEntry } from '../domain/model'
import { compileCard, missingPrices } from '../metering/price-card'
import { listedAs } from './aliases'
import type { Catalogue, CatalogueItem, Offer } from './catalogue'

/** An empty catalogue; `load` fills it. */
export function openCatalogue(): Catalogue {
  let items = new Map<string, CatalogueItem>()
  let sale: readonly Offer[] = []
  let listed: readonly Offer[] = []
  return {
    onSale: () => sale,
    listed: () => listed,
    find: (id) => items.get(id) ?? null,
    load(entries) {
      const known = entries.map((model) => ({ model, offer: offerOf(model) }))
      items = new Map(known.flatMap((item) => idsOf(item).map((id) => [id, item] as const)))
      sale = known.flatMap(({ offer }) => offer ?? []).sort(byId)
      listed = sale.flatMap(listedAs).sort(byId)
    },
  }
}

const idsOf = ({ model: { id, aliases = [] } }: CatalogueItem): readonly string[] => [
  id,
  ...aliases.map((alias) => alias.id),
]

const byId = (a: Offer, b: Offer): number => (a.model.id < b.model.id ? -1 : 1)

/** No complete card, no sale: never a silent zero. */
function offerOf(model: ModelEntry): Offer | null {
  const { card, routes, status, isFree } = model
  if (status !== 'active' || card === null || routes.length === 0) return null
  if (missingPrices(card, familyOf(model), isFree).length > 0) return null
  return { model, card, rates: compileCard(card), routes }
}
