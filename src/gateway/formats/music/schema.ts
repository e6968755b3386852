import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { checkFields, checkGiven, checkLength, checkNamed } from '../check-body'
import { field } from '../field'

/** Longest prompt, in characters; by the specification, music. */
const maxPromptCharacters = 4000

/** A request for a piece of music; unknown fields mean nothing. */
export const MusicBody = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 256 }),
    prompt: Type.String({ minLength: 1, description: 'a non-empty string' }),
    temperature: field(Type.Number({ minimum: 0, maximum: 2 }), 'a number from 0 to 2'),
    seed: field(Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }), 'a whole number'),
  },
  // Names it in the document of the interface.
  { additionalProperties: true, title: 'MusicRequest' },
)
export type MusicBody = Static<typeof MusicBody>

const compiled = TypeCompiler.Compile(MusicBody)

/**
 * Checks a request for music.
 * @throws invalid_field | missing_model | invalid_model | missing_prompt | prompt_too_long
 */
export function checkMusicBody(value: unknown): MusicBody {
  checkNamed(value)
  checkGiven(value, 'prompt')
  checkLength(value, 'prompt', maxPromptCharacters)
  checkFields(compiled, value)
  return value
}
