import { readFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Option, type Command } from 'commander'
import type { Operation } from '../../business/operations/operation'
import { operationRows } from '../../business/operations/table'
import type { Secret } from '../../domain/secret'
import { secretPrefix } from '../../gateway/identity/secret'
import { branch, leaf, read } from '../kit/command'
import { withCsv, withLimit, type LongListOptions } from '../kit/listing'
import { endProgress } from '../kit/output'
import { withPlace, type RunOperation } from '../kit/place'
import type { Sent } from '../remote/over-http'
import { confirmedAs } from './confirm'
import {
  addOption,
  wasTyped,
  readerOf,
  sentAs,
  typedFields,
  typedFlag,
  typedValues,
  type AnyForm,
  type TypedField,
} from './field-options'
import { fieldWords, namingOptions } from './name-option'
import { printAnswer } from './print-answer'
import { openUpload } from './uploads'

type Values = Readonly<Record<string, unknown>>

const operationsOf = new WeakMap<Command, Operation>()

/** Operation that a command runs; null for one that is written by hand. */
export const operationOf = (command: Command): Operation | null => operationsOf.get(command) ?? null

/** Says which operation a command that is written by hand runs: `--remote` calls it over HTTP. */
export function runsOperation(command: Command, name: string): Operation {
  const row = operationNamed(name)
  operationsOf.set(command, row)
  return row
}

/**
 * A word, the commands of all operations that begin with it, and those that are written by hand: before them
 * and after them.
 */
export const subjectCommands =
  (
    word: string,
    about: string,
    byHand: (parent: Command) => void = () => {},
    thenByHand: (parent: Command) => void = () => {},
  ) =>
  (program: Command): void => {
    const parent = branch(program, lastWord(word), about)
    byHand(parent)
    addCommands(parent, (words) => words.slice(0, words.lastIndexOf(' ')) === word)
    thenByHand(parent)
  }

const lastWord = (words: string): string => words.slice(words.lastIndexOf(' ') + 1)

/** The command of one word. */
export const singleCommand =
  (word: string) =>
  (program: Command): void =>
    addCommands(program, (words) => words === word)

function addCommands(parent: Command, isMeant: (words: string) => boolean): void {
  for (const row of operationRows)
    for (const form of row.commands) if (isMeant(form.words)) addCommand(parent, row, form)
}

function addCommand(parent: Command, row: Operation, form: AnyForm): void {
  const command = leaf(parent, lastWord(form.words), form.about ?? row.about, form.example)
  operationsOf.set(command, row)
  if (form.list !== undefined)
    (form.list.isNewestFirst === true && form.list.isWhole !== true ? withLimit : withCsv)(command)
  if (form.file !== undefined) withCsv(command)
  if (form.helpEnd !== undefined) command.addHelpText('after', form.helpEnd)
  const added = insteadFields(form)
  const input = inputOf(command, row, form, added)
  const words = fieldWords(row, form, added)
  command.action(async (...given: unknown[]) => {
    const options = command.opts<LongListOptions & Values>()
    const meant = meantBy(row, form, options)
    const sent = await input(given.slice(0, command.registeredArguments.length), options, meant.row)
    await withPlace(options, form.makesFolder === true, (run) => {
      const asked = confirmedAs(form, run, options)
      const quiet: RunOperation = (to, input) => asked(to, input).finally(endProgress)
      return namingOptions(words, () => printAnswer(quiet, meant.row, meant.form, sent, options))
    })
  })
}

type Instead = NonNullable<AnyForm['instead']>

const attributeOf = (flag: string): string => new Option(flag).attributeName()
const flagWord = (flag: string): string => flag.split(' ', 1)[0] ?? flag

function operationNamed(wanted: string): Operation {
  const found = operationRows.find(({ name }) => name === wanted)
  if (found === undefined) throw new Error(`no operation ${wanted}`)
  return found
}

/** Fields that only the operation of a flag takes. */
function insteadFields(form: AnyForm): readonly TypedField[] {
  const { instead } = form
  if (instead === undefined) return []
  const { operation, adds: takes = [] } = instead
  return typedFields(operationNamed(operation).body, { ...form, takes })
}

/** Adds the flag of another operation, and options of fields that only that one takes. */
function addInstead(command: Command, form: AnyForm, added: readonly TypedField[]): void {
  const { instead } = form
  if (instead === undefined) return
  const { flag, about, conflicts } = instead
  command.addOption(new Option(flag, about).conflicts([...conflicts]))
  // Without the flag they are not even allowed.
  for (const each of added) addOption(command, { ...each, isRequired: false }, form)
}

const isInstead = ({ flag }: Instead, options: Values): boolean =>
  options[attributeOf(flag)] !== undefined

/** The operation that a command runs, or the one that a flag puts in its place. */
function meantBy(
  row: Operation,
  form: AnyForm,
  options: Values,
): { readonly row: Operation; readonly form: AnyForm } {
  const { instead } = form
  if (instead === undefined || !isInstead(instead, options)) return { row, form }
  return { row: operationNamed(instead.operation), form: instead.form }
}

/** Part of another operation's path that its flag says. @throws RangeError for what goes with the flag alone */
function insteadParams(
  { instead }: AnyForm,
  added: readonly TypedField[],
  options: Values,
): Readonly<Record<string, string>> {
  if (instead === undefined) return {}
  if (isInstead(instead, options)) {
    const { param, flag } = instead
    return param === undefined ? {} : { [param]: textOf(options[attributeOf(flag)]) }
  }
  const alone = added.find((each) => wasTyped(each, options))
  if (alone !== undefined)
    throw new RangeError(`${typedFlag(alone)} goes with ${flagWord(instead.flag)}`)
  return {}
}

/**
 * Declares arguments and options of a command.
 * @returns what reads them as the operation's input
 */
function inputOf(command: Command, row: Operation, form: AnyForm, added: readonly TypedField[]) {
  const params = Object.entries(form.params ?? {})
  for (const [, { name, about, as, kind }] of params) {
    const reader = kind === 'key' ? keyWord : kind === 'text' ? asTyped : idWord
    if (as === 'place') command.argument(`<${name}>`, about, reader)
    else command.requiredOption(`--${name} <id>`, about, reader)
  }
  const { places = {}, options: own = {}, compose = (typed: Values) => typed } = form
  const fields = [Type.Object(own), row.query, row.body].flatMap((each) => typedFields(each, form))
  const placed = fields.filter(({ field }) => field in places)
  const optional = fields.filter(({ field }) => !(field in places))
  const oneOf = optional.filter(({ field }) => form.oneOf?.includes(field))
  for (const { field, shape } of placed)
    command.argument(places[field] ?? '', shape.about ?? '', readerOf(shape))
  for (const each of optional) addOption(command, each, form)
  addInstead(command, form, added)

  return async (byPlace: unknown[], options: Values, meant: Operation): Promise<Sent> => {
    const rest = [...byPlace]
    checkNeeded(command, form, { oneOf, added }, options)
    const paramOf = ([, { name, as }]: (typeof params)[number]) =>
      as === 'place' ? rest.shift() : options[name]
    const sentParams = Object.fromEntries(
      params.map((each) => [each[0], textOf(paramOf(each))] as const),
    )
    const values: Record<string, unknown> = {
      ...form.body,
      ...(await typedValues([...optional, ...added], form, options)),
    }
    for (const { field, shape } of placed) {
      const given = rest.shift()
      // Of a place for several, none is an empty list.
      const isNone = given === undefined || (Array.isArray(given) && given.length === 0)
      if (shape.isSpread === true) Object.assign(values, given)
      else if (!isNone) values[field] = sentAs(shape, given)
    }
    const composed = Object.entries(compose(values))
    const [query, body] = [meant.query, meant.body].map(({ properties }) =>
      composed.filter(([field]) => field in properties),
    )
    const sent = withFile(form, {
      params: { ...sentParams, ...insteadParams(form, added, options) },
      query: Object.fromEntries(
        (query ?? []).map(([field, value]) => [
          field,
          Array.isArray(value) ? value.map(textOf) : textOf(value),
        ]),
      ),
      body: Object.fromEntries(body ?? []),
    })
    return await withUpload(command, form, sent)
  }
}

/** Ends with exit code 2 where an option is missing that only one of both operations needs. */
function checkNeeded(
  command: Command,
  { instead }: AnyForm,
  { oneOf, added }: Readonly<Record<'oneOf' | 'added', readonly TypedField[]>>,
  options: Values,
): void {
  const isOther = instead !== undefined && isInstead(instead, options)
  const needed = isOther
    ? added.filter(({ isRequired }) => isRequired).map((each) => [each])
    : [oneOf].filter(({ length }) => length > 0)
  for (const some of needed) {
    if (some.some((each) => wasTyped(each, options))) continue
    const flags = some.map((each) => (each.shape.fromStdin === true ? typedFlag(each) : each.flag))
    const other = isOther || instead === undefined ? [] : [flagWord(instead.flag)]
    const named = [...flags, ...other].map((flag) => `'${flag}'`).join(' or ')
    command.error(`error: required option ${named} not specified`)
  }
}

/** Sends the files that are named, with their names and lengths in the place of their paths. */
async function withUpload(command: Command, { uploads }: AnyForm, sent: Sent): Promise<Sent> {
  const paths = uploads === undefined ? undefined : sent.query[uploads]
  if (uploads === undefined || paths === undefined) return sent
  const { names, pieces } = await openUpload(command, [paths].flat())
  return { ...sent, query: { ...sent.query, [uploads]: names }, upload: pieces }
}

/** Puts what a file holds in the place of its path. @throws RangeError where it cannot be read */
function withFile({ fileIn }: AnyForm, { params, query, body }: Sent): Sent {
  const field = fileIn?.(params, body) ?? null
  if (field === null) return { params, query, body }
  const path = textOf(body[field])
  try {
    const content = readFileSync(path).toString('base64')
    return { params, query, body: { ...body, [field]: content } }
  } catch (cause) {
    throw new RangeError(`${Object.values(params).join(' ')} cannot read ${path}`, { cause })
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

const asTyped = (text: string): string => text
const idWord = (text: string): string => String(read.id(text))
/** Of a whole secret no more than its beginning goes on. */
const keyWord = (text: string): string =>
  text.startsWith('sk-') ? secretPrefix(text.replace(/…$/, '') as Secret) : text
