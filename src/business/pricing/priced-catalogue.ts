import { assembleEntries, type AssembleParts } from '../../gateway/catalogue/assemble'
import { openCostBook, type CostBook } from '../../gateway/catalogue/cost-book'
import { knownCosts, pricedBy } from '../../gateway/catalogue/known-costs'
import type { Ms } from '../../domain/clock'
import type { ModelEntry, PriceCard } from '../../domain/model'
import type { GroupId } from '../../domain/ids'
import { nextCard, type CardMaker, type GroupTerms } from '../../gateway/catalogue/cards'
import { groupSales, missingGroupCards } from './group-cards'
import type { GroupSale } from '../../gateway/catalogue/cards'
import { scopeText } from '../../domain/pricing-rules'
import { cardOnSale, costsWith, isUnchanged, settle, type Known, type Settled } from './settle'
import type { PriceState } from './contract'
import { priceRowsAtOnce, settleInSlices } from './price-slices'
import type { Storage } from '../data/storage'
import { findFailure } from '../../gateway/vendors/sandbox/failing-models'

/** Parts of a catalogue with prices. */
export interface CatalogueParts extends Omit<AssembleParts, 'stored'> {
  readonly storage: Pick<Storage, 'catalogue' | 'prices'>
}

/** Every model with the card that it is sold by. */
interface PricedCatalogue {
  readonly entries: readonly ModelEntry[]
  /** Those of them that are sold by a card that they came with. */
  readonly asTheyCame: readonly ModelEntry[]
  readonly state: PriceState
  readonly costs: CostBook
  /** Prices that begin by themselves, by model. */
  readonly next: ReadonlyMap<string, PriceCard>
  /** What groups of accounts pay, where that is not what everybody does. */
  readonly groups: ReadonlyMap<GroupId, GroupSale>
  /** When the first of them begins, or a cost; null when none is to. */
  readonly nextChange: Ms | null
}

/** Every model without what it is sold for. */
export const unpricedEntries = async (parts: CatalogueParts): Promise<readonly ModelEntry[]> =>
  assembleEntries({ ...parts, stored: await parts.storage.catalogue.models() })

/** Facts of the models that settling needs. */
export async function knownOf(
  parts: CatalogueParts,
  given?: readonly ModelEntry[],
): Promise<Known> {
  const entries = given ?? (await unpricedEntries(parts))
  const builtin = new Set(parts.builtin.map(({ id }) => id))
  const local = new Set(parts.local.map(({ vendor, id }) => `${vendor}/${id}`))
  const firstVendor = pricedBy(parts.vendors)
  return {
    models: entries
      .filter(({ status }) => status !== 'discontinued')
      .map((entry) =>
        builtin.has(entry.id) || local.has(entry.id) ? entry : { ...entry, card: null },
      ),
    costs: knownCosts(parts),
    pastSuffix(model, rules) {
      const vendor = firstVendor(model)
      if (vendor === null) return null
      const margin = rules.find(({ kind, name }) => kind === 'vendor' && name === vendor)
      if (margin === undefined) return ''
      return `${margin.markupPercent.startsWith('-') ? '' : '+'}${margin.markupPercent}%`
    },
  }
}

/**
 * Puts on sale by its rule what nobody sold before, and proposes what would move a price; no price
 * that is on sale moves.
 * @param cause of what changed, in words
 */
export async function settlePrices(parts: CatalogueParts, cause: string): Promise<Settled> {
  const known = await knownOf(parts)
  const { prices } = parts.storage
  const state = await prices.state()
  const now = settle(state, known, cause)
  const settled = isUnchanged(now) ? now : await settleInSlices(prices, known, now, cause)
  if (state.groups.size > 0) await settleGroups(parts, known)
  return settled
}

/** Makes the cards that groups lack of what is on sale by now, or will be. */
async function settleGroups({ storage }: CatalogueParts, known: Known): Promise<void> {
  const { prices } = storage
  const lacking = (state: PriceState) =>
    missingGroupCards(state, known, costsWith(state, known.costs))
  for (let isMore = lacking(await prices.state()).length > 0; isMore;) {
    const { groupSales } = await prices.change((state) => ({
      groupSales: lacking(state).slice(0, priceRowsAtOnce),
    }))
    isMore = groupSales.length === priceRowsAtOnce
  }
}

/** Every model with its price by now; nothing is written. */
export async function pricedCatalogue(parts: CatalogueParts): Promise<PricedCatalogue> {
  const entries = await unpricedEntries(parts)
  const state = await parts.storage.prices.state()
  const known = await knownOf(parts, entries)
  const lines = costsWith(state, known.costs)
  const placed = new Map(known.models.map((model) => [model.id, model]))
  const priced = entries.map((entry) => {
    const model = placed.get(entry.id)
    return model === undefined ? entry : { ...entry, card: cardOnSale(state, model, lines) }
  })
  const held = new Map(
    priced.flatMap(({ id, card }) => (card === null ? [] : [[id, card] as const])),
  )
  const next = nextOf(state, held)
  const begins = [...next.values(), ...state.costs.values()]
    .map(({ validFrom }) => validFrom)
    .filter((begin) => begin > state.now)
  return {
    entries: priced,
    asTheyCame: priced.filter(({ id, card }) => card !== null && card === placed.get(id)?.card),
    state,
    costs: openCostBook(state.costsNow),
    next,
    groups: groupSales(state, held, next),
    nextChange: begins.length === 0 ? null : (Math.min(...begins) as Ms),
  }
}

function nextOf(
  { sale, now }: PriceState,
  held: ReadonlyMap<string, PriceCard>,
): ReadonlyMap<string, PriceCard> {
  const next = new Map<string, PriceCard>()
  for (const [model, cards] of sale) {
    const card = nextCard(cards, now, held.get(model)?.version)
    if (card !== null) next.set(model, card)
  }
  return next
}

/** The prices of a model as it was sold in this version; those that fail by name have another's. */
export const soldCard = (
  { catalogue }: Pick<Storage, 'catalogue'>,
  model: string,
  version: string,
): Promise<PriceCard | null> => catalogue.card(findFailure(model, null)?.like ?? model, version)

/** Maker of a call's prices, in words: an operator who typed them, or a rule. */
export interface PriceMaker {
  readonly origin: CardMaker['origin']
  readonly rule: string | null
  /** Name of the group of accounts whose rule it was. */
  readonly group: string | null
}

/** Maker of a model's prices in this version; null where that was never kept. */
export async function priceMaker(
  { catalogue }: Pick<Storage, 'catalogue'>,
  model: string,
  version: string,
): Promise<PriceMaker | null> {
  const sold = findFailure(model, null)?.like ?? model
  const made = await catalogue.cardMaker(sold, version)
  if (made === null) return null
  const { origin, rule, group, terms } = made
  const words = terms === null ? (rule === null ? null : scopeText(rule)) : termsText(terms)
  return { origin, rule: words, group }
}

function termsText(terms: GroupTerms): string {
  const { markupPercent, markedUp, feePerCall, digits } = terms
  const on = markedUp === 'sale' ? 'what everybody pays' : 'the cost'
  const fee = feePerCall === null ? '' : `, $${feePerCall} a call`
  const rounded = digits === null ? '' : `, ${digits} digits`
  return `${scopeText(terms)}: ${markupPercent}% on ${on}${fee}${rounded}`
}
