import type { Requester } from '../operators/requester'
import type { OperatorRole } from '../../domain/fields/operator-fields'
import { mayAs } from '../../domain/role'
import { AdminError, type MachineOnly } from '../operations/admin-error'

/** @throws AdminError role_too_low */
export function checkRole({ role }: Pick<Requester, 'role'>, needed: OperatorRole): void {
  if (!mayAs(role, needed)) throw new AdminError('role_too_low', { needed, role })
}

/** Whether a requester reads phones whole, and so finds accounts and people by them. */
export const mayReadPhones = ({ role }: Pick<Requester, 'role'>): boolean => mayAs(role, 'staff')

/** @throws AdminError only_on_machine */
export function checkMachine({ from }: Requester, what: MachineOnly): void {
  if (from !== 'machine') throw new AdminError('only_on_machine', { what })
}
