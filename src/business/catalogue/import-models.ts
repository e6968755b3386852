import { seedSource } from '../../gateway/catalogue/known-costs'
import { readSeed, seedOwners, type SeedModel } from '../../gateway/catalogue/seed'
import type { PriceLine } from '../../domain/model'
import { causeOf } from '../pricing/causes'
import type { KnownCost } from '../../gateway/catalogue/cards'
import { priceByRule } from '../pricing/settle'
import { matchesModel } from '../../gateway/identity/allowed-models'
import { slicesOf } from '../pricing/price-slices'
import { pricedCatalogue, settlePrices } from '../pricing/priced-catalogue'
import { catalogueOf, type ServiceParts } from '../data/service-parts'
import { vendorNamed } from './vendors'

/** Outcome of importing the models that a vendor lists. */
interface ImportedModels {
  /** Ids that are on sale now. */
  readonly imported: readonly string[]
  /** Those that were sold before, or were taken from sale: they stay as they are. */
  readonly known: readonly string[]
  /** The vendor's names of those whose cost nobody knows: they are not sold. */
  readonly uncosted: readonly string[]
}

/** A model that a vendor lists, and what importing it would come to. */
interface ImportableModel {
  /** The vendor's own name. */
  readonly vendorModel: string
  /** `known`: sold before, or taken from sale. `uncosted`: nobody knows what it costs. */
  readonly state: 'new' | 'known' | 'uncosted'
  /** Public data of it; null where there are none. */
  readonly model: SeedModel | null
  /** Sale price by its rule; null for one that would not go on sale, or wants a typed price. */
  readonly lines: readonly PriceLine[] | null
}

/**
 * Models that a vendor lists, each with what importing it would come to; nothing is written.
 * @param listed the vendor's own names
 * @param patterns of those that are wanted; none for all
 * @throws AdminError vendor_not_found
 */
export async function importableModels(
  parts: ServiceParts,
  name: string,
  listed: readonly string[],
  patterns: readonly string[] = [],
): Promise<readonly ImportableModel[]> {
  const vendor = await vendorNamed(parts, name)
  const { entries, state } = await pricedCatalogue(await catalogueOf(parts))
  const ids = new Set(entries.map(({ id }) => id))
  const routed = new Set(
    entries.flatMap(({ routes }) =>
      routes.flatMap((route) => (route.vendor === name ? route.vendorModel : [])),
    ),
  )
  const costs = publicModels(vendor.dialect)
  return [...new Set(listed)].flatMap((vendorModel): ImportableModel[] => {
    const model = costs.get(vendorModel) ?? null
    const ownedBy = model?.owner ?? name
    if (patterns.length > 0 && !matchesModel(patterns, { id: vendorModel, ownedBy })) return []
    const isKnown = routed.has(vendorModel) || (model !== null && ids.has(model.id))
    if (isKnown) return [{ vendorModel, state: 'known', model, lines: null }]
    if (model === null) return [{ vendorModel, state: 'uncosted', model, lines: null }]
    // A second name of the same model is no other one.
    ids.add(model.id)
    const entry = { ...entryOf(model, name, vendorModel), card: null }
    const price = priceByRule(entry, { get: () => model.lines }, state.rules)
    return [{ vendorModel, state: 'new', model, lines: price?.lines ?? null }]
  })
}

/**
 * Puts models that a vendor lists on sale by their pricing rule, with costs of the public prices. No
 * model that there is changes.
 * @param listed the vendor's own names
 * @param patterns of those that are wanted; none for all
 * @throws AdminError vendor_not_found
 */
export async function importModels(
  parts: ServiceParts,
  name: string,
  listed: readonly string[],
  patterns: readonly string[],
): Promise<ImportedModels> {
  const { catalogue, prices } = parts.storage
  const result = { imported: [] as string[], known: [] as string[], uncosted: [] as string[] }
  const found: KnownCost[] = []
  for (const each of await importableModels(parts, name, listed, patterns)) {
    const { vendorModel, state, model } = each
    if (model === null) result[state === 'known' ? 'known' : 'uncosted'].push(vendorModel)
    else if (state === 'known') result.known.push(model.id)
    else {
      const { lines } = model
      found.push({ vendor: name, vendorModel, source: seedSource, lines })
      await catalogue.saveModel(entryOf(model, name, vendorModel), [])
      result.imported.push(model.id)
    }
  }
  for (const costs of slicesOf(found, 1)) await prices.change(() => ({ costs }))
  await settlePrices(await catalogueOf(parts), causeOf('models_imported', { vendor: name }))
  return result
}

/** Public prices by the names that vendors give their models; of two owners the vendor's own kind. */
function publicModels(dialect: string): ReadonlyMap<string, SeedModel> {
  const models = new Map<string, SeedModel>()
  const owners = seedOwners().filter((owner) => owner !== dialect)
  for (const owner of [dialect, ...owners])
    for (const model of readSeed(owner))
      for (const named of [model.vendorModel, model.id])
        if (!models.has(named)) models.set(named, model)
  return models
}

const entryOf = (model: SeedModel, vendor: string, vendorModel: string) => {
  const { owner, lines: _, vendorModel: __, created: ___, ...entry } = model
  const routes = [{ vendor, vendorModel, priority: 0, weight: 1 }]
  return { ...entry, ownedBy: owner, description: null, status: 'active' as const, routes }
}
