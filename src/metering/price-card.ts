import { Decimal } from 'decimal.js'
import type { ModelType, PriceCard, PriceLine } from '../domain/model'
import type { Meter } from '../domain/usage'

/** Integer rates: nano-dollars per million units, by meter. */
export interface RateTable {
  readonly [meter: string]: number | undefined
}

/** A card as integer arithmetic wants it: the table that holds, and those above input thresholds. */
export interface CompiledCard {
  readonly version: string
  readonly base: RateTable
  /** Highest threshold first. */
  readonly tiers: readonly { readonly inputAbove: number; readonly rates: RateTable }[]
}

const perMillion = { million: 1, each: 1_000_000, minute: 1_000_000 / 60 } as const
