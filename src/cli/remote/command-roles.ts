import { operationRows } from '../../admin/operations/table'
import type { OperatorRole } from '../../domain/operator-fields'

/**
 * Least role that may run a command from elsewhere, and the operation that does the same by HTTP, whose role
 * it has; `here`: only on the machine of the data.
 */
type CommandRow = readonly [role: OperatorRole, operation: string | null] | 'here'

/** Every command by its words. What shows a secret is an owner's, and so is every rule of money. */
export const commandRows: Readonly<Record<string, CommandRow>> = {
  ...Object.fromEntries(
    operationRows.flatMap(({ name, role, commands }) =>
      commands.map(({ words }) => [words, [role, name]] as const),
    ),
  ),
  serve: 'here',
  quickstart: 'here',
  wait: 'here',
  doctor: ['viewer', 'health.doctor'],
  backup: 'here',
  restore: 'here',
  migrate: 'here',
  'operator login': 'here',
  'operator logout': 'here',
  'secret renew': 'here',
  'secret rotate': 'here',
  'secret status': 'here',
  chat: 'here',
  env: 'here',
  openapi: 'here',
}

type CommandRole = OperatorRole | 'here'

/** The least role of a command; one that is not known runs on the machine alone. */
export function commandRole(words: string): CommandRole {
  const row = commandRows[words] ?? 'here'
  return row === 'here' ? row : row[0]
}
