import { ownRoutes } from '../../admin/discontinue-model'
import { AdminError } from '../../admin/admin-error'
import { checkNotAlias } from '../../admin/model-aliases'
import { checkFallbacks, nameModels } from '../../admin/model-fallbacks'
import {
  checkPrices,
  modelNamed,
  planPrices,
  priceByDefault,
  ruledPrice,
  typePrices,
  type PlannedPrices,
} from '../../admin/model-prices'
import { pricedCatalogue, settlePrices } from '../../admin/priced-catalogue'
import { catalogueOf, vendorsOf, type ServiceParts } from '../../admin/service-parts'
import { assembleEntries } from '../../catalogue/assemble'
import {
  familyOf,
  type ModelEntry,
  type ModelFamily,
  type ModelType,
  type PriceLine,
  type Route,
  type Traits,
} from '../../domain/model'
import { given } from '../kit/leaf'
import { operator } from '../kit/operator'
import type { ModelOptions } from './model-options'

/** Every model with its price, as the service has it. */
export const entriesOf = async (parts: ServiceParts): Promise<readonly ModelEntry[]> =>
  (await pricedCatalogue(await catalogueOf(parts))).entries

/** What most chat models can do. */
const ordinary = { streaming: true, tools: true, json: true } as const

/**
 * Puts a model on sale: for what is typed, or by its pricing rule where its routes' costs are known.
 * @throws RangeError on an id that is taken or an unknown vendor
 * @throws AdminError uncounted_prices | incomplete_prices
 */
export async function addModel(
  parts: ServiceParts,
  options: ModelOptions & { readonly id: string; readonly type: ModelType },
): Promise<ModelEntry> {
  const { id, type, route: routes = [], free } = options
  if ((await entriesOf(parts)).some((entry) => entry.id === id && entry.status !== 'discontinued'))
    throw new RangeError(`there is a model ${id} already: change it with chapar model set`)
  await checkNotAlias({ store: parts.storage.catalogue }, id)
  if (routes.length === 0) throw new RangeError('a model needs a way to it: --route VENDOR:MODEL')
  await checkRoutes(parts, routes)
  const traits = traitsWith({}, options)
  const fallbacks = checkFallbacks(
    await entriesOf(parts),
    { id, type, traits },
    options.fallbacks ?? [],
  )
  const ownedBy = options.ownedBy ?? routes[0]?.vendor ?? 'operator'
  const model = { id, type, traits, ownedBy, routes, isFree: free === true, card: null }
  const typed = options.price?.set ?? (free ? freeLinesOf(familyOf(model)) : [])
  checkPrices(
    model,
    typed.length > 0 ? typed : ((await ruledPrice(parts, model)) ?? []),
    model.isFree,
  )
  // Before it is on sale, so that nobody buys it by its rule meanwhile.
  if (typed.length > 0) await typePrices(parts, id, typed, operator())
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
      contextLength: options.context ?? null,
      maxOutputTokens: options.maxOutput ?? null,
      capabilities: { ...(type === 'chat' ? ordinary : {}), ...options.capability },
      status: 'active',
      ...(fallbacks.length === 0 ? {} : { fallbacks }),
    },
    [],
  )
  await settlePrices(await catalogueOf(parts), `model ${id} added`)
  return modelNamed(parts, id)
}

/**
 * Changes what is named of a model.
 * @param onDropped told before anything is saved what will have no price of its own any more
 * @throws RangeError on an unknown vendor
 * @throws AdminError model_not_found | uncounted_prices | incomplete_prices | no_price_by_rule
 * @throws AdminError what `checkFallbacks` and `nameModels` throw | name_has_no_own
 */
export async function setModel(
  parts: ServiceParts,
  id: string,
  options: ModelOptions,
  onDropped: (lines: readonly PriceLine[]) => void,
): Promise<ModelEntry> {
  if (options.off && options.on) throw new RangeError('a model is --on or --off, not both')
  if (options.aliasOf !== undefined) return setName(parts, id, options, options.aliasOf)
  const held = await modelNamed(parts, id)
  if (held.aliasOf !== undefined && held.status !== 'discontinued')
    return setName(parts, id, options, held.aliasOf)
  if (options.route !== undefined) await checkRoutes(parts, options.route)
  const traits = traitsWith(held.traits, options)
  const planned = plannedOf(held, options)
  const isFree = planned === null ? await freeWithout(parts, held, options) : options.free === true
  if (planned !== null) {
    checkPrices({ ...held, traits }, planned.lines, isFree)
    if (planned.dropped.length > 0) onDropped(planned.dropped)
  }
  const { price, onlyPrices: _, free: __, json: ___, data: ____, ...others } = options
  if (isFree !== held.isFree || Object.keys(given(others)).length > 0)
    await saveEntry(parts, { ...held, traits, isFree }, options)
  if (planned !== null) await typePrices(parts, id, planned.lines, operator())
  else if (price?.toDefault) await priceByDefault(parts, id, operator())
  await settlePrices(await catalogueOf(parts), `model ${id} changed`)
  return modelNamed(parts, id)
}

/** Changes a name of several models. */
async function setName(
  parts: ServiceParts,
  id: string,
  options: ModelOptions,
  aliasOf: readonly string[],
): Promise<ModelEntry> {
  const { name, description, ownedBy, off, on, aliasOf: _, json: __, data: ___, ...own } = options
  if (Object.keys(given(own)).length > 0)
    throw new AdminError('name_has_no_own', { model: id, aliasOf })
  await nameModels(
    { store: parts.storage.catalogue, models: await entriesOf(parts) },
    id,
    aliasOf,
    {
      ...given({ name, description, ownedBy }),
      ...(off ? { status: 'off' } : on ? { status: 'active' } : {}),
    },
  )
  return modelNamed(parts, id)
}

/** Back at its default, a model is free if it came so. */
async function freeWithout(
  parts: ServiceParts,
  { id, isFree }: ModelEntry,
  { price }: ModelOptions,
): Promise<boolean> {
  if (!price?.toDefault) return isFree
  const came = assembleEntries({ ...(await catalogueOf(parts)), stored: [] })
  return came.find((entry) => entry.id === id)?.isFree ?? false
}

/** Null where no price is typed. */
function plannedOf(
  held: ModelEntry,
  { price, free, onlyPrices }: ModelOptions,
): PlannedPrices | null {
  if (price === undefined && free)
    return planPrices(held, { set: freeLinesOf(familyOf(held)), removed: [], only: true })
  if (price === undefined || price.toDefault) return null
  return planPrices(held, { ...price, only: onlyPrices === true })
}

async function saveEntry(
  parts: ServiceParts,
  held: ModelEntry,
  options: ModelOptions,
): Promise<void> {
  const { card: _, created: __, aliases: ___, fallbacks: before = [], ...entry } = held
  const { id } = entry
  const fallbacks =
    options.fallbacks === undefined
      ? before
      : checkFallbacks(await entriesOf(parts), held, options.fallbacks)
  await parts.storage.catalogue.saveModel(
    {
      ...entry,
      name: options.name ?? entry.name,
      ownedBy: options.ownedBy ?? entry.ownedBy,
      description: options.description ?? entry.description,
      contextLength: options.context ?? entry.contextLength,
      maxOutputTokens: options.maxOutput ?? entry.maxOutputTokens,
      capabilities: { ...entry.capabilities, ...options.capability },
      status: options.off ? 'off' : options.on ? 'active' : await ownStatus(parts, id),
      routes: options.route ?? (await ownRoutes(parts, id)),
      ...(fallbacks.length === 0 ? {} : { fallbacks }),
    },
    [],
  )
}

/** As the operator set it: a model that rests because its vendors do is not off itself. */
const ownStatus = async ({ storage }: ServiceParts, id: string): Promise<ModelEntry['status']> =>
  (await storage.catalogue.models()).find((entry) => entry.id === id)?.status ?? 'active'

function traitsWith(traits: Traits, { trait, drop }: ModelOptions): Traits {
  const changed = { ...traits, ...trait }
  if (drop === undefined) return changed
  return { ...changed, drop: [...new Set([...(changed.drop ?? []), ...drop])] }
}

async function checkRoutes(parts: ServiceParts, routes: readonly Route[]): Promise<void> {
  const known = (await vendorsOf(parts)).map(({ name }) => name)
  const unknown = routes.find(({ vendor }) => !known.includes(vendor))
  if (unknown !== undefined)
    throw new RangeError(`there is no vendor ${unknown.vendor}; there are: ${known.join(', ')}`)
}

const freeLinesOf = (family: ModelFamily): readonly PriceLine[] =>
  (family === 'realtime'
    ? (['input', 'output', 'input_audio', 'output_audio'] as const)
    : (['input', 'output'] as const)
  ).map((meter) => ({ meter, unit: 'million', price: '0' }))
