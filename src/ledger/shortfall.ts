/** Charge of one call. */
interface ChargedCall {
  readonly id: string
  readonly cost: number
}

/** Part of a charge that the service bears. */
interface UncoveredShare {
  readonly id: string
  readonly amount: number
}

/**
 * Shares of charges that the service bears, since the balance does not have them: the last charges first. No charge
 * leaves a balance below zero, and none makes a debt larger. Of calls this happens only where somebody lowered the
 * balance (`account adjust`, a closed account) while they ran, since they hold what they may cost.
 * @param before balance without them, in nano-dollars
 */
export function uncoveredShares(
  calls: readonly ChargedCall[],
  before: number,
): readonly UncoveredShare[] {
  const charged = calls.reduce((sum, { cost }) => sum + cost, 0)
  let left = charged - Math.max(0, before)
  return calls.toReversed().flatMap(({ id, cost }) => {
    const amount = Math.min(cost, left)
    if (amount <= 0) return []
    left -= amount
    return { id, amount }
  })
}

/** Reference of the adjustment by which the service bears a part of a call's charge. */
export const uncoveredReference = (call: string): string => `uncovered-${call}`

/** Why an account got money that nobody paid, as it stands in its statement. */
export const uncoveredNote = 'charged beyond the balance, which was lowered while a call ran'

/** Why it goes back with the refund of that charge. */
export const uncoveredBackNote = 'what the service bore of a charge that was refunded'
