import { pricedCatalogue, settlePrices } from '../business/pricing/priced-catalogue'
import { catalogueOf } from '../business/data/service-parts'
import type { Catalogue } from '../gateway/catalogue/catalogue'
import type { CostBook } from '../gateway/catalogue/cost-book'
import { openCatalogue } from '../gateway/catalogue/open-catalogue'
import { openGroupViews, type GroupViews } from '../gateway/catalogue/view'
import type { Ms } from '../domain/clock'
import { openInLine } from '../domain/serial-queue'
import type { VendorConfig } from '../domain/model'
import type { Storage } from '../business/data/storage'
import type { Discovery } from '../gateway/vendors/discover'
import { findFailure } from '../gateway/vendors/sandbox/failing-models'
import { causeOf } from '../business/pricing/causes'

/** The catalogue of a process, and what brings it up to date with the database. */
export interface CatalogueLoader {
  /** Empty until it is loaded. */
  readonly catalogue: Catalogue
  readonly models: GroupViews
  /**
   * Reads everything anew; of several that are asked for, the last one stays.
   * @throws what the database throws: a price that is not on record could not be explained later
   */
  load(): Promise<void>
  /** Whether a price that was approved for later has begun by now. */
  isDue(now: Ms): boolean
  /** Whether something of it changed since it was loaded. */
  isStale(): Promise<boolean>
  /** What routes cost by now. */
  readonly costs: CostBook
  vendorConfig(name: string): VendorConfig | null
  /** All vendors; the same array until it is loaded anew. */
  vendors(): readonly VendorConfig[]
  /** Names of the vendors that are in use. */
  activeVendors(): readonly string[]
}

interface CatalogueLoaderParts {
  readonly storage: Storage
  readonly discovery: Discovery
  /** Read at each look: whether the sandbox is on sale changes while the process lives. */
  readonly settings: { readonly sandbox: boolean }
}

export function openCatalogueLoader(parts: CatalogueLoaderParts): CatalogueLoader {
  const { storage, discovery, settings } = parts
  const catalogue = openCatalogue(findFailure)
  const models = openGroupViews(catalogue)
  let configs = new Map<string, VendorConfig>()
  let vendors: readonly VendorConfig[] = []
  let version = -1
  let { sandbox } = settings
  let nextPrice: Ms | null = null
  let costs: CostBook = { of: () => null }
  const inLine = openInLine()
  const load = async () => {
    const { sandbox: isOnSale } = settings
    const readVersion = await storage.catalogue.version()
    const found = await catalogueOf({
      storage,
      discovery,
      sandbox: async () => isOnSale,
    })
    await settlePrices(found, causeOf('gateway_found'))
    const priced = await pricedCatalogue(found)
    await storage.catalogue.keepCards(priced.asTheyCame)
    version = readVersion
    sandbox = isOnSale
    vendors = found.vendors
    configs = new Map(vendors.map((each) => [each.name, each]))
    nextPrice = priced.nextChange
    costs = priced.costs
    catalogue.load(priced.entries, priced.next, priced.groups)
    models.reload()
  }

  return {
    catalogue,
    models,
    load: () => inLine(load),
    isDue: (now) => nextPrice !== null && now >= nextPrice,
    costs: { of: (route) => costs.of(route) },
    isStale: async () =>
      (await storage.catalogue.version()) !== version || settings.sandbox !== sandbox,
    vendorConfig: (name) => configs.get(name) ?? null,
    vendors: () => vendors,
    activeVendors: () =>
      [...configs.values()].filter((each) => each.active).map((each) => each.name),
  }
}
