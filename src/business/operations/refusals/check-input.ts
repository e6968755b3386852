import type { TSchema } from '@sinclair/typebox'
import { ValueErrorType, type ValueError } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import { AdminError } from '../admin-error'
import type { InputFault, LimitRule, WantedType } from './input-fault'
import { textForms, type TextForm } from './text-forms'

/**
 * Checks what was sent.
 * @param within field that the value is in; none for the whole
 * @throws AdminError input_invalid for the first field that is refused
 */
export function checkInput(schema: TSchema, value: unknown, within?: string): void {
  const found = Value.Errors(schema, value).First()
  if (found !== undefined) throw inputRefusal(found, within)
}

/** Refusal of the field in which a checker of schemas found an error. */
export function inputRefusal(found: ValueError, within?: string): AdminError<'input_invalid'> {
  const error = ofVariant(found)
  const path = error.path.split('/').slice(1)
  const field = [...(within === undefined ? [] : [within]), ...path].join('.')
  return new AdminError('input_invalid', { field, ...inputFault(error) })
}

const limits: { readonly [Type in ValueErrorType]?: readonly [LimitRule, keyword: string] } = {
  [ValueErrorType.StringMinLength]: ['too_short', 'minLength'],
  [ValueErrorType.StringMaxLength]: ['too_long', 'maxLength'],
  [ValueErrorType.IntegerMinimum]: ['too_small', 'minimum'],
  [ValueErrorType.IntegerMaximum]: ['too_large', 'maximum'],
  [ValueErrorType.NumberMinimum]: ['too_small', 'minimum'],
  [ValueErrorType.NumberExclusiveMinimum]: ['not_above', 'exclusiveMinimum'],
  [ValueErrorType.NumberMaximum]: ['too_large', 'maximum'],
  [ValueErrorType.ArrayMinItems]: ['too_few', 'minItems'],
  [ValueErrorType.ArrayMaxItems]: ['too_many', 'maxItems'],
  [ValueErrorType.ObjectMinProperties]: ['too_few', 'minProperties'],
  [ValueErrorType.ObjectMaxProperties]: ['too_many', 'maxProperties'],
}

/** Why a checker of schemas refuses a value. */
export function inputFault({ type, schema }: ValueError): InputFault {
  const limit = limits[type]
  if (limit !== undefined) return { rule: limit[0], limit: Number(schema[limit[1]]) }
  if (type === ValueErrorType.ObjectRequiredProperty) return { rule: 'required' }
  if (type === ValueErrorType.ObjectAdditionalProperties) return { rule: 'unknown_field' }
  if (type === ValueErrorType.StringPattern)
    return { rule: 'bad_form', form: formOf(schema['pattern']) }
  const choices = choicesOf(schema)
  return choices === null
    ? { rule: 'wrong_type', wanted: [...new Set(variantsOf(schema).map(typeOf))] }
    : { rule: 'not_one_of', choices }
}

/** Of a choice the checker only says that it is one: the fault is that of the kind of value that was sent. */
function ofVariant(error: ValueError): ValueError {
  if (error.type !== ValueErrorType.Union || choicesOf(error.schema) !== null) return error
  const variants = error.errors.flatMap((each) => each.First() ?? [])
  const near = variants.filter(({ schema }) => isNamed(schema))
  const ofItsType = near.filter((each) => inputFault(each).rule !== 'wrong_type')
  const ofItsFields = ofItsType.filter(({ type }) => !otherFields.has(type))
  const [only] = [near, ofItsType, ofItsFields].find(({ length }) => length === 1) ?? []
  return only === undefined ? error : ofVariant(only)
}

/** Errors of an object that is another variant's. */
const otherFields: ReadonlySet<ValueErrorType> = new Set([
  ValueErrorType.ObjectRequiredProperty,
  ValueErrorType.ObjectAdditionalProperties,
])

/** Null and the framework's spelling of a number in an address are no types of their own. */
const isNamed = ({ type, format }: TSchema): boolean => type !== 'null' && format === undefined

const variantsOf = (schema: TSchema): readonly TSchema[] =>
  Array.isArray(schema['anyOf'])
    ? (schema['anyOf'] as readonly TSchema[]).filter(isNamed)
    : [schema]

/** Null where other values than listed ones are taken too. */
function choicesOf(schema: TSchema): readonly string[] | null {
  const { const: only, anyOf } = schema
  if (only !== undefined) return [String(only)]
  if (!Array.isArray(anyOf)) return null
  const choices = variantsOf(schema).map(choicesOf)
  return choices.includes(null) ? null : choices.flatMap((each) => each ?? [])
}

const types: Readonly<Record<string, WantedType>> = {
  string: 'text',
  integer: 'whole_number',
  number: 'number',
  boolean: 'truth',
  array: 'list',
}

const typeOf = (schema: TSchema): WantedType => types[String(schema['type'])] ?? 'object'

const forms = Object.entries(textForms) as readonly (readonly [TextForm, string])[]

function formOf(pattern: unknown): TextForm {
  const form = forms.find(([, each]) => each === pattern)
  if (form === undefined) throw new Error('a pattern that has no name')
  return form[0]
}
