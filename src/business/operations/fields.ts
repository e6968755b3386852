import { Type, type TSchema, type TString } from '@sinclair/typebox'
import type { Ms } from '../../domain/clock'
import { AdminError } from './admin-error'
import { parseUsd, type NanoUsd } from '../../domain/money'
import type { InputFault } from './refusals/input-fault'
import { textForms } from './refusals/text-forms'

/* Fields that several operations have. */

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const Name = Type.String({ minLength: 1, maxLength: 60, pattern: textForms.name })
export const Usd = Type.String({ pattern: textForms.usd, maxLength: 20 })
export const SignedUsd = Type.String({ pattern: textForms.signed_usd, maxLength: 20 })
export const Instant = Type.String({ pattern: textForms.instant })

/**
 * Milliseconds of a moment as an operation takes it.
 * @throws AdminError input_invalid for a moment that no calendar has
 */
export function instantOf(text: string, field: string): Ms {
  const at = Date.parse(text)
  if (Number.isNaN(at))
    throw new AdminError('input_invalid', { field, rule: 'bad_form', form: 'instant' })
  return at as Ms
}

/** Null for all. */
export const Listed = orNull(
  Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 100 }),
)
/** Counts once: sent a second time it changes nothing. */
export const Reference = Type.String({ minLength: 1, maxLength: 200, pattern: textForms.not_blank })
export const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: textForms.not_blank })

/** Rows of a page. */
export const max = Type.Integer({ minimum: 1, maximum: 200, default: 50 })
export const beforeId = Type.Optional(Id)

/** A page of a list, and where the next one begins; null where there is none. */
export const pageOf = <Row extends TSchema, Next extends TSchema>(row: Row, next: Next) =>
  Type.Object({ data: Type.Array(row), next: orNull(next) })

/** A field of a query that may come several times. */
export const oneOrMore = (item: TString, maxItems = 20) =>
  Type.Union([item, Type.Array(item, { minItems: 1, maxItems })])

/** Values of a field that may come several times. */
export const allOf = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? [value] : value

export const usdOf = (text: string): NanoUsd => parseUsd(text)

/**
 * Nano-dollars of an amount as an operation takes it.
 * @throws AdminError input_invalid for an amount of nothing
 */
export function amountOf(text: string, field = 'usd'): NanoUsd {
  const amount = parseUsd(text)
  if (amount === 0) throw new AdminError('input_invalid', { field, rule: 'nothing' })
  return amount
}

/** Says why a field cannot be read. @throws AdminError input_invalid */
export function said<T>(field: string, fault: InputFault, read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    throw new AdminError('input_invalid', { field, ...fault })
  }
}

/** A page of rows of which one more was read than is shown. */
export function page<Row, Next>(
  rows: readonly Row[],
  max: number,
  nextOf: (row: Row) => Next,
): { data: Row[]; next: Next | null } {
  const data = rows.slice(0, max)
  const last = data.at(-1)
  return { data, next: rows.length > max && last !== undefined ? nextOf(last) : null }
}

/** Fields without those that nobody sent: they stay as they are. */
export const sent = <Fields extends object>(fields: Fields): SentFields<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as SentFields<Fields>

type SentFields<Fields> = { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> }
