import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { checkFields, checkGiven, checkLength, checkNamed } from '../check-body'
import { field } from '../field'

const maxPromptCharacters = 4000

/**
 * A request for a video; what we do not know is ignored.
 * @see openai/openai-openapi `CreateVideoJsonBody`, `CreateVideoMultipartBody`, 2.3.0 of 2026-08-21
 */
export const VideosBody = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 256 }),
    prompt: Type.String({
      minLength: 1,
      maxLength: maxPromptCharacters,
      description: 'a non-empty string',
    }),
    seconds: field(Type.Union([Type.String(), Type.Integer()]), 'a string or a whole number'),
    size: field(Type.String(), 'a string such as 1280x720'),
    input_reference: field(
      Type.Union([
        Type.Object({ image_url: Type.String() }, { additionalProperties: true }),
        Type.Array(Type.Object({ image_url: Type.String() }, { additionalProperties: true }), {
          maxItems: 1,
        }),
      ]),
      'an object with image_url',
    ),
  },
  // Names it in the document of the interface.
  { additionalProperties: true, title: 'VideoRequest' },
)
type VideosBody = Static<typeof VideosBody>

/** A picture that a video begins with: its bytes, or where they are. */
export type VideoReference =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'url'; readonly url: string }

/** A checked request. */
export interface VideoAsk {
  readonly model: string
  readonly prompt: string
  /** Null where it is left to us. */
  readonly seconds: string | null
  readonly size: string | null
  readonly reference: VideoReference | null
}

const compiled = TypeCompiler.Compile(
  Type.Object(
    { ...VideosBody.properties, prompt: Type.String({ description: 'a non-empty string' }) },
    { additionalProperties: true },
  ),
)

/**
 * Checks a request for a video.
 * @param file the picture of a form, which comes beside its fields
 * @throws invalid_field | missing_model | invalid_model | missing_prompt | prompt_too_long
 */
export function checkVideosBody(value: unknown, file: VideoReference | null = null): VideoAsk {
  checkNamed(value)
  checkGiven(value, 'prompt')
  checkLength(value, 'prompt', maxPromptCharacters)
  checkFields(compiled, value)
  const { model, prompt, seconds, size } = value
  return {
    model,
    prompt,
    seconds: seconds === undefined || seconds === null ? null : String(seconds),
    size: size === undefined || size === null || size === 'auto' ? null : size,
    reference: file ?? referenceOf(value),
  }
}

function referenceOf({ input_reference: given }: VideosBody): VideoReference | null {
  const one = Array.isArray(given) ? given[0] : given
  return one === undefined || one === null ? null : { kind: 'url', url: one.image_url }
}
