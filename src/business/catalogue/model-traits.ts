import { Type, type TSchema } from '@sinclair/typebox'
import { ValueErrorType, type ValueError } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import { reasoningEfforts, type Capabilities, type Traits } from '../../domain/model'
import { inputFault } from '../operations/refusals/check-input'
import { inputEn } from '../operations/refusals/input-en'

const oneOf = <const Word extends string>(words: readonly Word[]) =>
  Type.Union(words.map((word) => Type.Literal(word)))

const count = Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 })
const onlyThese = { additionalProperties: false }
const sight = Type.Union([
  Type.Object({ by: Type.Literal('tiles'), base: count, each: count }, onlyThese),
  Type.Object(
    { by: Type.Literal('patches'), side: count, each: count, most: Type.Optional(count) },
    onlyThese,
  ),
  Type.Object({ by: Type.Literal('squares'), each: count }, onlyThese),
  Type.Object({ by: Type.Literal('picture'), each: count }, onlyThese),
])

const schemas = {
  drop: Type.Array(Type.String({ minLength: 1 })),
  maxTokensName: oneOf(['max_tokens', 'max_completion_tokens']),
  systemRole: oneOf(['system', 'developer', 'user']),
  efforts: Type.Array(oneOf(reasoningEfforts)),
  samplingNeedsNoEffort: Type.Boolean(),
  reasoning: Type.Boolean(),
  tokenFactor: Type.Number({ minimum: 0.6, maximum: 4 }),
  firstTokenSeconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
  vocabulary: Type.Literal('o200k'),
  audioTokensPerSecond: Type.Number({ minimum: 1, maximum: 1000 }),
  sight,
  pictureTokens: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  searches: Type.Integer({ minimum: 1, maximum: 1000 }),
  thinking: oneOf(['budget', 'adaptive', 'level']),
  thinkingOnTop: Type.Boolean(),
  thinkingBeyond: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  forcedTool: Type.Boolean(),
  structured: oneOf(['schema', 'tool', 'object']),
  schemaWithTools: Type.Boolean(),
  oneChoice: Type.Boolean(),
  betas: Type.Array(Type.String({ minLength: 1 })),
  chat: oneOf(['responses', 'responses-with-tools']),
  responses: Type.Literal('native'),
  realtime: Type.Boolean(),
  voiceIds: Type.Boolean(),
} as const satisfies Record<keyof Traits, TSchema>

export const traitsSchema = Type.Partial(Type.Object(schemas), onlyThese)

export const traitNames: readonly string[] = Object.keys(schemas)

/**
 * Value of a trait, checked.
 * @param json the value as JSON text
 * @throws RangeError when there is no such trait or value
 */
export function traitOf(name: string, json: string): Traits {
  if (!traitNames.includes(name))
    throw new RangeError(`no trait is called ${name}; there are: ${traitNames.join(', ')}`)
  const traits: unknown = { [name]: parsed(name, json) }
  if (Value.Check(traitsSchema, traits)) return traits
  const [error] = Value.Errors(traitsSchema, traits)
  throw new RangeError(`${json} is no value of ${name}: ${whyOf(error)}`)
}

/** Of a choice the checker only says that it is one. */
function whyOf(error: ValueError | undefined): string {
  if (error === undefined) return 'it is not valid'
  return error.type === ValueErrorType.Union
    ? `expected ${shown(error.schema)}`
    : inputEn(inputFault(error))
}

/** Accepted values of a schema, as JSON would show them. */
function shown(schema: TSchema): string {
  const { anyOf, properties, const: only, type } = schema
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(anyOf)) return (anyOf as TSchema[]).map(shown).join(' or ')
  if (type === 'object')
    return `{${Object.entries(properties as Record<string, TSchema>)
      .map(([name, each]) => `"${name}":${shown(each)}`)
      .join(',')}}`
  return String(type)
}

function parsed(name: string, json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new RangeError(`the value of ${name} must be JSON, such as ["temperature"] or true`)
  }
}

/** Capabilities that are there or not; the others are lists. */
const flags = [
  'streaming',
  'tools',
  'json',
  'vision',
  'reasoning',
  'audio_input',
  'translation',
  'realtime',
] as const satisfies readonly (keyof Capabilities)[]

/** Capabilities that are choices, written with commas between them. */
const choices = [
  'sizes',
  'seconds',
  'voices',
  'formats',
] as const satisfies readonly (keyof Capabilities)[]

export const capabilityNames: readonly string[] = [...flags, ...choices]

/**
 * Value of a capability, checked.
 * @throws RangeError when there is no such capability, or its value is none
 */
export function capabilityOf(name: string, value: string): Capabilities {
  const choice = choices.find((each) => each === name)
  if (choice !== undefined) {
    const words = value.split(',').map((word) => word.trim())
    if (words.includes('')) throw new RangeError(`${name} is a list such as a,b,c, not ${value}`)
    return { [choice]: words }
  }
  const flag = flags.find((each) => each === name)
  if (flag === undefined)
    throw new RangeError(
      `no capability is called ${name}; there are: ${capabilityNames.join(', ')}`,
    )
  if (value !== 'true' && value !== 'false')
    throw new RangeError(`${name} is true or false, not ${value}`)
  return { [flag]: value === 'true' }
}
