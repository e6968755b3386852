import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { GatewayError } from '../../errors/gateway-error'
import { isFields } from '../chat/wire'
import { firstFault, invalid, modelFault } from '../schema-fault'
import { field } from '../field'

const oneOf = <const Words extends readonly string[]>(words: Words) =>
  field(Type.Union(words.map((word) => Type.Literal(word))), words.join(' | '))

export const qualities = ['low', 'medium', 'high', 'auto'] as const

/** A request for pictures; what we do not know passes. */
export const ImagesBody = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 256 }),
    prompt: Type.String({ minLength: 1, description: 'a non-empty string' }),
    size: field(Type.String(), 'a string such as 1024x1024'),
    quality: oneOf(qualities),
    n: field(Type.Integer({ minimum: 1, maximum: 10 }), 'a whole number from 1 to 10'),
    background: oneOf(['transparent', 'opaque', 'auto']),
    output_format: oneOf(['png', 'jpeg', 'webp']),
  },
  // Names it in the document of the interface.
  { additionalProperties: true, title: 'ImageRequest' },
)
export type ImagesBody = Static<typeof ImagesBody>

const compiled = TypeCompiler.Compile(ImagesBody)

/** @throws invalid_field | missing_model | invalid_model | missing_prompt */
export function checkImagesBody(value: unknown): ImagesBody {
  if (!isFields(value))
    throw new GatewayError('invalid_field', { field: 'body', expected: 'a JSON object' })
  const wrong = modelFault(value['model'])
  if (wrong !== null) throw wrong
  const { prompt } = value
  if (prompt === undefined || prompt === null || prompt === '')
    throw new GatewayError('missing_prompt', {}, { param: 'prompt' })
  if (!compiled.Check(value)) {
    const { param, expected } = firstFault(compiled, value)
    throw invalid(param, expected)
  }
  if (value.background === 'transparent' && value.output_format === 'jpeg')
    throw invalid('output_format', 'png | webp')
  return value
}
