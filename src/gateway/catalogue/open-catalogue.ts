import type { GroupId } from '../../domain/ids'
import { familyOf, type ModelEntry, type ModelFamily, type PriceCard } from '../../domain/model'
import { compileCard, missingPrices } from '../metering/price-card'
import { listedAs } from './aliases'
import type { Catalogue, CatalogueItem, FindFailing, Offer, SoldModels } from './catalogue'
import { withFallbacks } from './fallbacks'

/** An empty catalogue; `load` fills it. @param findFailing models for tests of clients, beside those loaded */
export function openCatalogue(findFailing: FindFailing = () => null): Catalogue {
  const everybody = openPrices(findFailing)
  let byGroup = new Map<GroupId, Prices>()
  return {
    onSale: () => everybody.onSale(),
    listed: () => everybody.listed(),
    find: (id, family) => everybody.find(id, family),
    of: (group) => (group === null ? everybody : (byGroup.get(group) ?? everybody)),
    load(entries, next = new Map(), groups = new Map()) {
      everybody.load(entries, next)
      byGroup = new Map(
        [...groups].map(([group, sale]) => {
          const prices = openPrices(findFailing)
          prices.load(
            entries.map((entry) => {
              const card = sale.cards.get(entry.id)
              return card === undefined ? entry : { ...entry, card }
            }),
            new Map([...next, ...sale.next]),
          )
          return [group, prices]
        }),
      )
    },
  }
}

/** A model that is said to reason is asked for an effort, unless its traits say otherwise. */
function thinking(entry: ModelEntry): ModelEntry {
  const { capabilities, traits } = entry
  if (capabilities.reasoning !== true || traits.reasoning !== undefined) return entry
  return { ...entry, traits: { ...traits, reasoning: true } }
}

interface Prices extends SoldModels {
  load(entries: readonly ModelEntry[], next: ReadonlyMap<string, PriceCard>): void
}

/** Models at one group's prices, or at everybody's. */
function openPrices(findFailing: FindFailing): Prices {
  let items = new Map<string, CatalogueItem>()
  let sale: readonly Offer[] = []
  let listed: readonly Offer[] = []
  /** Made when they are first asked for: there is one for each code, family and price. */
  let failing = new Map<string, CatalogueItem>()

  const findFailingItem = (id: string, family: ModelFamily | null): CatalogueItem | null => {
    const found = findFailing(id, family)
    const offer = found === null ? null : (items.get(found.like)?.offer ?? null)
    if (found === null || offer === null) return null
    let item = failing.get(found.id)
    if (item === undefined) {
      const description = `As ${found.like}, but for how it fails.`
      const routes = offer.routes.map((route) => ({ ...route, vendorModel: found.vendorModel }))
      const model = { ...offer.model, id: found.id, name: found.id, description, routes }
      const { refusal } = found
      item = { model, offer: { ...offer, model, routes, ...(refusal === null ? {} : { refusal }) } }
      failing.set(found.id, item)
    }
    return item
  }

  return {
    onSale: () => sale,
    listed: () => listed,
    find(id, family = null) {
      const own = items.get(id)
      if (own !== undefined && (own.offer !== null || own.model.status !== 'active')) return own
      return findFailingItem(id, family) ?? own ?? null
    },
    load(entries, next) {
      const alone = entries.map((entry) => {
        const model = thinking(entry)
        return { model, offer: offerOf(model, next.get(model.id)) }
      })
      const aloneById = byIds(alone)
      const known = alone.map((item) => withFallbacks(item, (id) => aloneById.get(id)))
      items = byIds(known)
      failing = new Map()
      const offers = known.flatMap(({ offer }) => offer ?? [])
      sale = offers.filter(({ shown }) => shown === undefined).sort(byId)
      listed = offers.flatMap((offer) => listedAs(offer.shown ?? offer)).sort(byId)
    },
  }
}

const byIds = (items: readonly CatalogueItem[]): Map<string, CatalogueItem> =>
  new Map(items.flatMap((item) => idsOf(item).map((id) => [id, item] as const)))

const idsOf = ({ model: { id, aliases = [] } }: CatalogueItem): readonly string[] => [
  id,
  ...aliases.map((alias) => alias.id),
]

const byId = (a: Offer, b: Offer): number => (a.model.id < b.model.id ? -1 : 1)

/** No complete card, no sale: never a silent zero. */
function offerOf(model: ModelEntry, next: PriceCard | undefined): Offer | null {
  const { card, routes, status, isFree } = model
  if (status !== 'active' || card === null || routes.length === 0) return null
  if (missingPrices(card, familyOf(model), isFree).length > 0) return null
  const offer = { model, card, rates: compileCard(card), routes }
  return next === undefined ? offer : { ...offer, next }
}
