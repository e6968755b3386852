import type { TObject } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { mayAs, type OperatorRole } from '../../operators/role'
import { AdminError } from '../admin-error'
import type { Operation } from './operation'
import type { OperationParts } from './parts'

/** An operation's input as it was sent: texts in address and query, anything in the body. */
export interface SentInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly body: unknown
}

/** @throws AdminError role_too_low */
export function checkRole({ role: needed }: Pick<Operation, 'role'>, role: OperatorRole): void {
  if (!mayAs(role, needed)) throw new AdminError('role_too_low', { needed, role })
}

/**
 * Runs an operation on what was sent, checked against its schemas.
 * @throws AdminError role_too_low | input_invalid, and what the operation throws
 */
export async function invoke(
  operation: Operation,
  parts: OperationParts,
  sent: SentInput,
): Promise<unknown> {
  checkRole(operation, parts.operator.role)
  return await operation.run(parts, {
    params: checked(operation.params, Value.Convert(operation.params, sent.params)),
    query: checked(operation.query, Value.Convert(operation.query, sent.query)),
    body: checked(operation.body, sent.body ?? {}),
  })
}

function checked(schema: TObject, value: unknown): Record<string, unknown> {
  const fault = Value.Errors(schema, value).First()
  if (fault === undefined) return Value.Default(schema, value) as Record<string, unknown>
  const field = fault.path.replace(/^\//, '').replaceAll('/', '.')
  throw new AdminError('input_invalid', { field, rule: fault.message })
}
