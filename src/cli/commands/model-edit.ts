import { catalogueOf, vendorsOf, type CatalogueParts } from '../../admin/catalogue'
import { checkNotAlias } from '../../admin/model-aliases'
import {
  familyOf,
  type ModelEntry,
  type ModelFamily,
  type ModelType,
  type PriceLine,
  type Route,
  type Traits,
} from '../../domain/model'
import { missingPrices, uncountedMeters } from '../../metering/price-card'
import type { ModelOptions } from './model-options'

/** Every model, as a gateway started from here sees it. */
export const entriesOf = (parts: CatalogueParts): readonly ModelEntry[] =>
  catalogueOf(parts).entries

/** @throws RangeError when there is none */
export function entryOf(parts: CatalogueParts, id: string): ModelEntry {
  const found = entriesOf(parts).find((entry) => entry.id === id)
  if (found === undefined)
    throw new RangeError(`there is no model ${id}; see chapar model list --all`)
  return found
}

/** What most chat models can do. */
const ordinary = { streaming: true, tools: true, json: true } as const

/** @throws RangeError on an id that is taken, an unknown vendor or a price that is missing */
export function addModel(
  parts: CatalogueParts,
  options: ModelOptions & { readonly id: string; readonly type: ModelType },
): ModelEntry {
  const { id, type, route = [], free } = options
  if (entriesOf(parts).some((entry) => entry.id === id && entry.status !== 'discontinued'))
    throw new RangeError(`there is a model ${id} already: change it with chapar model set`)
  checkNotAlias({ store: parts.storage.catalogue }, id)
  if (route.length === 0) throw new RangeError('a model needs a way to it: --route VENDOR:MODEL')
  checkRoutes(parts, route)
  const traits = traitsWith({}, options)
  const family = familyOf({ type, traits })
  const lines = options.price ?? (free ? freeLinesOf(family) : [])
  checkPrices(lines, family, free === true)
  parts.storage.catalogue.saveModel(
    {
      id,
      type,
      name: options.name ?? id,
      ownedBy: options.ownedBy ?? route[0]?.vendor ?? 'operator',
      description: options.description ?? null,
      contextLength: options.context ?? null,
      maxOutputTokens: options.maxOutput ?? null,
      capabilities: { ...(type === 'chat' ? ordinary : {}), ...options.capability },
      traits,
      isFree: free === true,
      status: 'active',
      routes: route,
    },
    lines,
  )
  return entryOf(parts, id)
}

/** @throws RangeError on an unknown model or vendor, or a price that is missing */
export function setModel(parts: CatalogueParts, id: string, options: ModelOptions): ModelEntry {
  const { card: _, created: __, aliases: ___, ...entry } = entryOf(parts, id)
  if (options.off && options.on) throw new RangeError('a model is --on or --off, not both')
  if (options.route !== undefined) checkRoutes(parts, options.route)
  const traits = traitsWith(entry.traits, options)
  const family = familyOf({ type: entry.type, traits })
  const lines = options.price ?? (options.free ? freeLinesOf(family) : undefined)
  const isFree = lines === undefined ? entry.isFree : options.free === true
  if (lines !== undefined) checkPrices(lines, family, isFree)
  parts.storage.catalogue.saveModel(
    {
      ...entry,
      name: options.name ?? entry.name,
      ownedBy: options.ownedBy ?? entry.ownedBy,
      description: options.description ?? entry.description,
      contextLength: options.context ?? entry.contextLength,
      maxOutputTokens: options.maxOutput ?? entry.maxOutputTokens,
      capabilities: { ...entry.capabilities, ...options.capability },
      traits,
      isFree,
      status: options.off ? 'off' : options.on ? 'active' : ownStatus(parts, id),
      routes: options.route ?? ownRoutes(parts, id),
    },
    lines ?? [],
  )
  return entryOf(parts, id)
}

/** Sold before, and no more: clients are told so. @throws RangeError when there is none */
export function discontinueModel(parts: CatalogueParts, id: string): void {
  const { card: _, created: __, aliases: ___, ...entry } = entryOf(parts, id)
  const routes = ownRoutes(parts, id)
  parts.storage.catalogue.saveModel({ ...entry, routes, status: 'discontinued' }, [])
}

/** Those the operator gave; a model without any keeps those of the public catalogue. */
const ownRoutes = ({ storage }: CatalogueParts, id: string): readonly Route[] =>
  storage.catalogue.models().find((entry) => entry.id === id)?.routes ?? []

/** As the operator set it: a model that rests because its vendors do is not off itself. */
const ownStatus = ({ storage }: CatalogueParts, id: string): ModelEntry['status'] =>
  storage.catalogue.models().find((entry) => entry.id === id)?.status ?? 'active'

function traitsWith(traits: Traits, { trait, drop }: ModelOptions): Traits {
  const changed = { ...traits, ...trait }
  if (drop === undefined) return changed
  return { ...changed, drop: [...new Set([...(changed.drop ?? []), ...drop])] }
}

function checkRoutes(parts: CatalogueParts, routes: readonly Route[]): void {
  const known = vendorsOf(parts).map(({ name }) => name)
  const unknown = routes.find(({ vendor }) => !known.includes(vendor))
  if (unknown !== undefined)
    throw new RangeError(`there is no vendor ${unknown.vendor}; there are: ${known.join(', ')}`)
}

const freeLinesOf = (family: ModelFamily): readonly PriceLine[] =>
  (family === 'realtime'
    ? (['input', 'output', 'input_audio', 'output_audio'] as const)
    : (['input', 'output'] as const)
  ).map((meter) => ({ meter, unit: 'million', price: '0' }))

function checkPrices(lines: readonly PriceLine[], type: ModelFamily, isFree: boolean): void {
  const card = { version: '', validFrom: 0 as ModelEntry['created'], lines }
  const uncounted = isFree ? [] : uncountedMeters(lines, type)
  if (uncounted.length > 0)
    throw new RangeError(`a ${type} model is not counted by: ${uncounted.join(', ')}`)
  const missing = missingPrices(card, type, isFree)
  if (missing.length === 0) return
  throw new RangeError(
    isFree
      ? `a free ${type} model is not sold with: ${missing.join(', ')}`
      : `a ${type} model is not sold without these prices above zero: ${missing.join(', ')} (or say --free)`,
  )
}
