import { plus } from '../domain/money'
import type { Movement } from '../domain/movement'
import type { Directory } from '../identity/directory'
import { AdminError } from './admin-error'

export interface Adjustment extends Omit<Movement, 'kind'> {
  /** The operator has confirmed a balance below zero. */
  readonly belowZero: boolean
}

/**
 * Corrects a balance, up or down.
 * @throws AdminError account_not_found | balance_below_zero, unless that was confirmed
 * @throws RangeError where the reference was counted for another account or amount
 */
export async function adjustBalance(
  directory: Pick<Directory, 'findAccount' | 'deposit'>,
  { belowZero, ...movement }: Adjustment,
): ReturnType<Directory['deposit']> {
  const { account, amount } = movement
  const found = await directory.findAccount(account)
  if (found === null) throw new AdminError('account_not_found', { account })
  const { balance } = found
  const after = plus(balance, amount)
  if (amount < 0 && after < 0 && !belowZero)
    throw new AdminError('balance_below_zero', { account, balance, after })
  return directory.deposit({ ...movement, kind: 'adjustment' })
}
