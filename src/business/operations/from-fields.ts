import {
  Type,
  type TArray,
  type TBoolean,
  type TInteger,
  type TNull,
  type TOptional,
  type TSchema,
  type TString,
  type TUnion,
  type TUnsafe,
} from '@sinclair/typebox'
import { changeIn, type Field, type FieldTable, type Valued } from '../../domain/fields/field'
import { textForms } from './refusals/text-forms'
import { Id, Instant, instantOf, Listed, Name, orNull, Usd } from './fields'

/** Where a schema says how its option is typed; no document shows it. */
const madeOf: unique symbol = Symbol('field')

type Base<Each> =
  Each extends Field<infer Kind, infer Value>
    ? Kind extends 'flag'
      ? TBoolean
      : Kind extends 'count'
        ? TInteger
        : Kind extends 'words'
          ? TArray<TString>
          : Kind extends 'choice'
            ? TUnsafe<NonNullable<Value>>
            : Kind extends 'group'
              ? TUnion<[TInteger, TString]>
              : TString
    : never
type IsNullable<Each> =
  Each extends Field<infer _, infer Value> ? (null extends Value ? true : false) : false
type SchemaOf<Each> = IsNullable<Each> extends true ? TUnion<[Base<Each>, TNull]> : Base<Each>

type Settable<Table extends FieldTable> = {
  [Name in keyof Table as Table[Name]['wire']]: TOptional<
    Table[Name] extends { readonly wire: 'rpm' } ? TUnion<[TInteger, TNull]> : SchemaOf<Table[Name]>
  >
}
type ShownFields<Table extends FieldTable> = {
  [Name in keyof Table as Table[Name]['wire']]: Table[Name] extends Field<'group'>
    ? TUnion<[TInteger, TNull]>
    : Table[Name] extends { readonly wire: 'rpm' }
      ? TUnion<[TInteger, TNull]>
      : SchemaOf<Table[Name]>
}

const literals = (choices: readonly string[]) =>
  Type.Union(choices.map((each) => Type.Literal(each)))

function baseOf({ kind, choices = [], max, minLength, maxLength = 200, isFilled }: Field): TSchema {
  if (kind === 'name') return Name
  if (kind === 'text')
    return Type.String({
      ...(minLength === undefined ? {} : { minLength }),
      maxLength,
      ...(isFilled === true ? { minLength: 1, pattern: textForms.not_blank } : {}),
    })
  if (kind === 'flag') return Type.Boolean()
  if (kind === 'usd') return Usd
  if (kind === 'instant') return Instant
  if (kind === 'choice') return literals(choices)
  if (kind === 'group') return Type.Union([Id, Name])
  if (kind === 'words') return Listed.anyOf[0]
  return Type.Integer({ minimum: 1, ...(max === undefined ? {} : { maximum: max }) })
}

const isNullable = ({ nullable, unlimited }: Field): boolean => nullable || unlimited !== undefined

function settableOf(each: Field): TSchema {
  const base = baseOf(each)
  const schema = isNullable(each) ? orNull(base) : base
  return Type.Optional({ ...schema, description: each.about, [madeOf]: each } as TSchema)
}

/** Body of a change: each field of a table may be left out. */
export const settable = <Table extends FieldTable>(table: Table): Settable<Table> =>
  Object.fromEntries(
    Object.values(table).map((each) => [each.wire, settableOf(each)]),
  ) as unknown as Settable<Table>

/**
 * The change that a body asks for: what was not sent stays.
 * @throws AdminError input_invalid for a moment that no calendar has
 */
export function changeBy<Table extends FieldTable>(
  table: Table,
  body: object,
): Partial<Valued<Table>> {
  for (const { kind, wire } of Object.values(table)) {
    const told: unknown = Reflect.get(body, wire)
    if (kind === 'instant' && typeof told === 'string') instantOf(told, wire)
  }
  return changeIn(table, body)
}

function shownOf(each: Field): TSchema {
  const { kind, choices = [], scale } = each
  const base =
    kind === 'flag'
      ? Type.Boolean()
      : kind === 'count' || kind === 'group'
        ? scale === undefined
          ? Type.Integer()
          : Type.Number()
        : kind === 'words'
          ? Type.Array(Type.String())
          : kind === 'choice'
            ? literals(choices)
            : Type.String()
  return isNullable(each) ? orNull(base) : base
}

/** Fields of a table in an answer. */
export const shownFields = <Table extends FieldTable>(table: Table): ShownFields<Table> =>
  Object.fromEntries(
    Object.values(table).map((each) => [each.wire, shownOf(each)]),
  ) as unknown as ShownFields<Table>

/** How an option is typed, besides what its schema says. */
export interface OptionShape extends Partial<
  Pick<Field, 'kind' | 'option' | 'choices' | 'nullable'>
> {
  /** Values by the words that may be typed for them. */
  readonly words?: Readonly<Record<string, string>>
  /** Largest number that can be typed. */
  readonly most?: number
  /** Sent where nothing is typed, for what callers by HTTP must send themselves. */
  unlessTyped?(): unknown
  /** Options of other fields that it stands in the place of. */
  readonly conflicts?: readonly string[]
  readonly isHidden?: true
  /** Earlier name of the option, with its value; typed as before and not shown. */
  readonly formerly?: string
  /** The reader gives several fields, of which this is one. */
  readonly isSpread?: true
  /** May be typed again and again: a list of what its kind says. */
  readonly isRepeated?: true
  /** A moment of the past: a span such as 7d is so long ago. */
  readonly isPast?: true
  /**
   * A secret: its option is a flag that ends in `-stdin`, and the value is read from standard input; there
   * without an option where it is always needed, or beside an option of its own.
   */
  readonly fromStdin?: true | 'always' | 'too'
  /** Where a person can answer, it is asked for unless it was given. */
  readonly isPrompted?: true
  /**
   * Reads what is typed as what is sent, for a grammar of its own.
   * @throws RangeError for what cannot be read
   * @param earlier of an option that was typed before in the same command; undefined for the first
   */
  readonly read?: (text: string, earlier: unknown) => unknown
}

/** How the option of a field is typed; null for a field that is none. */
export const optionOf = (schema: TSchema): (OptionShape & Partial<Field>) | null =>
  (schema as { readonly [madeOf]?: OptionShape & Partial<Field> })[madeOf] ?? null

/**
 * A field of a body that no subject has, which a command takes as an option too.
 * @param about for both, unless the schema has a description of its own
 */
export const asOption = <Schema extends TSchema>(
  schema: Schema,
  about: string,
  more: OptionShape = {},
): Schema => ({ description: about, ...schema, [madeOf]: { ...more, about } })

/** Schema of a table's field, with more in its help and document than the table knows. */
export const describe = <Schema extends TSchema>(schema: Schema, about: string): Schema => ({
  ...schema,
  description: about,
  [madeOf]: { ...optionOf(schema), about },
})
