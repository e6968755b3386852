import type { Clock } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import { minus, nanoUsd, plus, zeroUsd, type NanoUsd } from '../../domain/money'
import type { Movement } from '../../domain/reports/movement'
import type { Batch } from '../store'
import { uncoveredBackNote, uncoveredNote, uncoveredReference, uncoveredShares } from '../shortfall'
import type { Connection } from '../../storage/sqlite/connection'
import { openMoveMoney } from './transfers'

/** Charges of calls to one account. */
interface AccountCharges {
  readonly account: AccountId
  readonly calls: readonly { readonly id: string; readonly cost: NanoUsd }[]
  /** After them. */
  readonly balance: NanoUsd
}

/**
 * Bears what charges took beyond a balance, inside of the caller's transaction: see `uncoveredShares`. One adjustment
 * a call, so that a refund of it gives no more back than was paid.
 * @returns the balance after it
 */
export function openUncoveredCharges(
  connection: Connection,
  clock: Clock,
): (charges: AccountCharges) => NanoUsd {
  const adjust = openAdjusting(connection, clock)
  return ({ account, calls, balance }) => {
    let after = balance
    const before = calls.reduce((sum, { cost }) => plus(sum, cost), balance)
    for (const { id, amount } of uncoveredShares(calls, before))
      after = adjust({
        account,
        amount: nanoUsd(amount),
        reference: uncoveredReference(id),
        note: uncoveredNote,
      })
    return after
  }
}

/** Calls of a commit that an account is charged for. */
export const callsOf = (account: AccountId, { ended }: Pick<Batch, 'ended'>) =>
  ended.flatMap(({ opening, ending: { cost } }) =>
    opening.account === account && cost > 0 ? { id: opening.id, cost } : [],
  )

/** A refund of a call, in the caller's transaction. */
interface GivenBack {
  readonly request: string
  readonly account: AccountId
  readonly amount: NanoUsd
}

/**
 * Takes back what the service bore of a refunded charge, inside of the caller's transaction: the account gets no more
 * than it paid.
 * @returns that amount, mostly nothing
 */
export function openUncoveredRefunds(
  connection: Connection,
  clock: Clock,
): (refund: GivenBack) => NanoUsd {
  const adjust = openAdjusting(connection, clock)
  const borneOf = connection.raw.prepare<{ borne: number; cost: number }, [string, string]>(`
    SELECT t.amount AS borne, r.cost FROM transfers t JOIN requests r ON r.id = ?
    WHERE t.kind = 'adjustment' AND t.reference = ?`)
  return ({ request, account, amount }) => {
    const row = borneOf.get(request, uncoveredReference(request))
    if (row === null) return zeroUsd
    const paid = Math.max(0, row.cost - row.borne)
    const back = nanoUsd(Math.max(0, amount - paid))
    if (back > 0)
      adjust({
        account,
        amount: minus(zeroUsd, back),
        reference: `${uncoveredReference(request)}-back`,
        note: uncoveredBackNote,
      })
    return back
  }
}

/** Moves money between an account and the service, once per reference, and tells nobody. @returns the balance after it */
function openAdjusting(
  connection: Connection,
  clock: Clock,
): (movement: Pick<Movement, 'account' | 'amount' | 'reference' | 'note'>) => NanoUsd {
  const moveMoney = openMoveMoney(connection, clock)
  return (movement) => moveMoney({ ...movement, kind: 'adjustment', told: true }).balance
}
