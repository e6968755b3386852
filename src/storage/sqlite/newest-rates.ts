import { desc } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { CoinRate } from '../../payments/rate'
import { coinRates } from '../schema'
import type { Connection } from './database'

/** Rates in the order in which they were set, newest first: each holds from then on, whatever the clock said. */
export const openNewestRates =
  ({ orm }: Connection) =>
  (max: number): CoinRate[] =>
    orm
      .select()
      .from(coinRates)
      .orderBy(desc(coinRates.id))
      .limit(max)
      .all()
      .map(({ rate, validFrom, by }) => ({ rate, validFrom: validFrom as Ms, by }))
