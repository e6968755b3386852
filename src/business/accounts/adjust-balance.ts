import { plus, zeroUsd } from '../../domain/money'
import { BelowFloor, type Movement } from '../../domain/reports/movement'
import type { Directory } from '../../gateway/identity/account-directory'
import { accountIn } from './find-account'
import { AdminError } from '../operations/admin-error'
import { movingOnce } from './top-up'

interface Adjustment extends Omit<Movement, 'kind' | 'floor'> {
  /** The operator has confirmed a balance below zero. */
  readonly belowZero: boolean
}

/**
 * Corrects a balance, up or down.
 * @throws AdminError account_not_found | balance_below_zero, unless that was confirmed, and those of
 *   `movingOnce`
 */
export async function adjustBalance(
  directory: Pick<Directory, 'findAccount' | 'deposit'>,
  { belowZero, ...movement }: Adjustment,
): ReturnType<Directory['deposit']> {
  const { account, amount } = movement
  await accountIn({ storage: { directory } }, account)
  const floor = amount < 0 && !belowZero ? { floor: zeroUsd } : {}
  try {
    return await movingOnce(movement.reference, () =>
      directory.deposit({ ...movement, ...floor, kind: 'adjustment' }),
    )
  } catch (thrown) {
    if (!(thrown instanceof BelowFloor)) throw thrown
    const { balance } = thrown
    throw new AdminError('balance_below_zero', { account, balance, after: plus(balance, amount) })
  }
}
