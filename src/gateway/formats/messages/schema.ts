import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { fieldsOf } from '../../json/fields'
import { refusedMember } from '../request-members'
import { messagesMembers } from './members'
import { chatFault, invalid } from '../schema-fault'
import { checkBlocks } from './blocks'
import { countField, field, modelsField } from '../field'

const Fields = Type.Object({}, { additionalProperties: true })
const Typed = Type.Object(
  { type: Type.String({ description: 'a string' }) },
  { additionalProperties: true, description: 'an object with a type' },
)

const Message = Type.Object(
  {
    role: Type.Union(
      // Instructions in the middle of a conversation have a role of their own.
      [Type.Literal('user'), Type.Literal('assistant'), Type.Literal('system')],
      { description: 'user | assistant' },
    ),
    content: Type.Union([Type.String(), Type.Array(Typed)], {
      description: 'a string or an array of blocks, each with a type',
    }),
  },
  { additionalProperties: true, description: 'an object with a role and content' },
)

const Tool = Type.Object(
  {
    type: field(Type.String(), 'a string'),
    name: Type.Optional(Type.String({ description: 'a string' })),
    description: field(Type.String(), 'a string'),
    input_schema: field(Fields, 'a JSON Schema object'),
  },
  { additionalProperties: true, description: 'an object with a name' },
)

/**
 * A request of the Messages format, as far as we look at it; everything else passes.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts` (`MessageCreateParams`)
 */
export const MessagesBody = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 256 }),
    models: modelsField,
    messages: Type.Array(Message, { minItems: 1, maxItems: 500 }),
    stream: field(Type.Boolean(), 'true or false'),
    // Without an answer a prompt can only be put into a cache.
    max_tokens: countField(0),
    system: field(
      Type.Union([Type.String(), Type.Array(Typed)]),
      'a string or an array of text blocks',
    ),
    temperature: field(Type.Number({ minimum: 0, maximum: 1 }), 'a number from 0 to 1'),
    top_p: field(Type.Number({ minimum: 0, maximum: 1 }), 'a number from 0 to 1'),
    stop_sequences: field(Type.Array(Type.String()), 'an array of strings'),
    tools: field(Type.Array(Tool), 'an array of tools'),
    tool_choice: field(Typed, 'an object whose type is auto | any | tool | none'),
    thinking: field(Typed, 'an object whose type is enabled | adaptive | disabled'),
    output_config: field(Fields, 'an object'),
    metadata: field(Fields, 'an object'),
  },
  // Names it in the document of the interface.
  { additionalProperties: true, title: 'MessagesRequest' },
)
export type MessagesBody = Static<typeof MessagesBody>

const compiled = TypeCompiler.Compile(MessagesBody)

/**
 * A checked request for an answer in the Messages format.
 * @throws as `checkMessagesBody`
 */
export function checkMessagesRequest(value: unknown): MessagesBody {
  const body = checkMessagesBody(value)
  const name = refusedMember(messagesMembers, body)
  if (name !== null) throw invalid(name, 'absent')
  return body
}

/**
 * A checked request of the Messages format, to be answered or counted.
 * @throws invalid_field | missing_model | invalid_model | missing_messages | too_many_messages | invalid_message
 */
export function checkMessagesBody(value: unknown): MessagesBody {
  if (!compiled.Check(value)) throw chatFault(compiled, value)
  // To be served in one country alone costs more than the prices that are sold.
  const geo = fieldsOf(value)['inference_geo'] ?? 'global'
  if (geo !== 'global') throw invalid('inference_geo', 'absent')
  value.messages.forEach(({ content }, index) => checkBlocks(content, `messages[${index}].content`))
  checkBlocks(value.system, 'system')
  value.tools?.forEach(({ type, name, input_schema: schema }, index) => {
    // A tool of the vendor's own needs neither.
    if (type !== undefined && type !== null && type !== 'custom') return
    if (name === undefined || name === '')
      throw invalid(`tools[${index}].name`, 'a non-empty string')
    if (schema === undefined || schema === null)
      throw invalid(`tools[${index}].input_schema`, 'a JSON Schema object')
  })
  return value
}
