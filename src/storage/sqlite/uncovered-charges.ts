import type { Clock } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import { nanoUsd, type NanoUsd } from '../../domain/money'
import type { Batch } from '../../ledger/store'
import { uncoveredNote } from '../house'
import type { Connection } from './database'
import { openMoveMoney } from './move-money'

/** A charge that left a balance below zero. */
interface UncoveredCharge {
  readonly account: AccountId
  /** Of all its calls in the commit. */
  readonly charge: NanoUsd
  /** After it; below zero. */
  readonly balance: NanoUsd
}

/**
 * Covers what charges took beyond a balance that was lowered elsewhere, inside of the caller's transaction: no
 * call may leave one below zero. A call holds what it may cost, but an operator who takes money out (`account
 * adjust`, a closed account) does not see holds of calls so young that they are in the memory of their process
 * alone. The service bears what both spent; a debt that the process knew of stays.
 * @returns the balance after it
 */
export function openUncoveredCharges(
  connection: Connection,
  clock: Clock,
): (uncovered: UncoveredCharge, batch: Pick<Batch, 'ended' | 'balances'>) => NanoUsd {
  const moveMoney = openMoveMoney(connection, clock)
  return ({ account, charge, balance }, { ended, balances }) => {
    const expected = balances?.find((each) => each.account === account)?.balance ?? balance
    const uncovered = Math.min(charge, Math.min(expected, 0) - balance)
    if (uncovered <= 0) return balance
    const last = ended.findLast(
      ({ opening, ending }) => opening.account === account && ending.cost > 0,
    )
    if (last === undefined) throw new Error(`no charge of account ${account}`)
    return moveMoney({
      account,
      amount: nanoUsd(uncovered),
      kind: 'adjustment',
      reference: `uncovered-${last.opening.id}`,
      note: uncoveredNote,
      told: true,
    }).balance
  }
}
