import type { AccountId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'
import type { Directory } from '../../gateway/identity/account-directory'
import type { Paid, PaymentStore } from '../payments/contract'
import { topUp } from '../payments/coins'
import { openAccountIn } from './find-account'
import { AdminError } from '../operations/admin-error'
import { withinAllowance } from '../operators/staff-bounds'

interface TopUpParts {
  readonly storage: {
    readonly directory: Pick<Directory, 'findAccount' | 'deposit'>
    readonly payments: Pick<PaymentStore, 'rate' | 'pay'>
  }
}

interface TopUpOrder {
  readonly account: AccountId
  /** Counts once. */
  readonly reference: string
  readonly by: string
}

/**
 * Puts dollars on an account.
 * @throws AdminError account_not_found | account_closed | reference_taken | input_invalid, and those of
 *   `withinAllowance`
 */
export async function topUpDollars(
  parts: TopUpParts,
  { note, ...order }: TopUpOrder & { readonly amount: NanoUsd; readonly note: string | null },
): ReturnType<Directory['deposit']> {
  await openAccountIn(parts, order.account)
  return await movingOnce(order.reference, () =>
    parts.storage.directory.deposit({
      ...order,
      kind: 'topup',
      ...(note === null ? {} : { note }),
    }),
  )
}

/**
 * Puts local coins on an account, at the rate of now.
 * @throws AdminError account_not_found | account_closed | rate_not_set | reference_taken, and those of
 *   `withinAllowance`
 * @throws RangeError below the smallest top-up
 */
export async function topUpCoins(
  parts: TopUpParts,
  order: TopUpOrder & { readonly coins: number },
): Promise<Paid> {
  await openAccountIn(parts, order.account)
  const { payments } = parts.storage
  if ((await payments.rate()) === null) throw new AdminError('rate_not_set', {})
  return await movingOnce(order.reference, () => topUp(payments, order))
}

/**
 * Moves money under a reference that counts once, within the operator's allowance.
 * @throws AdminError reference_taken where it was counted for another account or amount | input_invalid
 *   for more than an account can hold, and those of `withinAllowance`
 */
export async function movingOnce<T>(reference: string, move: () => Promise<T>): Promise<T> {
  try {
    return await withinAllowance(move)
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    if (thrown.message.includes('reference')) throw new AdminError('reference_taken', { reference })
    if (!thrown.message.includes('account can hold')) throw thrown
    throw new AdminError('input_invalid', { field: 'usd', rule: 'above_balance' })
  }
}
