import { catalogueOf } from '../admin/catalogue'
import type { Catalogue } from '../catalogue/catalogue'
import { openCatalogue } from '../catalogue/open-catalogue'
import { openModelViews, type ModelViews } from '../catalogue/view'
import type { VendorConfig } from '../domain/model'
import type { Storage } from '../storage/storage'
import type { Discovery } from '../vendors/discover'
import { findFailure } from '../vendors/sandbox/failing-models'

/** The catalogue of a process, and what brings it up to date with the database. */
export interface CatalogueLoader {
  /** Empty until it is loaded. */
  readonly catalogue: Catalogue
  readonly models: ModelViews
  /** Reads everything anew. */
  load(): void
  /** Whether something of it changed since it was loaded. */
  isStale(): boolean
  vendorConfig(name: string): VendorConfig | null
  /** Names of the vendors that are in use. */
  activeVendors(): readonly string[]
}

export interface CatalogueLoaderParts {
  readonly storage: Storage
  readonly discovery: Discovery
  /** Read at each look: whether the sandbox is on sale changes while the process lives. */
  readonly settings: { readonly sandbox: boolean }
}

export function openCatalogueLoader(parts: CatalogueLoaderParts): CatalogueLoader {
  const { storage, discovery, settings } = parts
  const catalogue = openCatalogue(findFailure)
  const models = openModelViews(catalogue)
  let configs = new Map<string, VendorConfig>()
  let version = -1
  let { sandbox } = settings

  return {
    catalogue,
    models,
    load() {
      version = storage.catalogue.version()
      sandbox = settings.sandbox
      const { vendors, entries } = catalogueOf({ storage, discovery, sandbox })
      configs = new Map(vendors.map((each) => [each.name, each]))
      storage.catalogue.keepCards(entries)
      catalogue.load(entries)
      models.reload()
    },
    isStale: () => storage.catalogue.version() !== version || settings.sandbox !== sandbox,
    vendorConfig: (name) => configs.get(name) ?? null,
    activeVendors: () =>
      [...configs.values()].filter((each) => each.active).map((each) => each.name),
  }
}
