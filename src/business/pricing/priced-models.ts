import { openCatalogue } from '../../gateway/catalogue/open-catalogue'
import { familyOf, type ModelEntry, type VendorConfig } from '../../domain/model'
import { missingPrices } from '../../gateway/metering/price-card'
import { costKey } from '../../gateway/catalogue/cards'
import { Exact } from '../../gateway/metering/price-card'
import { scopeText } from '../../domain/pricing-rules'
import type { PriceState } from './contract'
import type { Storage } from '../data/storage'
import { AdminError } from '../operations/admin-error'
import { marginsOf, type ModelMargins } from './margins'
import { callsByModel } from './price-changes'
import { pricedCatalogue } from './priced-catalogue'
import { catalogueOf, vendorsOf, type ServiceParts } from '../data/service-parts'

/** Reasons why a model is not on sale. */
export const unsoldReasons = [
  'off',
  'discontinued',
  'vendors_off',
  'no_route',
  'no_price',
  'incomplete_price',
  /** A name of several models, none of which is on sale. */
  'names_unsold',
] as const
type UnsoldReason = (typeof unsoldReasons)[number]

/** A model as an operator sees it. */
export interface KeptModel {
  readonly entry: ModelEntry
  /** Null for one on sale. */
  readonly unsold: UnsoldReason | null
  readonly margins: ModelMargins
  /** Gaps of its card; empty for a complete one. */
  readonly missing: readonly string[]
  /** What the rule is of that its price comes from; null where it was typed or came with it. */
  readonly rule: string | null
  /** Of the last 30 days. */
  readonly calls: number
}

interface KeptModelParts extends ServiceParts {
  readonly storage: ServiceParts['storage'] & Pick<Storage, 'profits'>
}

/** Every model by its id, sold or not. */
export async function keptModels(parts: KeptModelParts): Promise<readonly KeptModel[]> {
  const catalogue = await catalogueOf(parts)
  const { entries, state } = await pricedCatalogue(catalogue)
  const sold = openCatalogue()
  sold.load(entries)
  const off = new Set(catalogue.vendors.filter(({ active }) => !active).map(({ name }) => name))
  const ownStatus = new Map(
    (await parts.storage.catalogue.models()).map(({ id, status }) => [id, status]),
  )
  const calls = await callsByModel(parts, state.now)
  return entries
    .map((held): KeptModel => {
      const offer = sold.find(held.id)?.offer ?? null
      const entry = offer?.shown?.model ?? held
      const missing = missingOf(entry)
      let margins: ModelMargins | null = null
      return {
        entry,
        unsold: offer === null ? whyUnsold(held, ownStatus.get(held.id), off, missing) : null,
        // When it is read: of all models it takes longer than the rest, and a page shows a few.
        get margins() {
          return (margins ??= marginsOf(state, held))
        },
        missing,
        rule: ruleOf(state, held.id),
        calls: calls.get(held.id) ?? 0,
      }
    })
    .toSorted((a, b) => (a.entry.id < b.entry.id ? -1 : 1))
}

/** A model as it is stored. @throws AdminError model_not_found */
export async function keptModel(parts: KeptModelParts, id: string): Promise<KeptModel> {
  const found = (await keptModels(parts)).find(({ entry }) => entry.id === id)
  if (found === undefined) throw new AdminError('model_not_found', { model: id })
  return found
}

function missingOf(entry: ModelEntry): readonly string[] {
  const { card, isFree, aliasOf } = entry
  return card === null || aliasOf !== undefined ? [] : missingPrices(card, familyOf(entry), isFree)
}

function whyUnsold(
  { status, card, routes, aliasOf }: ModelEntry,
  ownStatus: ModelEntry['status'] | undefined,
  off: ReadonlySet<string>,
  missing: readonly string[],
): UnsoldReason {
  if (status === 'discontinued') return 'discontinued'
  if (status === 'off')
    return ownStatus !== 'off' && routes.every(({ vendor }) => off.has(vendor))
      ? 'vendors_off'
      : 'off'
  if (aliasOf !== undefined) return 'names_unsold'
  if (routes.length === 0) return 'no_route'
  if (card === null || card.lines.length === 0) return 'no_price'
  return missing.length > 0 ? 'incomplete_price' : 'no_route'
}

function ruleOf({ sale, rules, now }: PriceState, model: string): string | null {
  const card = (sale.get(model) ?? []).findLast(({ validFrom }) => validFrom <= now)
  const rule = rules.find(({ id }) => id === card?.rule)
  return rule === undefined ? null : scopeText(rule)
}

/** The least that is earned on any price of any route, in percent; null where nobody knows. */
export function leastMarginOf({ routes }: ModelMargins): string | null {
  const margins = routes.flatMap(({ marginPercent }) => marginPercent ?? [])
  return margins.length === 0 ? null : Exact.min(...margins).toFixed()
}

export const isBelowCost = ({ routes }: ModelMargins): boolean =>
  routes.some(({ below }) => below.length > 0)

/** Vendors by name. */
export const vendorsByName = async (
  parts: ServiceParts,
): Promise<ReadonlyMap<string, VendorConfig>> =>
  new Map((await vendorsOf(parts)).map((vendor) => [vendor.name, vendor]))

/** Routes of a model with what they cost, in the order of their preference. */
export const routesByPreference = ({ entry, margins }: KeptModel) =>
  entry.routes
    .map((route) => ({
      ...route,
      margin: margins.routes.find((each) => costKey(each) === costKey(route)) ?? null,
    }))
    .toSorted((a, b) => a.priority - b.priority)
