import type { SchemaOptions, TSchema } from '@sinclair/typebox'

/** The rules of a schema, whatever its kind. */
interface Rules {
  readonly type?: string
  readonly anyOf?: readonly TSchema[]
  readonly const?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: TSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly maxProperties?: number
}

/** Values that a schema does not take, of each rule that it has. */
export function violationsOf(schema: TSchema): readonly unknown[] {
  const rules: Rules & SchemaOptions = schema
  const { type, anyOf, const: only } = rules
  if (only !== undefined) return ['no-such-word']
  if (anyOf !== undefined) return ofVariants(anyOf)
  switch (type) {
    case 'string':
      return ofText(rules)
    case 'integer':
    case 'number':
      return ofNumber(rules)
    case 'boolean':
      return ['maybe']
    case 'array':
      return ofList(rules)
    case 'object':
      return ofObject(rules)
    default:
      return []
  }
}

/** Of several kinds no value can be told to break one of them, but for one that is of none. */
function ofVariants(all: readonly TSchema[]): readonly unknown[] {
  // The framework's spelling of a number in an address has a format.
  const kinds = all.filter(({ type, format }) => type !== 'null' && format === undefined)
  const [only, another] = kinds
  if (only !== undefined && another === undefined)
    return violationsOf(only).filter((each) => each !== null || kinds.length === all.length)
  return kinds.every(({ const: word }) => word !== undefined) ? ['no-such-word', 7] : [true]
}

const ofText = ({ minLength = 0, maxLength, pattern }: Rules): readonly unknown[] => [
  7,
  null,
  ...(minLength > 0 ? [''] : []),
  ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ...(pattern === undefined ? [] : [' '.repeat(Math.max(1, minLength))]),
]

const ofNumber = ({ type, minimum, maximum }: Rules): readonly unknown[] => [
  'many',
  ...(type === 'integer' ? [1.5] : []),
  ...(minimum === undefined ? [] : [minimum - 1]),
  ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? [] : [maximum + 1]),
]

const ofList = ({ items, minItems = 0, maxItems }: Rules): readonly unknown[] => [
  'none',
  ...(minItems > 0 ? [[]] : []),
  ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => 'x')]),
  ...(items === undefined ? [] : violationsOf(items).map((each) => [each])),
]

const ofObject = (schema: Rules): readonly unknown[] => {
  const { properties = {}, required = [], additionalProperties, maxProperties } = schema
  const whole = Object.fromEntries(required.map((name) => [name, null]))
  return [
    'none',
    ...(required.length > 0 ? [{}] : []),
    ...(additionalProperties === false ? [{ ...whole, nobody_knows: 1 }] : []),
    ...(maxProperties === undefined
      ? []
      : [
          Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, at) => [`k${at}`, '1'])),
        ]),
    ...Object.entries(properties).flatMap(([name, each]) =>
      violationsOf(each).map((value) => ({ ...whole, [name]: value })),
    ),
  ]
}
