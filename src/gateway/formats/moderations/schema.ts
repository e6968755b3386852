import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { checkAnyGiven, checkFields, checkObject } from '../check-body'
import { modelFault } from '../schema-fault'

const Text = Type.Object({ type: Type.Literal('text'), text: Type.String() })
const Picture = Type.Object({
  type: Type.Literal('image_url'),
  image_url: Type.Object({ url: Type.String({ minLength: 1 }) }, { additionalProperties: true }),
})

/**
 * A request to judge texts and pictures.
 * @see openai/openai-openapi `CreateModerationRequest`, 2.3.0 of 2026-08-21
 */
export const ModerationsBody = Type.Object(
  {
    model: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Null()])),
    input: Type.Union(
      [
        Type.String({ minLength: 1 }),
        Type.Array(Type.String(), { minItems: 1, maxItems: 2048 }),
        Type.Array(Type.Union([Text, Picture]), { minItems: 1, maxItems: 2048 }),
      ],
      { description: 'a non-empty string, an array of strings, or an array of parts' },
    ),
  },
  // Names it in the document of the interface.
  { additionalProperties: true, title: 'ModerationRequest' },
)
export type ModerationsBody = Static<typeof ModerationsBody>

const compiled = TypeCompiler.Compile(ModerationsBody)

/** Checks a request for moderation. @throws invalid_field | invalid_model | missing_input */
export function checkModerationsBody(value: unknown): ModerationsBody {
  checkObject(value)
  const { model } = value
  const wrong = model === undefined || model === null ? null : modelFault(model)
  if (wrong !== null) throw wrong
  checkAnyGiven(value, 'input')
  checkFields(compiled, value)
  return value
}

/** All text of it, for counting. */
export function moderatedText({ input }: ModerationsBody): string {
  if (typeof input === 'string') return input
  return input
    .map((each) => (typeof each === 'string' ? each : each.type === 'text' ? each.text : ''))
    .join('\n')
}

/** Number of inputs that are judged: parts of one input are judged together. */
export const judgedIn = ({ input }: ModerationsBody): number =>
  typeof input === 'string' || typeof input[0] !== 'string' ? 1 : input.length
