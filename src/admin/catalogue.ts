import { assembleEntries } from '../catalogue/assemble'
import type { ModelEntry, PriceCard, VendorConfig } from '../domain/model'
import type { Storage } from '../storage/storage'
import type { Discovery } from '../vendors/discover'
import { findFailure } from '../vendors/sandbox/failing-models'
import { sandboxModels, sandboxVendor } from '../vendors/sandbox/models'

/** What the catalogue is made of: what is kept, what is found, and what is built in. */
export interface CatalogueParts {
  readonly storage: Pick<Storage, 'catalogue'>
  readonly discovery: Discovery
  /** Whether the sandbox is on sale. */
  readonly sandbox: boolean
}

/** Every vendor and model. */
export interface WholeCatalogue {
  readonly vendors: readonly VendorConfig[]
  readonly entries: readonly ModelEntry[]
}

/** Every vendor, one of each name: what an operator added wins over what is found. */
export function vendorsOf({
  storage,
  discovery,
  sandbox,
}: CatalogueParts): readonly VendorConfig[] {
  const builtin = { ...sandboxVendor, active: sandbox }
  const all = [builtin, ...discovery.found, ...storage.catalogue.vendors()]
  return [...new Map(all.map((each) => [each.name, each])).values()]
}

/** Vendors and models, as they are served and as commands show them. */
export function catalogueOf(parts: CatalogueParts): WholeCatalogue {
  const vendors = vendorsOf(parts)
  const entries = assembleEntries({
    stored: parts.storage.catalogue.models(),
    vendors,
    builtin: parts.sandbox ? sandboxModels : [],
    local: parts.discovery.local,
    aliases: parts.storage.catalogue.aliases(),
  })
  return { vendors, entries }
}

/** The prices of a model as it was sold in this version; those that fail by name have another's. */
export const soldCard = (
  { catalogue }: CatalogueParts['storage'],
  model: string,
  version: string,
): PriceCard | null => catalogue.card(findFailure(model, null)?.like ?? model, version)
