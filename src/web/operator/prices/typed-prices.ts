import { plainNumber } from '../../typed'
import { ownKeys, usualKeys, type Pricing } from './price-keys'

/** Prices as they stand in fields, by key. */
export type TypedPrices = Readonly<Record<string, string>>

/** Prices as fields show them. */
export const typedOf = (pricing: Pricing): TypedPrices =>
  Object.fromEntries(ownKeys(pricing).map((key) => [key, pricing[key] ?? '']))

/** Empty fields of a type's usual prices. */
export const blankPrices = (type: string): TypedPrices =>
  Object.fromEntries((usualKeys[type] ?? []).map((key) => [key, '']))

const isPrice = (typed: string): boolean => /^\d{1,9}(?:\.\d{1,12})?$/.test(plainNumber(typed))

/** Whether each field holds a price, and there is one. */
export const arePrices = (typed: TypedPrices): boolean => {
  const all = Object.values(typed)
  return all.length > 0 && all.every(isPrice)
}

/** Every price, as operations take them. */
export const sentPrices = (typed: TypedPrices): Record<string, string> =>
  Object.fromEntries(Object.entries(typed).map(([key, price]) => [key, plainNumber(price)]))

/** Prices that are others now, null for those that were taken away; null where nothing is. */
export function changedPrices(
  before: Pricing,
  typed: TypedPrices,
): Record<string, string | null> | null {
  const sent = sentPrices(typed)
  const changed = [
    ...Object.entries(sent).filter(([key, price]) => before[key] !== price),
    ...ownKeys(before).flatMap((key) => (key in sent ? [] : [[key, null] as const])),
  ]
  return changed.length === 0 ? null : Object.fromEntries(changed)
}
