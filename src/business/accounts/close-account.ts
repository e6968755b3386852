import { latinDigits } from '../../domain/digits'
import type { AccountId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'
import type { Closed, ClosingStore } from '../users/closure'
import { AdminError } from '../operations/admin-error'
import { withinAllowance } from '../operators/staff-bounds'

interface Closing {
  readonly account: AccountId
  /** The account's name as somebody typed it, who gives up what is left; null for whoever did not. */
  readonly giveUp: string | null
  /** Set aside for running calls, where that is known. */
  readonly held: NanoUsd
}

/** Letters and digits of a name, in whatever script they are typed: new accounts have dots in theirs. */
const plainName = (name: string): string =>
  latinDigits(name)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/**
 * Closes an account for good.
 * @throws AdminError account_not_found | account_closed | account_busy | payment_waits |
 *   account_owes | balance_left | account_name_differs, and those of `withinAllowance`
 */
export async function closeAccount(store: ClosingStore, closing: Closing): Promise<Closed> {
  const { account, giveUp, held } = closing
  const found = await store.find(account)
  if (found === null) throw new AdminError('account_not_found', { account })
  const { balance, name } = found
  if (found.isClosed) throw new AdminError('account_closed', { account })
  if (found.isBusy || held > 0) throw new AdminError('account_busy', { account })
  if (found.isPaying) throw new AdminError('payment_waits', { account })
  if (balance < 0) throw new AdminError('account_owes', { account, balance })
  if (balance > 0 && giveUp === null) throw new AdminError('balance_left', { account, balance })
  if (giveUp !== null && plainName(giveUp) !== plainName(name))
    throw new AdminError('account_name_differs', { account })
  const closed = await withinAllowance(() => store.close(account, balance))
  // A call began, or money came, between the look and the change.
  if (closed === null) throw new AdminError('account_busy', { account })
  return closed
}
