import type { ChatBody } from './schema'
import { isFields, type Fields } from '../../json/fields'

/**
 * Answer format requested by a chat body: JSON, JSON by a schema, or text.
 * @see openai/openai-openapi `CreateChatCompletionRequest`, 2.3.0 of 2026-08-21 (`response_format`)
 */
type AnswerFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'object' }
  | {
      readonly kind: 'schema'
      readonly name: string
      readonly description: string | null
      readonly schema: Fields
      readonly strict: boolean
    }

/** A JSON schema format without a schema only wants JSON. */
export function readAnswerFormat({ response_format: format }: ChatBody): AnswerFormat {
  if (format?.type === 'json_object') return { kind: 'object' }
  if (format?.type !== 'json_schema') return { kind: 'text' }
  const requested = (format as Fields)['json_schema']
  if (!isFields(requested) || !isFields(requested['schema'])) return { kind: 'object' }
  const { name, description, schema, strict } = requested
  return {
    kind: 'schema',
    name: typeof name === 'string' && name !== '' ? name : 'answer',
    description: typeof description === 'string' ? description : null,
    schema,
    strict: strict === true,
  }
}

/** Instruction for a JSON answer, for vendors that can only be asked in words. */
export const jsonInstruction = 'Answer with one JSON object and nothing else.'

/** Instruction for an answer by a schema, for vendors that can only be asked in words. */
export const schemaInstruction = (schema: Fields): string =>
  `Answer with one JSON value and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`
