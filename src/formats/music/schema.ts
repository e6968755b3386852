import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { GatewayError } from '../../errors/gateway-error'
import { isFields } from '../chat/wire'
import { field } from '../field'
import { firstFault, invalid, modelFault } from '../schema-fault'
import { countCharacters } from '../speech/characters'

/** Longest prompt, in characters. */
export const mostPromptCharacters = 4000

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

/** @throws invalid_field | missing_model | invalid_model | missing_prompt | prompt_too_long */
export function checkMusicBody(value: unknown): MusicBody {
  if (!isFields(value))
    throw new GatewayError('invalid_field', { field: 'body', expected: 'a JSON object' })
  const wrong = modelFault(value['model'])
  if (wrong !== null) throw wrong
  const { prompt } = value
  if (prompt === undefined || prompt === null || prompt === '')
    throw new GatewayError('missing_prompt', {}, { param: 'prompt' })
  const count = typeof prompt === 'string' ? countCharacters(prompt) : 0
  if (count > mostPromptCharacters) {
    const facts = { count, limit: mostPromptCharacters }
    throw new GatewayError('prompt_too_long', facts, { param: 'prompt' })
  }
  if (compiled.Check(value)) return value
  const { param, expected } = firstFault(compiled, value)
  throw invalid(param, expected)
}
