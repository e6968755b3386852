import { and, eq } from 'drizzle-orm'
import { nanoUsd } from '../../domain/money'
import type { SpendingReader } from '../../ledger/spending-reader'
import { spent } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { freshSpent } from '../../ledger/sums/unaggregated'

interface FreshSum {
  readonly kind: string
  readonly id: number
  readonly period: string
  readonly amount: number
}

/** Sums of charges as they are for whoever does not keep them. */
export function openSpending({ orm, raw, transaction }: Connection): SpendingReader {
  const fresh = raw.prepare<FreshSum, []>(freshSpent)
  return {
    // One moment: else a charge on its way into the sums would count twice, or never.
    spent: async (scopes) =>
      transaction(() => {
        const waiting = fresh.all()
        return scopes.map(({ kind, id, period }) => {
          const kept = orm
            .select({ amount: spent.amount })
            .from(spent)
            .where(and(eq(spent.id, id), eq(spent.kind, kind), eq(spent.period, period)))
            .limit(1)
            .get()
          return waiting
            .filter((sum) => sum.kind === kind && sum.id === id && sum.period === period)
            .reduce((all, { amount }) => nanoUsd(all + amount), kept?.amount ?? nanoUsd(0))
        })
      }),
  }
}
