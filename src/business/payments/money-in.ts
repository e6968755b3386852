import type { Ms } from '../../domain/clock'
import type { NanoUsd } from '../../domain/money'

/** Ways in which customers' money comes in. */
export const moneyWays = ['card', 'coins', 'code', 'dollars'] as const

/**
 * By card at a gateway, in coins that an operator counted, by a redeem code, or in dollars that an
 * operator counted.
 */
export type MoneyWay = (typeof moneyWays)[number]

export interface MoneySum {
  readonly count: number
  readonly amount: NanoUsd
  /** Local coins among it; none for what was paid in dollars. */
  readonly coins: number
}

/** Money that came in: each top-up is in exactly one of the ways. */
export interface MoneyIn {
  readonly total: MoneySum
  readonly byWay: Readonly<Record<MoneyWay, MoneySum>>
}

interface MoneyInQuery {
  /** Included; null for the beginning. */
  readonly from: Ms | null
  /** Not included; null for no end. */
  readonly to: Ms | null
}

/** Sums over the transfers themselves: there is no second count that could differ. */
export interface MoneyInReader {
  moneyIn(query: MoneyInQuery): Promise<MoneyIn>
}
