import { desc, lte } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import type { CoinRate } from '../../payments/rate'
import { coinRates } from '../schema'
import type { Connection } from './database'

/** Rates that hold by now, newest first. */
export const openNewestRates =
  ({ orm }: Connection, clock: Clock) =>
  (max: number): CoinRate[] =>
    orm
      .select()
      .from(coinRates)
      .where(lte(coinRates.validFrom, clock.now()))
      .orderBy(desc(coinRates.validFrom), desc(coinRates.id))
      .limit(max)
      .all()
      .map(({ rate, validFrom, by }) => ({ rate, validFrom: validFrom as Ms, by }))
