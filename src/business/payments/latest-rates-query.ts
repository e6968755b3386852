import { desc, lt } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { CoinRate } from './rate'
import { coinRates } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'

/** Rates in the order in which they were set, newest first: each holds from then on, whatever the clock said. */
export const openNewestRates =
  ({ orm }: Connection) =>
  (max: number, before: number | null = null): CoinRate[] =>
    orm
      .select()
      .from(coinRates)
      .where(lt(coinRates.id, before ?? Number.MAX_SAFE_INTEGER))
      .orderBy(desc(coinRates.id))
      .limit(max)
      .all()
      .map((row) => ({ ...row, validFrom: row.validFrom as Ms }))
