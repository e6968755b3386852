type Schema = Readonly<Record<string, unknown>>

/** Nothing sensible nests deeper; a schema that names itself would never end. */
const deepest = 8

/** A value that a JSON Schema accepts, always the same one. */
export function valueBySchema(schema: unknown, text: string, depth = 0): unknown {
  if (!isSchema(schema) || depth > deepest) return null
  if (schema['const'] !== undefined) return schema['const']
  const { enum: words, default: preset, anyOf, oneOf, allOf } = schema
  if (Array.isArray(words)) return words[0]
  if (preset !== undefined) return preset
  for (const choice of [anyOf, oneOf, allOf])
    if (Array.isArray(choice)) return valueBySchema(choice[0], text, depth + 1)
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  switch (type) {
    case 'string':
      return stringBySchema(schema, text)
    case 'integer':
    case 'number':
      return numberBySchema(schema, type)
    case 'boolean':
      return true
    case 'array': {
      const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 1
      const item = () => valueBySchema(schema['items'], text, depth + 1)
      return Array.from({ length: Math.min(least, 20) }, item)
    }
    case 'null':
      return null
    default:
      return objectBySchema(schema, text, depth)
  }
}

function objectBySchema(schema: Schema, text: string, depth: number): unknown {
  const { properties } = schema
  if (!isSchema(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [
      name,
      valueBySchema(inner, text, depth + 1),
    ]),
  )
}

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  time: '00:00:00Z',
  email: 'echo@example.com',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
}

function stringBySchema(schema: Schema, text: string): string {
  const known = formats[String(schema['format'])]
  if (known !== undefined) return known
  const least = typeof schema['minLength'] === 'number' ? schema['minLength'] : 0
  const most = typeof schema['maxLength'] === 'number' ? schema['maxLength'] : 200
  return (text || 'echo').slice(0, most).padEnd(least, '.')
}

function numberBySchema(schema: Schema, type: 'integer' | 'number'): number {
  const { minimum, exclusiveMinimum, maximum } = schema
  if (typeof minimum === 'number') return type === 'integer' ? Math.ceil(minimum) : minimum
  if (typeof exclusiveMinimum === 'number') return Math.floor(exclusiveMinimum) + 1
  return typeof maximum === 'number' ? Math.min(1, Math.floor(maximum)) : 1
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
