import { isFields, listOf, type Fields } from '../../json/fields'
import { isSparse, openSchemaReader, type ReadSchema, type SchemaReader } from './schema-reader'
import { numberBySchema, stringBySchema } from './scalar-by-schema'
import type { Steps } from './slices'

const maxDepth = 40
/** A schema may ask for millions of values; nobody sensible does. */
const maxValues = 10_000
/** Values made between two looks at the clock. */
const stepValues = 64
/** Making so many characters takes about as long as making a value. */
const charsPerValue = 128

interface Making {
  readonly schemas: SchemaReader
  /** Text for strings that are free. */
  readonly text: string
  /** Patterns that were read, and what they accept; null for what was not understood. */
  readonly patterns: Map<string, string | null>
  /** Values that may still be made. */
  values: number
  /** Characters that may still be made: the JSON has at least as many as were taken off. */
  chars: number
  /** Values until the next look at the clock. */
  step: number
}

/**
 * A value that a JSON Schema accepts, always the same one. It is bounded while it is made: where it
 * would have more than `maxChars` characters it breaks off behind them.
 * @param text is echoed in strings
 */
export function* valueBySchema(schema: unknown, text: string, maxChars: number): Steps<unknown> {
  const root = isFields(schema) ? schema : {}
  const said = text.slice(0, maxChars)
  const value = yield* make(
    root,
    {
      schemas: openSchemaReader(root),
      text: said,
      patterns: new Map(),
      values: maxValues,
      chars: maxChars,
      step: stepValues,
    },
    { depth: 0, nth: 0 },
  )
  return value === undefined || (value === said && root['type'] === undefined) ? {} : value
}

/** Where a value stands; `nth` tells the items of a list apart that may not repeat. */
interface Place {
  readonly depth: number
  readonly nth: number
}

const isFull = ({ values, chars }: Making): boolean => values <= 0 || chars <= 0

function* make(raw: unknown, making: Making, place: Place): Steps<unknown> {
  const { depth, nth } = place
  if (isFull(making)) return null
  making.values--
  if (depth > maxDepth) return charged(null, making)
  if (--making.step <= 0) {
    making.step = stepValues
    yield
  }
  if (!isFields(raw)) return charged(making.text, making)
  const resolved = yield* making.schemas.resolve(raw, depth)
  const { schema } = resolved
  if ('const' in schema) return yield* copied(schema['const'], making)
  const { enum: words } = schema
  if (Array.isArray(words) && words.length > 0)
    return yield* copied(words[nth % words.length], making)
  switch (typeOf(schema)) {
    case 'string':
      return charged(stringBySchema(schema, making, nth), making)
    case 'integer':
      return charged(numberBySchema(schema, true, nth), making)
    case 'number':
      return charged(numberBySchema(schema, false, nth), making)
    case 'boolean':
      return charged(nth % 2 === 0, making)
    case 'null':
      return charged(null, making)
    case 'array':
      return yield* listBySchema(schema, making, depth)
    default:
      return yield* objectBySchema(resolved, making, depth)
  }
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
  if (--making.step <= 0) {
    making.step = stepValues
    yield
  }
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

function typeOf(schema: Fields): unknown {
  const { type } = schema
  if (Array.isArray(type)) return type[0]
  if (type !== undefined) return type
  const has = (...names: readonly string[]) => names.some((name) => schema[name] !== undefined)
  if (has('properties', 'required', 'additionalProperties', 'minProperties')) return 'object'
  if (has('items', 'prefixItems', 'minItems', 'maxItems')) return 'array'
  if (has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'))
    return 'number'
  return 'string'
}

function* objectBySchema(read: ReadSchema, making: Making, depth: number): Steps<unknown> {
  const { additionalProperties: more, minProperties } = read.schema
  const members = new Map<string, unknown>()
  const add = function* (name: string): Steps<void> {
    const property = read.property(name)
    const place = { depth: depth + 1, nth: 0 }
    const shown = charged(name, making)
    members.set(shown, yield* make(property === undefined ? more : property, making, place))
  }
  for (const name of read.names()) {
    if (isFull(making)) break
    yield* add(name)
  }
  const least = typeof minProperties === 'number' ? minProperties : 0
  for (let extra = 1; members.size < least && !isFull(making); extra++)
    if (!members.has(`key${extra}`)) yield* add(`key${extra}`)
  return Object.fromEntries(members)
}

function* listBySchema(schema: Fields, making: Making, depth: number): Steps<unknown> {
  const { minItems, maxItems, items, uniqueItems } = schema
  const prefix = listOf(schema['prefixItems'])
  const tuple = listOf(items)
  const first = prefix.length + tuple.length
  const least = typeof minItems === 'number' ? minItems : 0
  const most = typeof maxItems === 'number' ? maxItems : maxValues
  const rest = isFields(items) && !isSparse(depth) ? 1 : 0
  const length = Math.min(Math.max(least, first || rest), most)
  const made: unknown[] = []
  making.chars -= 2
  while (made.length < length && !isFull(making)) {
    const at = made.length
    const item = at < prefix.length ? prefix[at] : at < first ? tuple[at - prefix.length] : items
    made.push(yield* make(item, making, { depth: depth + 1, nth: uniqueItems === true ? at : 0 }))
  }
  return made
}
