import type { TSchema } from '@sinclair/typebox'
import type { TypeCheck, ValueError } from '@sinclair/typebox/compiler'
import { GatewayError } from '../../errors/gateway-error'
import type { Fields } from '../json/fields'

/** A field that is not as it should be. @param expected has a Persian of its own, see expected-fa */
export const invalid = (param: string, expected: string): GatewayError =>
  new GatewayError('invalid_field', { field: param, expected }, { param })

/**
 * A member that this vendor cannot be asked: the next route's may.
 * @param path of the endpoint
 */
export const unsupported = (model: string, path: string, param: string): GatewayError =>
  new GatewayError('endpoint_not_supported', { model, endpoint: `${path} (${param})` }, { param })

const maxModelChars = 256
/** By the specification, ChatRequest. */
const maxMessages = 500

/**
 * Why a body of a chat format was not accepted, in the order in which a person looks: no object, no
 * model, no messages or too many, and only then its fields. The `description` of a schema is what
 * is told of it.
 */
export function chatFault<Schema extends TSchema>(
  compiled: TypeCheck<Schema>,
  value: unknown,
): GatewayError {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new GatewayError('invalid_field', { field: 'body', expected: 'a JSON object' })
  const { model, messages } = value as Readonly<Fields>
  const wrong = modelFault(model)
  if (wrong !== null) return wrong
  if (!Array.isArray(messages) || messages.length === 0)
    return new GatewayError('missing_messages', {}, { param: 'messages' })
  if (messages.length > maxMessages) {
    const facts = { count: messages.length, limit: maxMessages }
    return new GatewayError('too_many_messages', facts, { param: 'messages' })
  }
  const { param, expected } = firstFault(compiled, value)
  return param.startsWith('messages')
    ? new GatewayError('invalid_message', { field: param, expected }, { param })
    : invalid(param, expected)
}

/** Fault of a model's name; null when it can be requested. */
export function modelFault(model: unknown): GatewayError | null {
  if (model === undefined || model === null)
    return new GatewayError('missing_model', {}, { param: 'model' })
  if (typeof model !== 'string' || model === '' || model.length > maxModelChars)
    return new GatewayError('invalid_model', {}, { param: 'model' })
  return null
}

/** The first field that is wrong, as clients name it. */
export function firstFault<Schema extends TSchema>(
  compiled: TypeCheck<Schema>,
  value: unknown,
): { readonly param: string; readonly expected: string } {
  const error = compiled.Errors(value).First()
  if (error === undefined) return { param: 'body', expected: 'valid' }
  return { param: paramOf(error.path), expected: expectedBy(error) }
}

const expectedBy = ({ schema, message }: ValueError): string =>
  schema.description ?? message.toLowerCase()

/** `/messages/3/role` as `messages[3].role`. */
const paramOf = (path: string): string =>
  path
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1)
