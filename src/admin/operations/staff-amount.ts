import { showUsd, type NanoUsd } from '../../domain/money'
import { mayAs } from '../../operators/role'
import { AdminError } from '../admin-error'
import type { OperationParts } from './parts'

/**
 * Money that staff moves at once is bounded by a setting; an owner's is not.
 * @throws AdminError amount_above_staff
 */
export function checkStaffAmount(
  { operator, service }: Pick<OperationParts, 'operator' | 'service'>,
  amount: NanoUsd,
): void {
  const max = service.settings.staffAmount
  if (mayAs(operator.role, 'owner') || Math.abs(amount) <= max) return
  throw new AdminError('amount_above_staff', { max: showUsd(max) })
}
