import type { Static, TSchema } from '@sinclair/typebox'
import type { TypeCheck } from '@sinclair/typebox/compiler'
import { GatewayError } from '../../errors/gateway-error'
import { countCharacters } from './characters'
import { isFields, type Fields } from '../json/fields'
import { firstFault, invalid, modelFault } from './schema-fault'

/*
 * The checks of a body, in the order in which a person looks: an object, its model, what it cannot
 * be without, how long that is, and only then its fields.
 */

/** Checks that a body is an object. @throws invalid_field */
export function checkObject(value: unknown): asserts value is Fields {
  if (!isFields(value))
    throw new GatewayError('invalid_field', { field: 'body', expected: 'a JSON object' })
}

/**
 * Checks that a body is an object that names a model.
 * @throws invalid_field | missing_model | invalid_model
 */
export function checkNamed(value: unknown): asserts value is Fields {
  checkObject(value)
  const wrong = modelFault(value['model'])
  if (wrong !== null) throw wrong
}

/** Codes of mandatory fields that are missing. */
const codes = {
  prompt: { missing: 'missing_prompt', long: 'prompt_too_long' },
  input: { missing: 'missing_input', long: 'input_too_long' },
} as const
type Demanded = keyof typeof codes

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Checks that a mandatory field is there. @throws missing_prompt | missing_input */
export function checkGiven(body: Fields, name: Demanded): void {
  if (isNothing(body[name])) throw new GatewayError(codes[name].missing, {}, { param: name })
}

/** Checks a mandatory field of which an empty list counts as missing. @throws missing_prompt | missing_input */
export function checkAnyGiven(body: Fields, name: Demanded): void {
  const value = body[name]
  if (isNothing(value) || (Array.isArray(value) && value.length === 0))
    throw new GatewayError(codes[name].missing, {}, { param: name })
}

/**
 * Checks the length of a text field.
 * @param limit in characters, of a text
 * @throws prompt_too_long | input_too_long
 */
export function checkLength(body: Fields, name: Demanded, limit: number): void {
  const text = body[name]
  // No text has more characters than units.
  if (typeof text !== 'string' || text.length <= limit) return
  const count = countCharacters(text)
  if (count > limit) throw new GatewayError(codes[name].long, { count, limit }, { param: name })
}

/** Checks every field of a body by its schema. @throws invalid_field naming the first that is wrong */
export function checkFields<Schema extends TSchema>(
  compiled: TypeCheck<Schema>,
  value: unknown,
): asserts value is Static<Schema> {
  if (compiled.Check(value)) return
  const { param, expected } = firstFault(compiled, value)
  throw invalid(param, expected)
}
