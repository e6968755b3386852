import type { TObject, TSchema } from '@sinclair/typebox'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { CommandForm } from '../../business/operations/command'
import { optionOf, type OptionShape } from '../../business/operations/from-fields'
import type { Field } from '../../domain/fields/field'
import { showUsd } from '../../domain/money'
import { readMoment } from '../kit/expiry'
import { requestedKey, givenKey, stdinKeyAbout } from '../kit/given-key'
import { read, refusing } from '../kit/command'
import { readPast } from '../kit/date-range'

/** A form whose operation is known by its row alone. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyForm = CommandForm<any>

type Values = Readonly<Record<string, unknown>>
type Shape = OptionShape & Partial<Field>

/** A field of an operation that is typed as an option, or by place. */
export interface TypedField {
  /** Name in the body or query. */
  readonly field: string
  readonly shape: Shape
  readonly flag: string
  readonly isRequired: boolean
  /** Choice unless told, by the schema; undefined for none. */
  readonly preset: unknown
}

/** Fields of a body or query that say how they are typed; those that the words or places give are none. */
export const typedFields = (
  { properties, required = [] }: TObject,
  { body = {}, takes, needs = [] }: AnyForm,
): readonly TypedField[] =>
  Object.entries(properties).flatMap(([field, schema]) => {
    const shape = shapeOf(schema)
    if (shape === null || field in body || takes?.includes(field) === false) return []
    const preset: unknown = shape.unlessTyped === undefined ? schema.default : undefined
    const isRequired =
      needs.includes(field) ||
      (required.includes(field) && preset === undefined && shape.unlessTyped === undefined)
    return [{ field, shape, flag: flagOf(field, schema, shape), isRequired, preset }]
  })

const kindOfType: Readonly<Record<string, Field['kind']>> = { string: 'text', boolean: 'flag' }

function shapeOf(schema: TSchema): Shape | null {
  const shape = optionOf(schema)
  if (shape === null) return null
  const { anyOf = [schema] } = schema as { readonly anyOf?: readonly TSchema[] }
  return { kind: kindOfType[String(anyOf[0]?.['type'])] ?? 'count', ...shape }
}

const placeholders: Readonly<Record<Field['kind'], string>> = {
  name: ' <name>',
  text: ' <text>',
  usd: ' <usd>',
  count: ' <n>',
  flag: '',
  words: ' <name>',
  instant: ' <when>',
  choice: ' <state>',
  group: ' <group>',
}

function flagOf(field: string, { maximum }: TSchema, { option, kind = 'text' }: Shape): string {
  const name = option ?? field.replace(/_usd$/, '').replaceAll('_', '-')
  if (name.includes(' ')) return `--${name}`
  const isId = kind === 'count' && maximum === Number.MAX_SAFE_INTEGER
  return `--${name}${isId ? ' <id>' : placeholders[kind]}`
}

/** Adds the option of a field, and the flags that each stand for one value of it. */
export function addOption(
  command: Command,
  { field, shape, flag, isRequired, preset }: TypedField,
  { flags = {} }: AnyForm,
): void {
  const about = (shape.about ?? '').replaceAll(/\bnull\b/g, 'none')
  if (shape.fromStdin === 'always') return
  if (shape.fromStdin === true)
    command.addOption(new Option(typedFlag({ shape, flag }), about).makeOptionMandatory(isRequired))
  else if (shape.fromStdin === 'too') {
    command.option(flag, about)
    command.option(typedFlag({ shape, flag }), stdinKeyAbout)
  } else {
    const option = new Option(flag, about).makeOptionMandatory(isRequired)
    if (typeof preset === 'string') option.default(preset)
    if (shape.choices !== undefined) option.choices(shape.choices)
    else if (shape.kind !== 'flag') option.argParser<unknown>(readerOf(shape))
    if (shape.conflicts !== undefined) option.conflicts([...shape.conflicts])
    command.addOption(option.hideHelp(shape.isHidden === true))
    if (shape.formerly !== undefined)
      command.addOption(
        new Option(`--${shape.formerly}`, about).argParser<unknown>(readerOf(shape)).hideHelp(),
      )
  }
  const others = flags[field] ?? []
  for (const each of others) {
    const option = new Option(each.flag, each.about).hideHelp(each.hidden === true)
    if (each.isAlone === true)
      option.conflicts(
        [flag, ...others.filter((other) => other !== each).map((other) => other.flag)].map(
          attributeOf,
        ),
      )
    command.addOption(option)
  }
}

const flagWord = (flag: string): string => flag.split(' ', 1)[0] ?? flag

/** The option of a field as it is typed, without its value. */
export const typedFlag = ({ shape, flag }: Pick<TypedField, 'shape' | 'flag'>): string =>
  shape.fromStdin === undefined ? flagWord(flag) : `${flagWord(flag)}-stdin`

/** Reads what is typed as what is sent; `none` stands for null, which the parser of options cannot hand on. */
export function readerOf(shape: Shape): (text: string, earlier: unknown) => unknown {
  const { kind, words, isFilled, read: grammar } = shape
  if (grammar !== undefined) return (text, earlier) => refusing(() => grammar(text, earlier))
  if (shape.isPast === true) return (text) => new Date(readPast(text)).toISOString()
  const one = (text: string): unknown => {
    if (kind === 'name' || isFilled === true) return read.name(text)
    if (kind === 'usd') return showUsd(read.usd(text))
    if (kind === 'count') return read.countTo(text, shape.most)
    if (kind === 'instant') return new Date(readMoment(text)).toISOString()
    return text
  }
  if (shape.isRepeated === true)
    return (text, earlier) => [...((earlier as readonly unknown[] | undefined) ?? []), one(text)]
  if (kind === 'words') return (text, earlier) => listed(text, earlier, words)
  return (text) => (isNone(shape, text) ? text : one(text))
}

const isNone = ({ nullable, unlimited }: Shape, given: unknown): boolean =>
  given === 'none' && (nullable === true || unlimited !== undefined)

/** Value that is sent for what a reader made of the text. */
export const sentAs = (shape: Shape, given: unknown): unknown =>
  isNone(shape, given) ? null : given

/** A word more of a list; of closed words `all` stands for each of them. @throws InvalidArgumentError */
function listed(text: string, earlier: unknown, words: Shape['words']): readonly string[] {
  if (words !== undefined && text === 'all') return Object.values(words)
  const word = words === undefined ? text : words[text]
  if (word === undefined)
    throw new InvalidArgumentError(`One of ${Object.keys(words ?? {}).join(', ')} or all.`)
  return [...((earlier as readonly string[] | undefined) ?? []), word]
}

const attributeOf = (flag: string): string => new Option(flag).attributeName()

/** Whether the option of a field was typed. */
export const wasTyped = (each: TypedField, options: Values): boolean =>
  options[attributeOf(each.shape.fromStdin === true ? typedFlag(each) : each.flag)] !== undefined

/** Values of the fields that were typed as options. @throws RangeError for a secret that is empty */
export async function typedValues(
  fields: readonly TypedField[],
  { flags = {} }: AnyForm,
  options: Values,
): Promise<Values> {
  const values: Record<string, unknown> = {}
  for (const each of fields) {
    const { field, shape, flag } = each
    const given =
      shape.fromStdin !== undefined
        ? await fromStdin(each, options)
        : (options[attributeOf(flag)] ?? formerValue(shape, options) ?? shape.unlessTyped?.())
    if (shape.isSpread === true) Object.assign(values, given)
    else if (given !== undefined) values[field] = sentAs(shape, given)
    for (const other of flags[field] ?? [])
      // `--no-x` is the option `x` that is false, which was read above.
      if (!other.flag.startsWith('--no-') && options[attributeOf(other.flag)] === true)
        values[field] = other.value
  }
  return values
}

const formerValue = ({ formerly }: Shape, options: Values): unknown =>
  formerly === undefined ? undefined : options[attributeOf(`--${formerly}`)]

async function fromStdin(each: TypedField, options: Values): Promise<string | undefined> {
  const { shape } = each
  const flag = typedFlag(each)
  if (shape.fromStdin === 'always') return (await Bun.stdin.text()).trim()
  if (shape.fromStdin === 'too') return await keyOf(each, options)
  if (options[attributeOf(flag)] !== true) return undefined
  const secret = (await Bun.stdin.text()).trim()
  if (secret === '') throw new RangeError(`${flag}: standard input is empty`)
  return secret
}

/** @throws RangeError for both ways at once, and for a key that is needed and was not given */
async function keyOf(
  { shape, flag, isRequired }: TypedField,
  options: Values,
): Promise<string | undefined> {
  const isAsked = shape.isPrompted === true && options['json'] !== true
  const key = (await givenKey(options)) ?? (isAsked ? await requestedKey() : null)
  if (key === null && isRequired) throw new RangeError(`a key is needed: ${flagWord(flag)}-stdin`)
  return key ?? undefined
}
