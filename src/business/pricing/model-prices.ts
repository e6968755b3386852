import { familyOf, type ModelEntry, type PriceLine } from '../../domain/model'
import {
  isComplete,
  missingPrices,
  silentLines,
  uncountedMeters,
} from '../../gateway/metering/price-card'
import { pricingView } from '../../gateway/metering/pricing-view'
import { lineKey } from '../../gateway/catalogue/cards'
import { costsWith, priceByRule, type Known, type PlacedModel } from './settle'
import type { PriceState } from './contract'
import { AdminError } from '../operations/admin-error'
import { knownOf, pricedCatalogue } from './priced-catalogue'
import { catalogueOf, type ServiceParts } from '../data/service-parts'

/** Edit of a price card. */
interface PriceEdit {
  /** Prices that are set. */
  readonly set: readonly PriceLine[]
  /** Prices that are taken away. */
  readonly removed: readonly Pick<PriceLine, 'meter' | 'when'>[]
  /** Whether the prices that are set are all there are. */
  readonly only: boolean
}

/** A model with its new card, before it is saved. */
export interface PlannedPrices {
  readonly lines: readonly PriceLine[]
  /** What had a price of its own and will have none. */
  readonly dropped: readonly PriceLine[]
}

/** The model of this id. @throws AdminError model_not_found */
export async function modelNamed(parts: ServiceParts, id: string): Promise<ModelEntry> {
  const found = (await pricedCatalogue(await catalogueOf(parts))).entries.find(
    (entry) => entry.id === id,
  )
  if (found === undefined) throw new AdminError('model_not_found', { model: id })
  return found
}

/** A card with some of its prices changed: a change of one price changes one price. */
export function planPrices(entry: ModelEntry, edit: PriceEdit): PlannedPrices {
  // What was free has prices that nobody keeps.
  const held = entry.isFree ? [] : (entry.card?.lines ?? [])
  const set = new Map(edit.set.map((line) => [lineKey(line), line]))
  const removed = new Set(edit.removed.map(lineKey))
  const kept = edit.only
    ? []
    : held.filter((line) => !removed.has(lineKey(line)) && !set.has(lineKey(line)))
  const order = new Map(held.map((line, at) => [lineKey(line), at]))
  const placeOf = (line: PriceLine) => order.get(lineKey(line)) ?? held.length
  const lines = [...kept, ...edit.set].toSorted((a, b) => placeOf(a) - placeOf(b))
  const priced = new Set(lines.map(lineKey))
  return { lines, dropped: held.filter((line) => !priced.has(lineKey(line))) }
}

/**
 * Checks that prices are complete and of meters that the model's calls are counted by.
 * @throws AdminError uncounted_prices | incomplete_prices
 */
export function checkModelPrices(
  entry: Pick<ModelEntry, 'id' | 'type' | 'traits'>,
  lines: readonly PriceLine[],
  isFree: boolean,
): void {
  const type = familyOf(entry)
  const uncounted = isFree ? [] : uncountedMeters(lines, type)
  if (uncounted.length > 0) throw new AdminError('uncounted_prices', { type, meters: uncounted })
  const card = { version: '', validFrom: 0 as ModelEntry['created'], lines }
  const missing = missingPrices(card, type, isFree)
  if (missing.length > 0)
    throw new AdminError('incomplete_prices', { model: entry.id, type, free: isFree, missing })
}

/**
 * Keys of a model's prices that are never charged: it has prices of two kinds, as by characters and by
 * tokens, and calls are counted by the other.
 */
export function neverCharged(entry: Pick<ModelEntry, 'type' | 'traits' | 'card'>): string[] {
  const { card } = entry
  if (card === null) return []
  return Object.keys(pricingView({ ...card, lines: silentLines(card.lines, familyOf(entry)) }))
}

/** Sale card of a model by its rule; null where that cannot be told. */
export async function ruledPrice(
  parts: ServiceParts,
  model: PlacedModel,
): Promise<readonly PriceLine[] | null> {
  const state = await parts.storage.prices.state()
  const { costs } = await knownOf(await catalogueOf(parts))
  return priceByRule(model, costsWith(state, costs), state.rules)?.lines ?? null
}

/** Sells a model for what was typed from now on; its rule does not move it any more. */
export async function typePrices(
  { storage }: ServiceParts,
  model: string,
  lines: readonly PriceLine[],
  by: string,
): Promise<void> {
  await storage.prices.change(({ now, pending }) => {
    const proposal = pending.get(model)
    return {
      sales: [{ model, lines, validFrom: now, origin: 'typed', rule: null, by }],
      decided:
        proposal === undefined ? [] : [{ id: proposal.id, status: 'withdrawn', by: null } as const],
    }
  })
}

/**
 * Price of a model by its rule, or the prices it came with, whatever it is sold for.
 * @throws AdminError model_not_found | no_price_by_rule
 */
export const defaultPrice = async (parts: ServiceParts, id: string): Promise<DefaultPrice> =>
  defaultOf(await parts.storage.prices.state(), await knownOf(await catalogueOf(parts)), id)

interface DefaultPrice {
  readonly lines: readonly PriceLine[]
  /** Null for the prices it came with. */
  readonly rule: number | null
}

function defaultOf(state: PriceState, known: Known, id: string): DefaultPrice {
  const model = known.models.find((each) => each.id === id)
  if (model === undefined) throw new AdminError('model_not_found', { model: id })
  const price =
    model.card === null
      ? priceByRule(model, costsWith(state, known.costs), state.rules)
      : { lines: model.card.lines, rule: null }
  const { lines = [], rule = null } = price ?? {}
  if (!isComplete({ version: '', validFrom: state.now, lines }, familyOf(model), model.isFree))
    throw new AdminError('no_price_by_rule', { model: id })
  return { lines, rule }
}

/**
 * Sells a model by its rule from now on, or by the prices it came with.
 * @throws AdminError model_not_found | no_price_by_rule
 */
export async function priceByDefault(parts: ServiceParts, id: string, by: string): Promise<void> {
  const known = await knownOf(await catalogueOf(parts))
  await parts.storage.prices.change((state) => {
    const price = defaultOf(state, known, id)
    const { now: validFrom, pending } = state
    const proposal = pending.get(id)
    return {
      sales: [{ model: id, ...price, validFrom, origin: 'rule', by }],
      decided:
        proposal === undefined ? [] : [{ id: proposal.id, status: 'withdrawn', by: null } as const],
    }
  })
}
