import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'

/**
 * Limits that the format's grammar cannot hold to: told in words instead.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/lib/transform-json-schema.ts`
 */
const spoken = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'patternProperties',
  'propertyNames',
  'pattern',
]
const formats = new Set<unknown>(
  'date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '),
)

/**
 * A schema as the format's own field takes it: objects closed, limits moved into the descriptions.
 * @returns null where the field cannot express it: maps, recursion, references to elsewhere
 */
export function closedSchema(schema: Fields): Fields | null {
  try {
    return closed(schema, schema, new Set())
  } catch (thrown) {
    if (thrown instanceof Inexpressible) return null
    throw thrown
  }
}

class Inexpressible extends Error {}

function closed(schema: unknown, root: Fields, above: ReadonlySet<string>): Fields {
  if (!isFields(schema)) throw new Inexpressible()
  const { $ref: ref } = schema
  if (typeof ref === 'string') {
    follow(ref, root, above)
    return { $ref: ref }
  }
  const told = spoken.filter((name) => schema[name] !== undefined)
  if (typeof schema['minItems'] === 'number' && schema['minItems'] > 1) told.push('minItems')
  if (schema['format'] !== undefined && !formats.has(schema['format'])) told.push('format')
  const out: Fields = {}
  for (const name in schema) {
    if (told.includes(name) || name === '$schema' || name === '$id') continue
    out[name] = member(name, schema[name], root, above)
  }
  if (isObjectSchema(schema)) close(schema, out)
  if (told.length > 0) {
    const limits = told.map((name) => `${name}: ${JSON.stringify(schema[name])}`).join(', ')
    const { description } = schema
    out['description'] = typeof description === 'string' ? `${description} (${limits})` : limits
  }
  return out
}

function member(name: string, value: unknown, root: Fields, above: ReadonlySet<string>): unknown {
  switch (name) {
    case 'properties':
      return eachOf(value, root, above)
    case '$defs':
    case 'definitions':
      // Looked into where they are referred to, and here only rendered.
      return eachOf(value, root, above)
    case 'items':
      if (Array.isArray(value)) throw new Inexpressible()
      return closed(value, root, above)
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
      return listOf(value).map((each) => closed(each, root, above))
  }
  return value
}

const eachOf = (value: unknown, root: Fields, above: ReadonlySet<string>): Fields =>
  Object.fromEntries(
    Object.entries(fieldsOf(value)).map(([name, each]) => [name, closed(each, root, above)]),
  )

const isObjectSchema = ({ type, properties }: Fields): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object')) || isFields(properties)

/** Without properties of its own it is a map. */
function close(schema: Fields, out: Fields): void {
  const { additionalProperties: more, properties } = schema
  const empty = Object.keys(fieldsOf(properties)).length === 0
  if ((more !== undefined && more !== false) || (empty && more !== false)) throw new Inexpressible()
  out['additionalProperties'] = false
}

/** @throws Inexpressible for a reference to elsewhere, or to something that it is part of */
function follow(ref: string, root: Fields, above: ReadonlySet<string>): void {
  if (above.has(ref) || !ref.startsWith('#/')) throw new Inexpressible()
  let target: unknown = root
  for (const step of ref.slice(2).split('/'))
    target = fieldsOf(target)[step.replaceAll('~1', '/').replaceAll('~0', '~')]
  closed(target, root, new Set([...above, ref]))
}

/**
 * Whether a schema may be asked for strictly in the reference format, which demands that objects are
 * closed and all they may hold is required (its guide to structured outputs, November
 * 2026). The Messages format demands the former only.
 */
export function isStrictSchema(schema: unknown): boolean {
  if (!isFields(schema)) return false
  const { properties, type } = schema
  const isObject = type === 'object' || isFields(properties)
  return (!isObject || isClosed(schema)) && within(schema).every(isStrictSchema)
}

function isClosed({ properties, required, additionalProperties: more }: Fields): boolean {
  const needed = new Set(listOf(required))
  return more === false && Object.keys(fieldsOf(properties)).every((name) => needed.has(name))
}

const within = (schema: Fields): readonly unknown[] => [
  ...Object.values(fieldsOf(schema['properties'])),
  ...Object.values(fieldsOf(schema['$defs'] ?? schema['definitions'])),
  ...listOf(schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']),
  ...(isFields(schema['items']) ? [schema['items']] : []),
]
