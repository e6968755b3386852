import { and, eq, lt, sql } from 'drizzle-orm'
import { dayNumber, type Clock } from '../../domain/clock'
import { nanoUsd, showUsd, zeroUsd } from '../../domain/money'
import { AllowanceExceeded, checkAct, type StaffAllowance, type Grant } from './allowance'
import { operatorDays } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'

/** Days that are kept of an operator: the trail has what each of them was. */
const keptDays = 30

/** Counts a grant against an allowance, inside of the transaction of the change. @throws AllowanceExceeded */
type TakeGrant = (grant: Grant) => void

/**
 * Days of an operator. The row is written before it is compared, so that changes made at once wait for
 * each other on either engine; a refusal takes the whole transaction back.
 */
export function openOperatorDays(
  { orm }: Connection,
  clock: Clock,
  allowance: StaffAllowance,
): TakeGrant {
  const { operator, perDay, verificationsPerDay } = allowance
  return (grant) => {
    checkAct(allowance, grant)
    const usd = 'usd' in grant && grant.usd !== 'unlimited' ? grant.usd : zeroUsd
    const verifications = 'verifications' in grant ? grant.verifications : 0
    if (usd === 0 && verifications === 0) return
    const day = dayNumber(clock.now())
    const isOld = and(eq(operatorDays.operator, operator), lt(operatorDays.day, day - keptDays))
    orm.delete(operatorDays).where(isOld).run()
    const added = { granted: usd, verifications, allowance: perDay }
    orm
      .insert(operatorDays)
      .values({ operator, day, ...added })
      .onConflictDoUpdate({
        target: [operatorDays.operator, operatorDays.day],
        set: {
          granted: sql`${operatorDays.granted} + ${usd}`,
          verifications: sql`${operatorDays.verifications} + ${verifications}`,
          allowance: perDay,
        },
      })
      .run()
    const sums = orm
      .select()
      .from(operatorDays)
      .where(and(eq(operatorDays.operator, operator), eq(operatorDays.day, day)))
      .get()
    if (sums === undefined) throw new Error(`no day of ${operator}`)
    if (usd > 0 && sums.granted > perDay) {
      const left = nanoUsd(Math.max(0, perDay - (sums.granted - usd)))
      throw new AllowanceExceeded('day', showUsd(perDay), showUsd(left))
    }
    if (verifications > 0 && sums.verifications > verificationsPerDay) {
      const left = Math.max(0, verificationsPerDay - (sums.verifications - verifications))
      throw new AllowanceExceeded('verifications', String(verificationsPerDay), String(left))
    }
  }
}
