import type { TObject, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { checkRole } from '../accounts/access-rules'
import { checkInput } from './refusals/check-input'
import type { Operation } from './operation'
import type { OperationParts } from './parts'

/** An operation's input as it was sent: texts in address and query, anything in the body. */
interface SentInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly body: unknown
  readonly upload?: AsyncIterable<Uint8Array>
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
  checkRole(parts.requester, operation.role)
  return await operation.run(parts, {
    params: checked(operation.params, typed(operation.params, sent.params)),
    query: queryOf(operation.query, sent.query),
    body: checked(operation.body, sent.body ?? {}),
    upload: sent.upload ?? nothing(),
  })
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Query of an address, checked. @throws AdminError input_invalid */
export const queryOf = (schema: TObject, sent: SentInput['query']): Record<string, unknown> =>
  checked(schema, typed(schema, sent))

/** `integer` also of one that may be a text besides. */
const typeOf = (schema: TSchema | undefined): unknown =>
  schema?.['type'] ?? (schema?.['anyOf'] as readonly TSchema[] | undefined)?.[0]?.['type']

/** Texts of an address as what they stand for; what stands for nothing else stays a text. */
function typed(
  { properties }: TObject,
  sent: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const as = (type: unknown, text: unknown): unknown => {
    if (type === 'integer' && typeof text === 'string' && /^\d{1,16}$/.test(text))
      return Number(text)
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
    return text
  }
  return Object.fromEntries(
    Object.entries(sent).map(([name, text]) => [name, as(typeOf(properties[name]), text)]),
  )
}

function checked(schema: TObject, sent: unknown): Record<string, unknown> {
  const value = Value.Default(schema, sent)
  checkInput(schema, value)
  return value as Record<string, unknown>
}
