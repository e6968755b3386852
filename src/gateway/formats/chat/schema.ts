import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { reasoningEfforts } from '../../../domain/model'
import { chatFault, invalid } from '../schema-fault'
import { checkContent } from './content'
import { functionIn } from './other-shapes'
import { countField, field, modelsField } from '../field'
import { hostedTool } from '../hosted-tools'
import { fieldsOf, isFields, isText, listOf, type Fields as Members } from '../../json/fields'

const oneOf = <const Words extends readonly string[]>(words: Words, description?: string) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    { description: description ?? words.join(' | ') },
  )

const Fields = Type.Object({}, { additionalProperties: true })

const ToolCall = Type.Object(
  {
    id: Type.String({ description: 'a string' }),
    type: Type.String({ description: 'a string' }),
  },
  { additionalProperties: true, description: 'an object with id, type and function' },
)

/** Roles of the specification, and the retired `function`, which old histories still hold. */
const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const

const Message = Type.Object(
  {
    role: oneOf(roles),
    content: field(
      Type.Union([Type.String(), Type.Array(Fields)]),
      'a string, an array of parts, or null',
    ),
    name: field(Type.String(), 'a string'),
    tool_calls: field(Type.Array(ToolCall), 'an array of tool calls, each with id and type'),
    tool_call_id: field(Type.String(), 'a string'),
  },
  { additionalProperties: true, description: 'an object with a role' },
)

const Tool = Type.Object(
  {
    type: Type.Optional(Type.String({ description: 'a string' })),
    function: Type.Optional(Fields),
  },
  { additionalProperties: true, description: 'an object with a type' },
)

const penalty = field(Type.Number({ minimum: -2, maximum: 2 }), 'a number from -2 to 2')

/**
 * The reference chat request, as far as we look at it; everything else passes.
 * @see openai/openai-openapi `CreateChatCompletionRequest`, 2.3.0 of 2026-08-21
 */
export const ChatBody = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 256 }),
    models: modelsField,
    messages: Type.Array(Message, { minItems: 1, maxItems: 500 }),
    stream: field(Type.Boolean(), 'true or false'),
    max_tokens: countField(1),
    max_completion_tokens: countField(1),
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
    response_format: field(
      Type.Object(
        { type: oneOf(['text', 'json_object', 'json_schema']) },
        { additionalProperties: true },
      ),
      'an object whose type is text | json_object | json_schema',
    ),
    tools: field(Type.Array(Tool), 'an array of tools, each with a type'),
    tool_choice: field(
      Type.Union([oneOf(['none', 'auto', 'required']), Fields]),
      'none | auto | required, or an object',
    ),
    parallel_tool_calls: field(Type.Boolean(), 'true or false'),
    max_tool_calls: countField(1),
    reasoning_effort: field(oneOf(reasoningEfforts), reasoningEfforts.join(' | ')),
    logprobs: field(Type.Boolean(), 'true or false'),
    top_logprobs: field(Type.Integer({ minimum: 0, maximum: 20 }), 'a whole number from 0 to 20'),
    user: field(Type.String(), 'a string'),
  },
  // Names it in the document of the interface.
  { additionalProperties: true, title: 'ChatRequest' },
)
export type ChatBody = Static<typeof ChatBody>

const compiled = TypeCompiler.Compile(ChatBody)

/**
 * A checked chat request.
 * @throws invalid_field | missing_model | invalid_model | missing_messages | too_many_messages | invalid_message
 */
export function checkChatBody(value: unknown): ChatBody {
  if (!compiled.Check(value)) throw chatFault(compiled, value)
  checkContent(value.messages)
  checkTools(value)
  // A client that has answers judged must not take one for judged that nobody looked at.
  const { moderation }: Members = value
  if (moderation !== undefined && moderation !== null) throw invalid('moderation', 'absent')
  if (value.response_format?.type === 'json_schema') checkJsonSchema(value.response_format)
  return value
}

function checkTools(body: ChatBody): void {
  const { functions }: Members = body
  if (functions !== undefined) checkFunctions(functions)
  if (body.tools) checkEachTool(body.tools)
}

function checkFunctions(functions: unknown): void {
  listOf(functions).forEach((called, index) => {
    if (!isText(fieldsOf(called)['name']))
      throw invalid(`functions[${index}].name`, 'a non-empty string')
  })
}

function checkEachTool(tools: NonNullable<ChatBody['tools']>): void {
  tools.forEach((tool, index) => {
    const isUntyped = tool.type === undefined && tool.function !== undefined
    if (tool.type !== 'function' && !isUntyped) {
      // A tool that the vendor runs is refused by what it costs, once the model is known.
      if (tool.type === 'custom' || hostedTool(tool) !== null) return
      throw invalid(`tools[${index}].type`, 'function | custom')
    }
    const called = functionIn(tool)
    const at = called === tool ? `tools[${index}]` : `tools[${index}].function`
    if (called === undefined) throw invalid(at, 'an object with a name')
    const { name, description, parameters, strict } = called as Readonly<Record<string, unknown>>
    if (!isText(name)) throw invalid(`${at}.name`, 'a non-empty string')
    if (description !== undefined && description !== null && typeof description !== 'string')
      throw invalid(`${at}.description`, 'a string')
    if (parameters !== undefined && parameters !== null && !isFields(parameters))
      throw invalid(`${at}.parameters`, 'a JSON Schema object')
    if (strict !== undefined && strict !== null && typeof strict !== 'boolean')
      throw invalid(`${at}.strict`, 'true or false')
  })
}

function checkJsonSchema(format: object): void {
  if (!('json_schema' in format) || !isFields(format.json_schema))
    throw invalid('response_format.json_schema', 'an object with a name and a schema')
}
