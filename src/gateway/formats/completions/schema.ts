import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { GatewayError } from '../../../errors/gateway-error'
import type { ChatBody } from '../chat/schema'
import { checkFields, checkNamed } from '../check-body'
import { invalid } from '../schema-fault'
import { countField, field } from '../field'
import { unsaidMember, type UnlistedMembers } from '../request-members'
import { completionsMembers } from './members'

const penalty = field(Type.Number({ minimum: -2, maximum: 2 }), 'a number from -2 to 2')

/**
 * A request of the old format that completes a text.
 * @see openai/openai-openapi `CreateCompletionRequest`, 2.3.0 of 2026-08-21
 */
export const CompletionsBody = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 256 }),
    prompt: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 1 })], {
      description: 'one text',
    }),
    max_tokens: countField(1),
    stream: field(Type.Boolean(), 'true or false'),
    echo: field(Type.Boolean(), 'true or false'),
    temperature: field(Type.Number({ minimum: 0, maximum: 2 }), 'a number from 0 to 2'),
    top_p: field(Type.Number({ minimum: 0, maximum: 1 }), 'a number from 0 to 1'),
    n: field(Type.Integer({ minimum: 1, maximum: 4 }), 'a whole number from 1 to 4'),
    stop: field(
      Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 4 })]),
      'a string or an array of at most 4 strings',
    ),
    presence_penalty: penalty,
    frequency_penalty: penalty,
    seed: field(Type.Integer(), 'a whole number'),
  },
  // Names it in the document of the interface.
  { additionalProperties: true, title: 'CompletionRequest' },
)
export type CompletionsBody = Static<typeof CompletionsBody>

const compiled = TypeCompiler.Compile(CompletionsBody)

/**
 * A checked request of the old format.
 * @throws invalid_field | missing_model | invalid_model | missing_prompt
 */
export function checkCompletionsBody(value: unknown): CompletionsBody {
  checkNamed(value)
  if (!isPrompt(value['prompt'])) throw new GatewayError('missing_prompt', {}, { param: 'prompt' })
  checkFields(compiled, value)
  const unlisted: UnlistedMembers = new Set()
  const unsaid = unsaidMember(completionsMembers, value, unlisted) ?? [...unlisted][0]
  if (unsaid !== undefined) throw invalid(unsaid, 'absent')
  return value
}

/** One text; several, or tokens, cannot be put to models of chat. */
function isPrompt(prompt: unknown): boolean {
  const [only, ...more] = Array.isArray(prompt) ? (prompt as unknown[]) : [prompt]
  return typeof only === 'string' && only !== '' && more.length === 0
}

/** The prompt as one text. */
export const promptOf = ({ prompt }: CompletionsBody): string =>
  typeof prompt === 'string' ? prompt : (prompt[0] ?? '')

/** The prompt as a message of the user, and what the chat body says by the same names. */
export function parseCompletionsRequest(body: CompletionsBody): ChatBody {
  const kept = Object.entries(body).filter(
    ([name, value]) =>
      value !== null && completionsMembers[name]?.fate === 'translated' && name !== 'prompt',
  )
  const { model } = body
  const messages = [{ role: 'user', content: promptOf(body) }]
  return { ...Object.fromEntries(kept), model, messages }
}
