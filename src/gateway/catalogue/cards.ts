import type { Ms } from '../../domain/clock'
import type { GroupId } from '../../domain/ids'
import type { PriceCard, PriceLine } from '../../domain/model'
import type { GroupRule, RuleScope } from '../../domain/pricing-rules'

/** Origin of a sale card: somebody typed it, or a pricing rule made it of what routes cost. */
export type SaleOrigin = 'typed' | 'rule'

/** Sale prices of a model from a date on, whatever route answers. */
export interface SaleCard extends PriceCard {
  /** Row number: grows with every decision. */
  readonly id: number
  readonly model: string
  readonly origin: SaleOrigin
  /** Rule that made it; null where it was typed. */
  readonly rule: number | null
}

/** Terms of a group's rule when it made a card. */
export type GroupTerms = Omit<GroupRule, 'id' | 'group'>

/** Sale prices of a model for the accounts of a group, in the place of one card of all others. */
export interface GroupCard extends SaleCard {
  readonly group: GroupId
  /** Version of that card. */
  readonly base: string
  /** Null where the group pays what everybody does. */
  readonly terms: GroupTerms | null
}

/** Maker of a card, to explain what was charged by it. */
export interface CardMaker {
  readonly origin: SaleOrigin
  /** The rule of the service, as it is by now; null where it is gone, and for a typed one. */
  readonly rule: RuleScope | null
  /** Name of the group that it is for; null for everybody. */
  readonly group: string | null
  /** The rule of that group, as it was. */
  readonly terms: GroupTerms | null
}

/** Cost prices of one vendor's model from a date on. */
export interface CostCard extends PriceCard {
  /** Row number; records of calls name their cost card by it. */
  readonly id: number
  readonly vendor: string
  readonly vendorModel: string
  /** `seed DATE`, `typed by WHO` … */
  readonly source: string
}

/** A cost as it is known to the program, before it is on record. */
export type KnownCost = Pick<CostCard, 'vendor' | 'vendorModel' | 'source' | 'lines'>

/** Prefix of cost sources that an operator typed: no public price replaces them. */
export const typedSource = 'typed by '

/** Prefix of cost sources that public data told and somebody approved. */
export const syncSource = 'sync '

/** A route as prices see it. */
export interface CostPlace {
  readonly vendor: string
  readonly vendorModel: string
}

/** Key of a cost in maps. */
export const costKey = ({ vendor, vendorModel }: CostPlace): string => `${vendor} ${vendorModel}`

/** The card that holds at a moment: the latest to have begun, of two the one decided later. */
export function cardAt<Card extends { readonly id: number; readonly validFrom: Ms }>(
  cards: readonly Card[],
  now: Ms,
): Card | null {
  let held: Card | null = null
  for (const card of cards) if (card.validFrom <= now && !isBefore(card, held)) held = card
  return held
}

/**
 * The card that holds at a moment; before any has begun, the first one. So a machine whose clock is behind sells what
 * is on sale, at the only price that it ever had.
 */
export const heldAt = <Card extends { readonly id: number; readonly validFrom: Ms }>(
  cards: readonly Card[],
  now: Ms,
): Card | null => cardAt(cards, now) ?? nextCard(cards, now)

/** The first card that is to begin after a moment. @param held version of the one that holds by then already */
export function nextCard<Card extends { readonly validFrom: Ms; readonly version?: string }>(
  cards: readonly Card[],
  now: Ms,
  held?: string,
): Card | null {
  let next: Card | null = null
  for (const card of cards)
    if (card.validFrom > now && (held === undefined || card.version !== held))
      if (next === null || card.validFrom <= next.validFrom) next = card
  return next
}

const isBefore = (
  a: { readonly id: number; readonly validFrom: Ms },
  b: { readonly id: number; readonly validFrom: Ms } | null,
): boolean =>
  b !== null && (a.validFrom < b.validFrom || (a.validFrom === b.validFrom && a.id < b.id))

/** Lines by meter and threshold: a card has one price for each. */
export const lineKey = ({ meter, when }: Pick<PriceLine, 'meter' | 'when'>): string =>
  `${meter} ${when?.inputAbove ?? ''}`

/** Sale prices of a group, where they differ from the list prices. */
export interface GroupSale {
  /** By model. */
  readonly cards: ReadonlyMap<string, PriceCard>
  /** Cards with a date to come, by model. */
  readonly next: ReadonlyMap<string, PriceCard>
}
