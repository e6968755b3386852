import { Option } from 'commander'
import type { OperatorParts } from '../../admin/operators'
import { systemClock } from '../../domain/clock'
import { operatorRoles } from '../../operators/role'
import type { Storage } from '../../storage/storage'

export const operatorParts = ({ operators, pepper }: Storage): OperatorParts => ({
  store: operators,
  clock: systemClock,
  pepper,
})

/** Role of an operator or a key. */
export const roleOption = (): Option =>
  new Option(
    '--role <role>',
    'viewer reads, staff serves customers, owner does everything',
  ).choices(operatorRoles)
