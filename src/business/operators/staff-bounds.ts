import { AllowanceExceeded, type AllowanceLimit } from './allowance'
import { AdminError } from '../operations/admin-error'

const refusals: Readonly<Record<AllowanceLimit, (refused: AllowanceExceeded) => AdminError>> = {
  act: ({ max }) => new AdminError('amount_above_staff', { max }),
  unlimited: ({ max }) => new AdminError('key_limit_needed', { max }),
  day: ({ max, left }) => new AdminError('staff_day_used', { max, left }),
  verifications: ({ max }) => new AdminError('staff_verifications_used', { max }),
}

/**
 * Runs a change that may give something away: its stores count it against the operator's allowance in
 * the same transaction.
 * @throws AdminError amount_above_staff | key_limit_needed | staff_day_used | staff_verifications_used
 */
export async function withinAllowance<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (thrown) {
    if (thrown instanceof AllowanceExceeded) throw refusals[thrown.limit](thrown)
    throw thrown
  }
}
