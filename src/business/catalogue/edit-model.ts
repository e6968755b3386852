import { assembleEntries } from '../../gateway/catalogue/assemble'
import {
  familyOf,
  type Capabilities,
  type ModelEntry,
  type ModelFamily,
  type ModelType,
  type PriceLine,
  type Route,
  type Traits,
} from '../../domain/model'
import { fieldsGiven, type Valued } from '../../domain/fields/field'
import { modelFields } from '../../domain/fields/model-fields'
import { AdminError } from '../operations/admin-error'
import { ownRoutes } from './discontinue-model'
import { checkNotAlias } from './model-aliases'
import { checkFallbacks, nameModels } from './model-fallbacks'
import {
  checkModelPrices,
  modelNamed,
  planPrices,
  priceByDefault,
  ruledPrice,
  typePrices,
  type PlannedPrices,
} from '../pricing/model-prices'
import { pricedCatalogue, settlePrices } from '../pricing/priced-catalogue'
import { catalogueOf, vendorsOf, type ServiceParts } from '../data/service-parts'
import { causeOf } from '../pricing/causes'
import { heedsTrait } from '../../gateway/vendors/openai/dialects'

/** Prices of a model that are typed or taken away. */
export interface TypedPrices {
  readonly set: readonly PriceLine[]
  readonly removed: readonly Pick<PriceLine, 'meter' | 'when'>[]
  /** Back to the rule, or to the prices it came with. */
  readonly toDefault: boolean
}

/** Edit of a model; absent fields stay. */
export interface ModelEdit extends Partial<Valued<typeof modelFields>> {
  readonly routes?: readonly Route[]
  readonly price?: TypedPrices
  readonly onlyPrices?: boolean
  readonly free?: boolean
  readonly capabilities?: Capabilities
  /** Traits beside those that it has. */
  readonly trait?: Traits
  /** Traits in the place of all that it has. */
  readonly traits?: Traits
  /** Fields that it refuses, besides those known. */
  readonly drop?: readonly string[]
  readonly fallbacks?: readonly string[]
  readonly aliasOf?: readonly string[]
  readonly status?: 'active' | 'off'
}

/** Every model with its price, as the service has it. */
export const entriesOf = async (parts: ServiceParts): Promise<readonly ModelEntry[]> =>
  (await pricedCatalogue(await catalogueOf(parts))).entries

/** Capabilities of most chat models. */
const ordinary = { streaming: true, tools: true, json: true } as const

/**
 * Puts a model on sale: for what is typed, or by its pricing rule where its routes' costs are known.
 * @throws AdminError model_exists | route_missing | route_vendor_unknown | responses_missing
 * @throws AdminError uncounted_prices | incomplete_prices
 */
export async function addModel(
  parts: ServiceParts,
  options: ModelEdit & { readonly id: string; readonly type: ModelType },
  by: string,
): Promise<void> {
  const { id, type, routes = [], free } = options
  if ((await entriesOf(parts)).some((entry) => entry.id === id && entry.status !== 'discontinued'))
    throw new AdminError('model_exists', { model: id })
  await checkNotAlias({ store: parts.storage.catalogue }, id)
  if (routes.length === 0) throw new AdminError('route_missing', {})
  await checkRoutes(parts, routes)
  const traits = traitsWith({}, options)
  await checkResponses(parts, options, routes)
  const fallbacks = checkFallbacks(
    await entriesOf(parts),
    { id, type, traits },
    options.fallbacks ?? [],
  )
  const ownedBy = options.ownedBy ?? routes[0]?.vendor ?? 'operator'
  const model = { id, type, traits, ownedBy, routes, isFree: free === true, card: null }
  const typed = options.price?.set ?? (free ? freeLinesOf(familyOf(model)) : [])
  checkModelPrices(
    model,
    typed.length > 0 ? typed : ((await ruledPrice(parts, model)) ?? []),
    model.isFree,
  )
  // Before it is on sale, so that nobody buys it by its rule meanwhile.
  if (typed.length > 0) await typePrices(parts, id, typed, by)
  await parts.storage.catalogue.saveModel(
    {
      id,
      type,
      ownedBy,
      routes,
      traits,
      isFree: model.isFree,
      name: options.name ?? id,
      description: options.description ?? null,
      contextLength: options.contextLength ?? null,
      maxOutputTokens: options.maxOutputTokens ?? null,
      capabilities: { ...(type === 'chat' ? ordinary : {}), ...options.capabilities },
      status: 'active',
      ...(fallbacks.length === 0 ? {} : { fallbacks }),
    },
    [],
  )
  await settlePrices(await catalogueOf(parts), causeOf('model_added', { model: id }))
}

/**
 * Changes what is named of a model.
 * @returns what had a price of its own and has none any more
 * @throws AdminError route_vendor_unknown | responses_missing
 * @throws AdminError model_not_found | uncounted_prices | incomplete_prices | no_price_by_rule
 * @throws AdminError what `checkFallbacks` and `nameModels` throw | name_has_no_own
 */
export async function setModel(
  parts: ServiceParts,
  id: string,
  options: ModelEdit,
  by: string,
): Promise<readonly PriceLine[]> {
  if (options.aliasOf !== undefined) return await setName(parts, id, options, options.aliasOf)
  const held = await modelNamed(parts, id)
  if (held.aliasOf !== undefined && held.status !== 'discontinued')
    return await setName(parts, id, options, held.aliasOf)
  if (options.routes !== undefined) await checkRoutes(parts, options.routes)
  const traits = traitsWith(held.traits, options)
  await checkResponses(parts, options, options.routes ?? held.routes)
  const planned = plannedOf(held, options)
  const isFree = planned === null ? await freeWithout(parts, held, options) : options.free === true
  if (planned !== null) checkModelPrices({ ...held, traits }, planned.lines, isFree)
  const { price, onlyPrices: _, free: __, ...others } = options
  if (isFree !== held.isFree || namesIn(others).length > 0)
    await saveEntry(parts, { ...held, traits, isFree }, options)
  if (planned !== null) await typePrices(parts, id, planned.lines, by)
  else if (price?.toDefault) await priceByDefault(parts, id, by)
  await settlePrices(await catalogueOf(parts), causeOf('model_changed', { model: id }))
  return planned?.dropped ?? []
}

/** Changes a name of several models. */
async function setName(
  parts: ServiceParts,
  id: string,
  options: ModelEdit,
  aliasOf: readonly string[],
): Promise<readonly []> {
  const { name, description, ownedBy, status, aliasOf: _, ...own } = options
  if (namesIn(own).length > 0) throw new AdminError('name_has_no_own', { model: id, aliasOf })
  await nameModels(
    { store: parts.storage.catalogue, models: await entriesOf(parts) },
    id,
    aliasOf,
    {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(ownedBy === undefined ? {} : { ownedBy }),
      ...(status === undefined ? {} : { status }),
    },
  )
  return []
}

/** Back at its default, a model is free if it came so. */
async function freeWithout(
  parts: ServiceParts,
  { id, isFree }: ModelEntry,
  { price }: ModelEdit,
): Promise<boolean> {
  if (!price?.toDefault) return isFree
  const came = assembleEntries({ ...(await catalogueOf(parts)), stored: [] })
  return came.find((entry) => entry.id === id)?.isFree ?? false
}

/** Null where no price is typed. */
function plannedOf(held: ModelEntry, { price, free, onlyPrices }: ModelEdit): PlannedPrices | null {
  if (price === undefined && free)
    return planPrices(held, { set: freeLinesOf(familyOf(held)), removed: [], only: true })
  if (price === undefined || price.toDefault) return null
  return planPrices(held, { ...price, only: onlyPrices === true })
}

async function saveEntry(parts: ServiceParts, held: ModelEntry, options: ModelEdit): Promise<void> {
  const { card: _, created: __, aliases: ___, fallbacks: before = [], ...entry } = held
  const { id } = entry
  const fallbacks =
    options.fallbacks === undefined
      ? before
      : checkFallbacks(await entriesOf(parts), held, options.fallbacks)
  await parts.storage.catalogue.saveModel(
    {
      ...entry,
      ...fieldsGiven(modelFields, options),
      capabilities: { ...entry.capabilities, ...options.capabilities },
      status: options.status ?? (await ownStatus(parts, id)),
      routes: options.routes ?? (await ownRoutes(parts, id)),
      ...(fallbacks.length === 0 ? {} : { fallbacks }),
    },
    [],
  )
}

/** As the operator set it: a model that rests because its vendors do is not off itself. */
const ownStatus = async ({ storage }: ServiceParts, id: string): Promise<ModelEntry['status']> =>
  (await storage.catalogue.models()).find((entry) => entry.id === id)?.status ?? 'active'

function traitsWith(held: Traits, { trait, traits = held, drop }: ModelEdit): Traits {
  const changed = { ...traits, ...trait }
  if (drop === undefined) return changed
  return { ...changed, drop: [...new Set([...(changed.drop ?? []), ...drop])] }
}

async function checkRoutes(parts: ServiceParts, routes: readonly Route[]): Promise<void> {
  const known = (await vendorsOf(parts)).map(({ name }) => name)
  const unknown = routes.find(({ vendor }) => !known.includes(vendor))
  if (unknown !== undefined)
    throw new AdminError('route_vendor_unknown', { vendor: unknown.vendor, known })
}

/** Refuses a trait that changes nothing: at none of the model's vendors does it mean an endpoint. */
async function checkResponses(
  parts: ServiceParts,
  { trait, traits }: ModelEdit,
  routes: readonly Route[],
): Promise<void> {
  const [first] = routes
  if (first === undefined) return
  for (const name of ['chat', 'responses'] as const) {
    if ((trait ?? traits)?.[name] === undefined) continue
    const abortable = (await vendorsOf(parts)).filter(
      ({ kind, dialect }) => kind === 'openai' && heedsTrait(dialect, name),
    )
    const names = new Set(abortable.map((vendor) => vendor.name))
    if (!routes.some(({ vendor }) => names.has(vendor)))
      throw new AdminError('responses_missing', { trait: name, vendor: first.vendor })
  }
}

const namesIn = (fields: object): readonly string[] =>
  Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : name))

const freeLinesOf = (family: ModelFamily): readonly PriceLine[] =>
  (family === 'realtime'
    ? (['input', 'output', 'input_audio', 'output_audio'] as const)
    : (['input', 'output'] as const)
  ).map((meter) => ({ meter, unit: 'million', price: '0' }))
