import { fieldsOf, isFields, listOf, type Fields } from '../../formats/chat/wire'
import { numberBySchema, stringBySchema } from './scalar-by-schema'

/** From here on only what is required: a schema that names itself must end. */
const sparseDepth = 4
const deepest = 40
/** A schema may ask for millions of values; nobody sensible does. */
const mostValues = 10_000

interface Making {
  readonly root: Fields
  /** What strings say, as far as they may say anything. */
  readonly text: string
  left: number
}

/** A value that a JSON Schema accepts, always the same one. @param text is echoed in strings */
export function valueBySchema(schema: unknown, text: string): unknown {
  const root = isFields(schema) ? schema : {}
  const value = make(root, { root, text, left: mostValues }, { depth: 0, nth: 0 })
  return value === undefined || (value === text && root['type'] === undefined) ? {} : value
}

/** Where a value stands; `nth` tells the items of a list apart that may not repeat. */
interface Place {
  readonly depth: number
  readonly nth: number
}

function make(raw: unknown, making: Making, place: Place): unknown {
  const { depth, nth } = place
  if (making.left-- <= 0 || depth > deepest) return null
  if (!isFields(raw)) return making.text
  const schema = resolved(raw, making.root, depth)
  if ('const' in schema) return schema['const']
  const { enum: words } = schema
  if (Array.isArray(words) && words.length > 0) return words[nth % words.length]
  switch (typeOf(schema)) {
    case 'string':
      return stringBySchema(schema, making.text, nth)
    case 'integer':
      return numberBySchema(schema, true, nth)
    case 'number':
      return numberBySchema(schema, false, nth)
    case 'boolean':
      return nth % 2 === 0
    case 'null':
      return null
    case 'array':
      return listBySchema(schema, making, depth)
    default:
      return objectBySchema(schema, making, depth)
  }
}

/** References followed, branches chosen, parts put together. */
function resolved(raw: Fields, root: Fields, depth: number): Fields {
  let schema = raw
  for (let steps = 0; steps < deepest; steps++) {
    const { $ref: ref, anyOf, oneOf, allOf, ...own } = schema
    const branches = [...listOf(anyOf), ...listOf(oneOf)].filter(isFields)
    const branch = depth < sparseDepth ? branches[0] : simplest(branches)
    const parts = [
      ...(typeof ref === 'string' ? [target(ref, root)] : []),
      ...listOf(allOf).filter(isFields),
      ...(branch === undefined ? [] : [branch]),
    ]
    if (parts.length === 0) return schema
    schema = parts.reduce(together, own)
  }
  return schema
}

const simplest = (branches: readonly Fields[]): Fields | undefined =>
  branches.find(({ type }) => type === 'null') ??
  branches.find(({ $ref, type }) => $ref === undefined && type !== 'object' && type !== 'array') ??
  branches[0]

function together(one: Fields, other: Fields): Fields {
  const properties = { ...fieldsOf(one['properties']), ...fieldsOf(other['properties']) }
  const required = [...listOf(one['required']), ...listOf(other['required'])]
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** What a reference such as `#/$defs/node` names. */
function target(ref: string, root: Fields): Fields {
  let at: unknown = root
  for (const step of ref.replace(/^#\/?/, '').split('/')) {
    if (step === '') continue
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return fieldsOf(at)
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

function objectBySchema(schema: Fields, making: Making, depth: number): unknown {
  const properties = fieldsOf(schema['properties'])
  const required = listOf(schema['required']).filter((name) => typeof name === 'string')
  const optional = depth < sparseDepth ? Object.keys(properties) : []
  const names = new Set([...optional, ...required])
  const { additionalProperties: more, minProperties: least } = schema
  if (typeof least === 'number')
    for (let extra = 1; names.size < Math.min(least, mostValues); extra++) names.add(`key${extra}`)
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      make(Object.hasOwn(properties, name) ? properties[name] : more, making, {
        depth: depth + 1,
        nth: 0,
      }),
    ]),
  )
}

function listBySchema(schema: Fields, making: Making, depth: number): unknown {
  const { minItems, maxItems, items } = schema
  const first = [...listOf(schema['prefixItems']), ...listOf(items)]
  const least = typeof minItems === 'number' ? minItems : 0
  const most = typeof maxItems === 'number' ? maxItems : mostValues
  const rest = isFields(items) && depth < sparseDepth ? 1 : 0
  const length = Math.min(Math.max(least, first.length || rest), most, making.left)
  return Array.from({ length: Math.max(0, length) }, (_, nth) =>
    make(nth < first.length ? first[nth] : items, making, {
      depth: depth + 1,
      nth: schema['uniqueItems'] === true ? nth : 0,
    }),
  )
}
