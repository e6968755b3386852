type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of an object. @throws Error when it is none */
export function fields(value: unknown): Fields {
  if (!isFields(value)) throw new Error(`no object: ${JSON.stringify(value)}`)
  return value
}

/** What a reference stands for. @throws Error when it stands for nothing */
export function resolved(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) throw new Error(`a reference to elsewhere: ${reference}`)
  let at: unknown = document
  for (const step of reference.slice(2).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isFields(at) || !Object.hasOwn(at, name)) throw new Error(`nothing at ${reference}`)
    at = at[name]
  }
  return at
}

const annotations = new Set(['title', 'description', 'format', 'contentMediaType', 'contentSchema'])

/**
 * Why a value does not fit a schema of a document: a sentence for each place, none when it fits. A
 * strict reader: a word of JSON Schema that it does not know is an error.
 */
export function misfits(document: unknown, schema: unknown, value: unknown, at = '$'): string[] {
  const told = fields(schema)
  return Object.entries(told).flatMap(([word, rule]) => {
    if (annotations.has(word)) return []
    const check = checks[word]
    if (check === undefined) throw new Error(`${at}: what is ${word}?`)
    return check({ document, schema: told, rule, value, at })
  })
}

interface Place {
  readonly document: unknown
  readonly schema: Fields
  readonly rule: unknown
  readonly value: unknown
  readonly at: string
}

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isFields,
}

const bound =
  (fits: (value: number, limit: number) => boolean) =>
  ({ rule, value, at }: Place): string[] =>
    typeof value !== 'number' || fits(value, Number(rule))
      ? []
      : [`${at}: ${value} against ${String(rule)}`]
const sized =
  (fits: (length: number, limit: number) => boolean) =>
  ({ rule, value, at }: Place): string[] =>
    (typeof value !== 'string' && !Array.isArray(value)) || fits(value.length, Number(rule))
      ? []
      : [`${at}: a length of ${value.length} against ${String(rule)}`]

const checks: Readonly<Record<string, (place: Place) => string[]>> = {
  $ref: ({ document, rule, value, at }) =>
    misfits(document, resolved(document, String(rule)), value, at),
  type({ rule, value, at }) {
    const is = types[String(rule)]
    if (is === undefined) throw new Error(`${at}: no type is called ${String(rule)}`)
    return is(value) ? [] : [`${at}: ${JSON.stringify(value)} is no ${String(rule)}`]
  },
  const: ({ rule, value, at }) => (value === rule ? [] : [`${at}: not ${String(rule)}`]),
  enum: ({ rule, value, at }) =>
    Array.isArray(rule) && rule.includes(value) ? [] : [`${at}: ${String(value)} is no word of it`],
  anyOf: ({ document, rule, value, at }) => {
    const found = (rule as unknown[]).map((each) => misfits(document, each, value, at))
    return found.some((each) => each.length === 0) ? [] : found.flat()
  },
  required: ({ rule, value, at }) =>
    isFields(value)
      ? (rule as string[])
          .filter((name) => !Object.hasOwn(value, name))
          .map((name) => `${at}.${name}: missing`)
      : [],
  properties: ({ document, rule, value, at }) =>
    isFields(value)
      ? Object.entries(fields(rule)).flatMap(([name, schema]) =>
          Object.hasOwn(value, name) ? misfits(document, schema, value[name], `${at}.${name}`) : [],
        )
      : [],
  patternProperties: ({ document, rule, value, at }) =>
    isFields(value)
      ? Object.entries(fields(rule)).flatMap(([pattern, schema]) =>
          Object.entries(value)
            .filter(([name]) => new RegExp(pattern).test(name))
            .flatMap(([name, each]) => misfits(document, schema, each, `${at}.${name}`)),
        )
      : [],
  additionalProperties: ({ schema, rule, value, at }) =>
    rule === false && isFields(value)
      ? Object.keys(value)
          .filter((name) => !Object.hasOwn(fields(schema['properties']), name))
          .map((name) => `${at}.${name}: not known`)
      : [],
  items: ({ document, rule, value, at }) =>
    Array.isArray(value)
      ? value.flatMap((each, index) => misfits(document, rule, each, `${at}[${index}]`))
      : [],
  pattern: ({ rule, value, at }) =>
    typeof value !== 'string' || new RegExp(String(rule)).test(value)
      ? []
      : [`${at}: ${value} is not like ${String(rule)}`],
  minimum: bound((value, limit) => value >= limit),
  maximum: bound((value, limit) => value <= limit),
  minLength: sized((length, limit) => length >= limit),
  maxLength: sized((length, limit) => length <= limit),
  minItems: sized((length, limit) => length >= limit),
  maxItems: sized((length, limit) => length <= limit),
}
