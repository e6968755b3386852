import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { checkFields, checkGiven, checkNamed } from '../check-body'
import { invalid } from '../schema-fault'
import { field, wordField } from '../field'

/** Qualities of pictures, by the specification. */
export const qualities = ['low', 'medium', 'high', 'auto'] as const

/**
 * A request for pictures; what we do not know passes.
 * @see openai/openai-openapi `CreateImageRequest`, 2.3.0 of 2026-08-21
 */
export const ImagesBody = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 256 }),
    prompt: Type.String({ minLength: 1, description: 'a non-empty string' }),
    size: field(Type.String(), 'a string such as 1024x1024'),
    quality: wordField(qualities),
    n: field(Type.Integer({ minimum: 1, maximum: 10 }), 'a whole number from 1 to 10'),
    background: wordField(['transparent', 'opaque', 'auto']),
    output_format: wordField(['png', 'jpeg', 'webp']),
    stream: field(Type.Boolean(), 'true or false'),
    partial_images: field(Type.Integer({ minimum: 0, maximum: 3 }), 'a whole number from 0 to 3'),
  },
  // Names it in the document of the interface.
  { additionalProperties: true, title: 'ImageRequest' },
)
export type ImagesBody = Static<typeof ImagesBody>

const compiled = TypeCompiler.Compile(ImagesBody)

/** Checks a request for pictures. @throws invalid_field | missing_model | invalid_model | missing_prompt */
export function checkImagesBody(value: unknown): ImagesBody {
  checkNamed(value)
  checkGiven(value, 'prompt')
  checkFields(compiled, value)
  if (value.background === 'transparent' && value.output_format === 'jpeg')
    throw invalid('output_format', 'png | webp')
  // The reference's events do not tell which of several pictures they belong to.
  if (value.stream === true && (value.n ?? 1) > 1) throw invalid('n', '1')
  return value
}
