import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { checkAnyGiven, checkFields, checkNamed } from '../check-body'
import { field } from '../field'

const Tokens = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 })

/**
 * A request for vectors; unknown fields mean nothing.
 * @see openai/openai-openapi `CreateEmbeddingRequest`, 2.3.0 of 2026-08-21
 */
export const EmbeddingsBody = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 256 }),
    input: Type.Union(
      [
        Type.String({ minLength: 1 }),
        Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 2048 }),
        Tokens,
        Type.Array(Tokens, { minItems: 1, maxItems: 2048 }),
      ],
      { description: 'a non-empty string, an array of at most 2048 of them, or tokens' },
    ),
    dimensions: field(Type.Integer({ minimum: 1 }), 'a whole number from 1'),
    encoding_format: field(
      Type.Union([Type.Literal('float'), Type.Literal('base64')]),
      'float | base64',
    ),
  },
  // Names it in the document of the interface.
  { additionalProperties: true, title: 'EmbeddingRequest' },
)
export type EmbeddingsBody = Static<typeof EmbeddingsBody>

/** One text, or the tokens of one. */
export type EmbeddingInput = string | readonly number[]

const compiled = TypeCompiler.Compile(EmbeddingsBody)

/** Checks a request for embeddings. @throws invalid_field | missing_model | invalid_model | missing_input */
export function checkEmbeddingsBody(value: unknown): EmbeddingsBody {
  checkNamed(value)
  checkAnyGiven(value, 'input')
  checkFields(compiled, value)
  return value
}

/** Each wants a vector of its own. */
export function inputsOf({ input }: EmbeddingsBody): readonly EmbeddingInput[] {
  if (typeof input === 'string') return [input]
  return isTokens(input) ? [input] : input
}

/** Splits a request into parts, none with more inputs than `most`. */
export function partsOf(body: EmbeddingsBody, most: number): readonly EmbeddingsBody[] {
  const { input } = body
  if (typeof input === 'string' || isTokens(input) || input.length <= most) return [body]
  const inputs = isTexts(input) ? slices(input, most) : slices(input, most)
  return inputs.map((part) => ({ ...body, input: part }))
}

const slices = <Each>(list: readonly Each[], most: number): Each[][] =>
  Array.from({ length: Math.ceil(list.length / most) }, (_, at) =>
    list.slice(at * most, (at + 1) * most),
  )

const isTexts = (input: string[] | number[][]): input is string[] => typeof input[0] === 'string'

const isTokens = (input: Exclude<EmbeddingsBody['input'], string>): input is number[] =>
  typeof input[0] === 'number'
