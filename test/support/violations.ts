import type { TSchema } from '@sinclair/typebox'

/** Values that a schema does not take, of each rule that it has. */
export function violationsOf(schema: TSchema): readonly unknown[] {
  const { type, anyOf, const: only } = schema
  if (only !== undefined) return ['no-such-word']
  if (Array.isArray(anyOf)) return ofVariants(anyOf as readonly TSchema[])
  switch (type) {
    case 'string':
      return ofText(schema)
    case 'integer':
    case 'number':
      return ofNumber(schema)
    case 'boolean':
      return ['maybe']
    case 'array':
      return ofList(schema)
    case 'object':
      return ofObject(schema)
    default:
      return []
  }
}

/** Of several kinds no value can be told to break one of them, but for one that is of none. */
function ofVariants(all: readonly TSchema[]): readonly unknown[] {
  const kinds = all.filter(({ type }) => type !== 'null')
  const [only, another] = kinds
  if (only !== undefined && another === undefined)
    return violationsOf(only).filter((each) => each !== null || kinds.length === all.length)
  return kinds.every(({ const: word }) => word !== undefined) ? ['no-such-word', 7] : [true]
}

const ofText = ({ minLength = 0, maxLength, pattern }: TSchema): readonly unknown[] => [
  7,
  null,
  ...(minLength > 0 ? [''] : []),
  ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ...(pattern === undefined ? [] : [' '.repeat(Math.max(1, minLength))]),
]

const ofNumber = ({ type, minimum, maximum }: TSchema): readonly unknown[] => [
  'many',
  ...(type === 'integer' ? [1.5] : []),
  ...(minimum === undefined ? [] : [minimum - 1]),
  ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? [] : [maximum + 1]),
]

const ofList = ({ items, minItems = 0, maxItems }: TSchema): readonly unknown[] => [
  'none',
  ...(minItems > 0 ? [[]] : []),
  ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => 'x')]),
  ...violationsOf(items as TSchema).map((each) => [each]),
]

const ofObject = (schema: TSchema): readonly unknown[] => {
  const { properties = {}, required = [], additionalProperties, maxProperties } = schema
  const whole = Object.fromEntries((required as string[]).map((name) => [name, null]))
  return [
    'none',
    ...(required.length > 0 ? [{}] : []),
    ...(additionalProperties === false ? [{ ...whole, nobody_knows: 1 }] : []),
    ...(maxProperties === undefined
      ? []
      : [
          Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, at) => [`k${at}`, '1'])),
        ]),
    ...Object.entries(properties as Record<string, TSchema>).flatMap(([name, each]) =>
      violationsOf(each).map((value) => ({ ...whole, [name]: value })),
    ),
  ]
}
