import { pricedCatalogue, settlePrices } from '../admin/priced-catalogue'
import { catalogueOf } from '../admin/service-parts'
import type { Catalogue } from '../catalogue/catalogue'
import type { CostBook } from '../catalogue/cost-book'
import type { ModelViews } from '../catalogue/view'
import type { Ms } from '../domain/clock'
import type { VendorConfig } from '../domain/model'
import type { Storage } from '../storage/storage'
import type { Discovery } from '../vendors/discover'

/** The catalogue of a serving gateway, as what is kept and found makes it. */
export interface LiveCatalogue {
  /** Takes in everything anew. */
  reload(): void
  /** Takes in what was changed since, by whatever process. */
  refresh(): void
  /** Takes in a price that was approved for later and has begun by now. */
  advance(now: Ms): void
  /** Vendors as configured now. */
  vendors(): ReadonlyMap<string, VendorConfig>
  /** What routes cost by now. */
  readonly costs: CostBook
}

/** @throws what the database throws: a price that is not on record could not be explained later */
export function openLiveCatalogue(parts: {
  readonly storage: Storage
  readonly discovery: Discovery
  /** Whether the sandbox is on sale by now. */
  sandbox(): boolean
  readonly catalogue: Catalogue
  readonly models: ModelViews
}): LiveCatalogue {
  const { storage, discovery, catalogue, models } = parts
  let vendors = new Map<string, VendorConfig>()
  let version = -1
  let sandbox = parts.sandbox()
  let nextPrice: Ms | null = null
  let costs: CostBook = { of: () => null }
  const reload = () => {
    version = storage.catalogue.version()
    sandbox = parts.sandbox()
    const found = catalogueOf({ storage, discovery, sandbox })
    settlePrices(found, 'found by the gateway')
    const priced = pricedCatalogue(found)
    vendors = new Map(found.vendors.map((each) => [each.name, each]))
    nextPrice = priced.nextChange
    costs = priced.costs
    storage.catalogue.keepCards(priced.asTheyCame)
    catalogue.load(priced.entries, priced.next)
    models.reload()
  }
  reload()
  return {
    reload,
    refresh() {
      if (storage.catalogue.version() !== version || parts.sandbox() !== sandbox) reload()
    },
    advance(now) {
      if (nextPrice !== null && now >= nextPrice) reload()
    },
    vendors: () => vendors,
    costs: { of: (route) => costs.of(route) },
  }
}
