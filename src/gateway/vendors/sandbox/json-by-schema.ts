import { isFields, listOf, type Fields } from '../../json/fields'
import type { Steps } from './slices'

const maxDepth = 40
/** From here on only what is required: a schema that names itself must end. */
const sparseDepth = 4
/** A schema may ask for millions of values; nobody sensible does. */
const maxValues = 10_000
/** Schemas and names read for one answer: a small schema can name a large one from everywhere. */
const maxReads = 100_000
/** Of one schema: itself, what it refers to, its branches. */
const maxParts = 40
const maxReferenceChars = 1024
/** Values and names between two looks at the clock. */
const stepValues = 64
/** Making so many characters takes about as long as making a value. */
const charsPerValue = 128

interface Making {
  readonly root: Fields
  /** Text for strings that are free. */
  readonly text: string
  /** Names of properties, listed once: a schema may be named from many places. */
  readonly names: Map<Fields, readonly string[]>
  /** Values that may still be made. */
  values: number
  /** Schemas and names that may still be read. */
  reads: number
  /** Characters that may still be made: the JSON has at least as many as were taken off. */
  chars: number
  /** Values until the next look at the clock. */
  step: number
}

/**
 * A value that a JSON Schema accepts, always the same one. Types, enumerations, bounds, references and
 * first branches are read; patterns and rules between values are not. The value is bounded while it is
 * made: where it would have more than `maxChars` characters it breaks off behind them.
 * @param text is echoed in strings
 */
export function* valueBySchema(schema: unknown, text: string, maxChars: number): Steps<unknown> {
  const root = isFields(schema) ? schema : {}
  const said = text.slice(0, maxChars)
  const value = yield* make(
    root,
    {
      root,
      text: said,
      names: new Map(),
      values: maxValues,
      reads: maxReads,
      chars: maxChars,
      step: stepValues,
    },
    0,
  )
  return value === undefined || (value === said && root['type'] === undefined) ? {} : value
}

const isFull = ({ values, reads, chars }: Making): boolean =>
  values <= 0 || reads <= 0 || chars <= 0

function* paced(making: Making): Steps<void> {
  if (--making.step > 0) return
  making.step = stepValues
  yield
}

function* make(raw: unknown, making: Making, depth: number): Steps<unknown> {
  if (isFull(making)) return null
  making.values--
  if (depth > maxDepth) return charged(null, making)
  yield* paced(making)
  if (!isFields(raw)) return charged(making.text, making)
  const schema = partsOf(raw, making, depth)
  const fixed = schema.findLast((part) => 'const' in part)
  if (fixed !== undefined) return yield* copied(fixed['const'], making)
  const words = listOf(keyword(schema, 'enum'))
  if (words.length > 0) return yield* copied(words[0], making)
  switch (typeOf(schema)) {
    case 'string':
      return charged(stringBySchema(schema, making.text), making)
    case 'integer':
      return charged(numberBySchema(schema, 1), making)
    case 'number':
      return charged(numberBySchema(schema, null), making)
    case 'boolean':
      return charged(true, making)
    case 'null':
      return charged(null, making)
    case 'array':
      return yield* listBySchema(schema, making, depth)
    default:
      return yield* objectBySchema(schema, making, depth)
  }
}

/** A schema and everything it is put together of: references, parts, and of each choice one branch. */
type Parts = readonly Fields[]

function partsOf(raw: Fields, making: Making, depth: number): Parts {
  const parts = [raw]
  for (let at = 0; at < parts.length && parts.length < maxParts; at++) {
    const { $ref: ref, anyOf, oneOf, allOf } = parts[at] ?? {}
    const choices = [anyOf, oneOf].map((each) => branchOf(each, depth))
    const all = listOf(allOf).slice(0, maxParts)
    parts.push(...[targetOf(ref, making.root), ...all, ...choices].filter(isFields))
  }
  making.reads -= parts.length
  return parts
}

/** The first branch; deep down the simplest. */
function branchOf(choice: unknown, depth: number): unknown {
  const branches = listOf(choice).slice(0, maxParts).filter(isFields)
  const simplest =
    depth < sparseDepth
      ? undefined
      : (branches.find(({ type }) => type === 'null') ??
        branches.find(
          ({ $ref, type }) => $ref === undefined && type !== 'object' && type !== 'array',
        ))
  return simplest ?? branches[0]
}

/** Target of a reference such as `#/$defs/node`. */
function targetOf(ref: unknown, root: Fields): unknown {
  if (typeof ref !== 'string' || ref.length > maxReferenceChars) return undefined
  let at: unknown = root
  for (const step of ref.replace(/^#\/?/, '').split('/')) {
    if (step === '') continue
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}

/** The value in the last part that has it. */
const keyword = (schema: Parts, name: string): unknown =>
  schema.findLast((part) => part[name] !== undefined)?.[name]

const numberAt = (schema: Parts, name: string, otherwise: number): number => {
  const value = keyword(schema, name)
  return typeof value === 'number' ? value : otherwise
}

function typeOf(schema: Parts): unknown {
  const type = keyword(schema, 'type')
  if (Array.isArray(type)) return type[0]
  if (type !== undefined) return type
  const has = (...names: readonly string[]) =>
    schema.some((part) => names.some((each) => each in part))
  if (has('properties', 'required')) return 'object'
  if (has('items', 'minItems')) return 'array'
  return has('minimum', 'maximum') ? 'number' : 'string'
}

/** Takes off what a scalar has in JSON at least, its comma included, and cuts a text that has more. */
function charged<Scalar>(value: Scalar, making: Making): Scalar | string {
  if (typeof value !== 'string') {
    making.chars -= 2
    return value
  }
  const fits = value.slice(0, Math.max(0, making.chars))
  making.chars -= fits.length + 3
  making.step -= Math.floor(fits.length / charsPerValue)
  return fits
}

/** A value of the client's own, as far as there is room for it: it may stand in many places. */
function* copied(value: unknown, making: Making): Steps<unknown> {
  yield* paced(making)
  if (Array.isArray(value)) {
    const items: unknown[] = []
    making.chars -= 2
    for (const item of value as readonly unknown[]) {
      if (making.chars <= 0) break
      items.push(yield* copied(item, making))
    }
    return items
  }
  if (!isFields(value)) return charged(value, making)
  const members: [string, unknown][] = []
  making.chars -= 2
  for (const name in value) {
    if (making.chars <= 0) break
    members.push([charged(name, making), yield* copied(value[name], making)])
  }
  return Object.fromEntries(members)
}

function* objectBySchema(schema: Parts, making: Making, depth: number): Steps<unknown> {
  const members = new Map<string, unknown>()
  const layers = schema.map((part) => part['properties']).filter(isFields)
  const optional = depth < sparseDepth ? layers.map((layer) => namesOf(layer, making)) : []
  const required = schema.map((part) => listOf(part['required']))
  for (const names of [...optional, ...required])
    for (const name of names) {
      making.reads--
      if (isFull(making)) return Object.fromEntries(members)
      yield* paced(making)
      if (typeof name !== 'string' || members.has(name)) continue
      const property = layers.findLast((layer) => Object.hasOwn(layer, name))?.[name]
      const shown = charged(name, making)
      members.set(shown, yield* make(property, making, depth + 1))
    }
  return Object.fromEntries(members)
}

function namesOf(layer: Fields, { names }: Making): readonly string[] {
  let known = names.get(layer)
  if (known === undefined) names.set(layer, (known = Object.keys(layer)))
  return known
}

function* listBySchema(schema: Parts, making: Making, depth: number): Steps<unknown> {
  const items = keyword(schema, 'items')
  const usual = isFields(items) && depth < sparseDepth ? 1 : 0
  const least = Math.max(numberAt(schema, 'minItems', 0), usual)
  const length = Math.min(least, numberAt(schema, 'maxItems', maxValues))
  const made: unknown[] = []
  making.chars -= 2
  while (made.length < length && !isFull(making)) made.push(yield* make(items, making, depth + 1))
  return made
}

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'echo@example.com',
  hostname: 'example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
}

const usualTextChars = 200
/** A schema may ask for a gigabyte. */
const maxTextChars = 10_000

function stringBySchema(schema: Parts, text: string): string {
  const format = keyword(schema, 'format')
  if (typeof format === 'string' && Object.hasOwn(formats, format)) return formats[format] ?? ''
  const least = Math.min(numberAt(schema, 'minLength', 0), maxTextChars)
  const most = Math.max(0, Math.min(numberAt(schema, 'maxLength', usualTextChars), maxTextChars))
  // Schemas count code points and some validators halves of them: where it matters both agree.
  const isBounded = keyword(schema, 'maxLength') !== undefined
  const near = text.slice(0, 2 * most)
  const said = (isBounded ? near.replace(/[\ud800-\udfff]/g, '') : near) || 'echo'
  const letters = Array.from(said).slice(0, most)
  return letters.join('') + '.'.repeat(Math.max(0, least - letters.length))
}

function numberBySchema(schema: Parts, whole: 1 | null): number {
  const multiple = numberAt(schema, 'multipleOf', 0)
  const step = multiple > 0 ? multiple : whole
  const min = numberAt(schema, 'minimum', -Infinity)
  const over = numberAt(schema, 'exclusiveMinimum', -Infinity)
  const max = numberAt(schema, 'maximum', Infinity)
  const under = numberAt(schema, 'exclusiveMaximum', Infinity)
  const low = Math.max(min, over)
  const high = Math.min(max, under)
  const fits = (value: number) =>
    Number.isFinite(value) && value >= min && value > over && value <= max && value < under
  if (step === null) return [1, low, high, low + 1, high - 1, (low + high) / 2].find(fits) ?? 1
  const [up, down] = [Math.ceil(low / step) * step, Math.floor(high / step) * step]
  // Sums of steps such as 0.1 gather dust.
  const tidy = (value: number) => Number(value.toPrecision(12))
  return [up, up + step, step, down, down - step].map(tidy).find(fits) ?? step
}
