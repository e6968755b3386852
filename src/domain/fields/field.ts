import type { Ms } from '../clock'
import { parseUsd, showUsd, type NanoUsd } from '../money'

/*
 * A subject (key, project, account) has one table of what can be set of it. Types, schemas, views, lines
 * of the trail, undo, defaults and options of commands are made of it: a row more is a field more everywhere.
 */

type FieldKind =
  'name' | 'text' | 'flag' | 'count' | 'usd' | 'words' | 'instant' | 'choice' | 'group'

/** One thing that can be set of a subject. @typeParam Value as the program has it */
export interface Field<
  Kind extends FieldKind = FieldKind,
  Value = unknown,
  Wire extends string = string,
> {
  readonly kind: Kind
  /** Name in requests and answers, in JSON and CSV. */
  readonly wire: Wire
  /** For people, as an option's help and the document of the interface have it. */
  readonly about: string
  readonly nullable: boolean
  /** Default; undefined for a field that a new subject cannot do without. */
  readonly preset?: Value
  /** Name in the trail; that of the wire where it is left out. */
  readonly trail?: string
  /** Name of its option; that of the wire without its unit where it is left out. */
  readonly option?: string
  readonly choices?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  /** A text that is never blank. */
  readonly isFilled?: true
  readonly max?: number
  /** Kept units in one of the wire: 1000 for what is kept in milliseconds and sent in seconds. */
  readonly scale?: number
  /** A number that stands for none where it is kept. */
  readonly unlimited?: number
  /** Never there: carries the type. */
  readonly value?: Value
}

type More<Value> = Partial<
  Omit<Field<FieldKind, Value>, 'kind' | 'wire' | 'about' | 'nullable' | 'value'>
>

const kindOf =
  <Kind extends FieldKind, Usual>(kind: Kind) =>
  <const Wire extends string>(
    wire: Wire,
    about: string,
    more: More<Usual> = {},
  ): Field<Kind, Usual, Wire> => ({ ...more, kind, wire, about, nullable: false })

export const settableField = {
  name: kindOf<'name', string>('name'),
  text: kindOf<'text', string>('text'),
  flag: kindOf<'flag', boolean>('flag'),
  count: kindOf<'count', number>('count'),
  usd: kindOf<'usd', NanoUsd>('usd'),
  words: kindOf<'words', readonly string[]>('words'),
  instant: kindOf<'instant', Ms>('instant'),
  choice: <const Wire extends string, const Choice extends string>(
    wire: Wire,
    choices: readonly Choice[],
    about: string,
    more: More<NoInfer<Choice>> = {},
  ): Field<'choice', Choice, Wire> => ({
    ...more,
    kind: 'choice',
    wire,
    about,
    choices,
    nullable: false,
  }),
}

/** Nullable form of a field. */
export const orNone = <Kind extends FieldKind, Value, Wire extends string>(
  { preset, ...of }: Field<Kind, Value, Wire>,
  unless: Value | null = preset ?? null,
): Field<Kind, Value | null, Wire> => ({
  ...of,
  nullable: true,
  preset: unless,
})

export type FieldTable = Readonly<Record<string, Field>>

type ValueOf<Each> = Each extends Field<FieldKind, infer Value> ? Value : never

/** Values of a table of fields, as the program has them. */
export type Valued<Table extends FieldTable> = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]>
}

type NullableIn<Table extends FieldTable> = {
  [Name in keyof Table]: null extends ValueOf<Table[Name]> ? Name : never
}[keyof Table]

/** Values of a table of fields, in which none may be left out. */
export type Sparse<Table extends FieldTable> = Omit<Valued<Table>, NullableIn<Table>> &
  Partial<Pick<Valued<Table>, NullableIn<Table>>>

type WireValue<Each> =
  Each extends Field<infer Kind, infer Value>
    ? | (Kind extends 'flag'
          ? boolean
          : Kind extends 'count'
            ? number
            : Kind extends 'words'
              ? string[]
              : Kind extends 'group'
                ? number
                : Kind extends 'choice'
                  ? NonNullable<Value>
                  : string)
      | (null extends Value ? null : never)
    : never

/** Values of a table of fields, as JSON has them. */
type Wired<Table extends FieldTable> = {
  [Name in keyof Table as Table[Name]['wire']]: WireValue<Table[Name]>
}

type Plain = Readonly<Record<string, unknown>>

function shown({ kind, unlimited, scale = 1 }: Field, value: unknown): unknown {
  if (value === null || value === undefined || value === unlimited) return null
  if (kind === 'usd') return showUsd(value as NanoUsd)
  if (kind === 'count') return (value as number) / scale
  if (kind === 'instant') return new Date(value as Ms).toISOString()
  return value
}

function read({ kind, unlimited, scale = 1 }: Field, told: unknown): unknown {
  if (told === null || told === undefined) return unlimited ?? null
  if (kind === 'count') return (told as number) * scale
  if (typeof told !== 'string') return told
  if (kind === 'usd') return parseUsd(told)
  if (kind === 'instant') return Date.parse(told)
  return kind === 'name' || kind === 'text' ? told.trim() : told
}

const entriesOf = (table: FieldTable) => Object.entries(table)

/** A subject's fields as JSON has them. */
export const wired = <Table extends FieldTable>(
  table: Table,
  subject: Sparse<Table>,
): Wired<Table> =>
  Object.fromEntries(
    entriesOf(table).map(([name, each]) => [each.wire, shown(each, (subject as Plain)[name])]),
  ) as Wired<Table>

/** The change that a body asks for: what was not sent stays. */
export const changeIn = <Table extends FieldTable>(
  table: Table,
  body: object,
): Partial<Valued<Table>> =>
  Object.fromEntries(
    entriesOf(table)
      .filter(([, { wire }]) => (body as Plain)[wire] !== undefined)
      .map(([name, each]) => [name, read(each, (body as Plain)[each.wire])]),
  ) as Partial<Valued<Table>>

const trailName = ({ trail, wire }: Field): string => trail ?? wire

/** A subject's fields as the trail tells of them. */
export const trailed = <Table extends FieldTable>(table: Table, subject: Valued<Table>): Plain =>
  Object.fromEntries(
    entriesOf(table).map(([name, each]) => [
      trailName(each),
      shown(each, (subject as Plain)[name]),
    ]),
  )

/** Fields of a line of the trail as lines have them now: older ones have the number that stands for none. */
export function retold(table: FieldTable, told: Plain): Plain {
  const isNone = (name: string, value: unknown) =>
    entriesOf(table).some(([, each]) => trailName(each) === name && each.unlimited === value)
  return Object.fromEntries(
    Object.entries(told).map(([name, value]) => [name, isNone(name, value) ? null : value]),
  )
}

/** The change that sets back what a line of the trail tells. */
export const changeBack = <Table extends FieldTable>(
  table: Table,
  before: Plain | null,
): Partial<Valued<Table>> =>
  Object.fromEntries(
    entriesOf(table)
      .filter(([, each]) => before !== null && trailName(each) in before)
      .map(([name, each]) => [name, read(each, before?.[trailName(each)])]),
  ) as Partial<Valued<Table>>

/** Defaults of a new subject, without what must be told. */
export const presetsOf = <Table extends FieldTable>(table: Table) =>
  Object.fromEntries(
    entriesOf(table)
      .filter(([, { preset }]) => preset !== undefined)
      .map(([name, { preset }]) => [name, preset]),
  ) as Omit<Valued<Table>, 'name'>

/** Only the fields of the table: what else a row has stays behind. */
export const only = <Table extends FieldTable>(table: Table, row: Sparse<Table>): Valued<Table> =>
  Object.fromEntries(
    Object.keys(table).map((name) => [name, (row as Plain)[name] ?? null]),
  ) as Valued<Table>

/** A row's fields without those that have none. */
export const sparse = <Table extends FieldTable>(table: Table, row: Valued<Table>): Sparse<Table> =>
  Object.fromEntries(
    Object.entries(only(table, row)).filter(([, value]) => value !== null),
  ) as unknown as Sparse<Table>

/** Fields of the table that a change names: what else it has stays behind. */
export const fieldsGiven = <Table extends FieldTable>(
  table: Table,
  change: Partial<Valued<Table>>,
): Partial<Valued<Table>> =>
  Object.fromEntries(
    Object.keys(table)
      .filter((name) => (change as Plain)[name] !== undefined)
      .map((name) => [name, (change as Plain)[name]]),
  ) as Partial<Valued<Table>>
