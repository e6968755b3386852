import { showUsd, type NanoUsd } from '../domain/money'
import { mayAs, type OperatorRole } from '../operators/role'
import { AdminError } from './admin-error'

/**
 * Money that staff moves at once is bounded by a setting; an owner's is not.
 * @param max of the setting
 * @throws AdminError amount_above_staff
 */
export function checkStaffAmount(role: OperatorRole, max: NanoUsd, amount: NanoUsd): void {
  if (mayAs(role, 'owner') || Math.abs(amount) <= max) return
  throw new AdminError('amount_above_staff', { max: showUsd(max) })
}
