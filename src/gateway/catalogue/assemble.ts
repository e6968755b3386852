import type { Ms } from '../../domain/clock'
import type { ModelAlias, ModelEntry, VendorConfig } from '../../domain/model'
import { seedModels, type SeedModel } from './seed'

/** Sources that the catalogue is assembled from. */
export interface AssembleParts {
  /** Models that the operator added or changed. Without routes or card of its own it keeps the seed's. */
  readonly stored: readonly ModelEntry[]
  /** Every vendor; what only those can serve that are switched off is off too. */
  readonly vendors: readonly VendorConfig[]
  readonly builtin: readonly ModelEntry[]
  readonly aliases: readonly ModelAlias[]
  /** Models of servers on this machine: they cost nothing. */
  readonly local: readonly { readonly vendor: string; readonly id: string }[]
}

/**
 * Every model there is: the program's own, those of public prices, and the operator's, which win.
 * Those of public prices have no card: what they are sold for is decided, and kept.
 */
export function assembleEntries(parts: AssembleParts): readonly ModelEntry[] {
  const { stored, vendors, builtin, local, aliases } = parts
  const entries = new Map(builtin.map((entry) => [entry.id, entry]))
  const off = new Set(vendors.filter(({ active }) => !active).map(({ name }) => name))
  // Those that are off come last: traits and order of routes are those of the others.
  for (const vendor of vendors.toSorted((a, b) => Number(b.active) - Number(a.active)))
    for (const model of seedModels(vendor.dialect)) {
      const earlier = entries.get(model.id)
      entries.set(
        model.id,
        earlier === undefined ? seedEntry(model, vendor) : withRoute(earlier, model, vendor),
      )
    }
  for (const model of local) {
    const entry = localEntry(model)
    if (!entries.has(entry.id)) entries.set(entry.id, entry)
  }
  for (const entry of stored) entries.set(entry.id, withDefaults(entry, entries.get(entry.id)))
  const named = Map.groupBy(
    // What is a model itself by now is one.
    aliases.filter(({ id }) => !entries.has(id)),
    ({ model }) => model,
  )
  return Array.from(entries.values(), (entry) =>
    withAliases(withoutVendors(entry, off), named.get(entry.id)),
  )
}

const withAliases = (entry: ModelEntry, aliases: readonly ModelAlias[] | undefined): ModelEntry =>
  aliases === undefined ? entry : { ...entry, aliases }

/** A model that nobody could answer for is not on sale, and says that it will be again. */
function withoutVendors(entry: ModelEntry, off: ReadonlySet<string>): ModelEntry {
  const { status, routes } = entry
  if (off.size === 0 || status !== 'active' || routes.length === 0) return entry
  return routes.every(({ vendor }) => off.has(vendor)) ? { ...entry, status: 'off' } : entry
}

const seedEntry = (model: SeedModel, vendor: VendorConfig): ModelEntry => ({
  id: model.id,
  type: model.type,
  name: model.name,
  ownedBy: model.owner,
  description: null,
  contextLength: model.contextLength,
  maxOutputTokens: model.maxOutputTokens,
  capabilities: model.capabilities,
  traits: model.traits,
  isFree: model.isFree,
  created: model.created as Ms,
  status: 'active',
  card: null,
  routes: [routeOf(model, vendor)],
})

const routeOf = (model: SeedModel, vendor: VendorConfig) => ({
  vendor: vendor.name,
  vendorModel: model.vendorModel,
  priority: 0,
  weight: 1,
})

/** A second vendor of the same kind is another way to the same model. */
const withRoute = (entry: ModelEntry, model: SeedModel, vendor: VendorConfig): ModelEntry => ({
  ...entry,
  routes: [...entry.routes, { ...routeOf(model, vendor), priority: entry.routes.length }],
})

const localEntry = ({ vendor, id }: { vendor: string; id: string }): ModelEntry => ({
  id: `${vendor}/${id}`,
  type: 'chat',
  name: id,
  ownedBy: vendor,
  description: null,
  contextLength: null,
  maxOutputTokens: null,
  capabilities: { streaming: true },
  traits: {},
  isFree: true,
  created: 0 as Ms,
  status: 'active',
  card: {
    version: 'local',
    validFrom: 0 as Ms,
    lines: [
      { meter: 'input', unit: 'million', price: '0' },
      { meter: 'output', unit: 'million', price: '0' },
    ],
  },
  routes: [{ vendor, vendorModel: id, priority: 0, weight: 1 }],
})

/** Fills in routes or card that the operator left open. */
const withDefaults = (entry: ModelEntry, under: ModelEntry | undefined): ModelEntry =>
  under === undefined || entry.aliasOf !== undefined
    ? entry
    : {
        ...entry,
        created: under.created > 0 ? under.created : entry.created,
        card: entry.card ?? under.card,
        routes: entry.routes.length > 0 ? entry.routes : under.routes,
      }
