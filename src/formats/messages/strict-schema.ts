import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'

/**
 * Whether a schema may be asked for strictly in the reference format, which demands that objects are
 * closed and all they may hold is required. The Messages format demands the former only.
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
