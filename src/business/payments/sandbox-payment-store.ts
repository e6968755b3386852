import { and, eq } from 'drizzle-orm'
import type { TrialSlipStore } from './trial-bank'
import { trialSlips } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'

/** Payments at the bank inside of the program, as rows. */
export const openTrialSlipRows = ({ orm, transaction }: Connection): TrialSlipStore => ({
  add: async (slip) =>
    transaction(() => {
      orm.insert(trialSlips).values(slip).run()
    }, 'durable'),
  find: async (reference) =>
    orm.select().from(trialSlips).where(eq(trialSlips.reference, reference)).limit(1).get() ?? null,
  decide: async (reference, state) =>
    transaction(() => {
      orm
        .update(trialSlips)
        .set({ state })
        .where(and(eq(trialSlips.reference, reference), eq(trialSlips.state, 'open')))
        .run()
    }, 'durable'),
})
