import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { GatewayError } from '../../../errors/gateway-error'
import { fieldsOf, isFields, isText, listOf, type Fields as Members } from '../../json/fields'
import { isTrigger } from './compaction-trigger'
import { foreignIn, type Foreign } from './foreign-ids'
import { checkAnyGiven, checkFields, checkNamed } from '../check-body'
import { invalid } from '../schema-fault'
import { countField, field, modelsField } from '../field'

const Fields = Type.Object({}, { additionalProperties: true })
const Typed = Type.Object(
  { type: Type.String({ description: 'a string' }) },
  { additionalProperties: true, description: 'an object with a type' },
)

/**
 * A request of the Responses format, as far as we look at it; everything else passes.
 * @see openai/openai-openapi `CreateResponse`, 2.3.0 of 2026-08-21
 */
export const ResponsesBody = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 256 }),
    models: modelsField,
    input: Type.Union([Type.String(), Type.Array(Fields)], {
      description: 'a string or an array of items',
    }),
    instructions: field(Type.String(), 'a string'),
    stream: field(Type.Boolean(), 'true or false'),
    max_output_tokens: countField(1),
    temperature: field(Type.Number({ minimum: 0, maximum: 2 }), 'a number from 0 to 2'),
    top_p: field(Type.Number({ minimum: 0, maximum: 1 }), 'a number from 0 to 1'),
    top_logprobs: field(Type.Integer({ minimum: 0, maximum: 20 }), 'a whole number from 0 to 20'),
    tools: field(Type.Array(Typed), 'an array of tools, each with a type'),
    tool_choice: field(
      Type.Union([Type.Literal('none'), Type.Literal('auto'), Type.Literal('required'), Fields]),
      'none | auto | required, or an object',
    ),
    parallel_tool_calls: field(Type.Boolean(), 'true or false'),
    max_tool_calls: countField(1),
    reasoning: field(Fields, 'an object'),
    text: field(Fields, 'an object'),
    metadata: field(Fields, 'an object'),
    previous_response_id: field(Type.String(), 'a string'),
    include: field(Type.Array(Type.String()), 'an array of strings'),
    store: field(Type.Boolean(), 'true or false'),
  },
  // Names it in the document of the interface.
  { additionalProperties: true, title: 'ResponsesRequest' },
)
export type ResponsesBody = Static<typeof ResponsesBody>

/** A request to make a conversation shorter. */
export const CompactBody = Type.Object(
  {
    ...Type.Pick(ResponsesBody, ['model', 'instructions', 'previous_response_id']).properties,
    input: Type.Optional(ResponsesBody.properties.input),
  },
  { additionalProperties: true, title: 'CompactRequest' },
)

const compiled = TypeCompiler.Compile(ResponsesBody)
/** Calls and what came of them are no messages: a long session of a coding client has many. */
const maxMessages = 500

/**
 * A checked request of the Responses format.
 * @throws invalid_field | missing_model | invalid_model | missing_input | too_many_messages | invalid_message
 */
export function checkResponsesBody(value: unknown): ResponsesBody {
  checkNamed(value)
  checkAnyGiven(value, 'input')
  const body = checkedBody(value)
  const { input, previous_response_id: earlier } = body
  if (isTrigger(input[0]) && !isText(earlier))
    throw new GatewayError('missing_input', {}, { param: 'input' })
  return body
}

/**
 * A checked request of `POST /v1/responses/compact`, which may leave all input to an earlier answer.
 * @throws what `checkResponsesBody` throws
 */
export function checkCompactBody(value: unknown): ResponsesBody {
  checkNamed(value)
  if (!isText(value['previous_response_id'])) checkAnyGiven(value, 'input')
  const body = checkedBody({ ...value, input: value['input'] ?? [] })
  if (body.stream === true) throw invalid('stream', 'absent')
  return body
}

function checkedBody(value: Members): ResponsesBody {
  checkFields(compiled, value)
  checkItems(value.input)
  checkTools(value)
  const foreign = foreignIn(value)
  if (foreign !== null) throw refusalOf(foreign)
  return value
}

function checkItems(input: ResponsesBody['input']): void {
  if (typeof input === 'string') return
  const count = input.filter(isMessage).length
  if (count > maxMessages) {
    const facts = { count, limit: maxMessages }
    throw new GatewayError('too_many_messages', facts, { param: 'input' })
  }
  input.forEach((raw, index) => {
    const item: Members = raw
    const at = `input[${index}]`
    const { type, role, content } = item
    if (isMessage(item)) {
      if (!roles.has(role)) throw invalidItem(`${at}.role`, 'user | assistant | system | developer')
      if (typeof content !== 'string' && !Array.isArray(content))
        throw invalidItem(`${at}.content`, 'a string or an array of parts')
      return checkParts(content, `${at}.content`)
    }
    if (typeof type !== 'string') throw invalidItem(`${at}.type`, 'a string')
    if (isTrigger(item) && index < input.length - 1)
      throw invalidItem(`${at}.type`, 'the last item')
    checkCall(item, type, at)
  })
}

/** Calls, what came of them, and searches for tools: what ties them together are texts. */
function checkCall(item: Members, type: string, at: string): void {
  const { call_id: call, name, output, tools } = item
  switch (type) {
    case 'function_call':
    case 'custom_tool_call':
      needName(name, `${at}.name`)
      return needName(call, `${at}.call_id`)
    case 'function_call_output':
    case 'custom_tool_call_output':
      needName(call, `${at}.call_id`)
      return checkParts(output, `${at}.output`)
    case 'local_shell_call':
    case 'shell_call':
    case 'shell_call_output':
    case 'apply_patch_call':
    case 'apply_patch_call_output':
    case 'computer_call':
    case 'computer_call_output':
      return needName(call, `${at}.call_id`)
    case 'local_shell_call_output':
      return needName(call ?? item['id'], `${at}.id`)
    case 'tool_search_call':
    case 'tool_search_output':
    case 'additional_tools':
      // A search that ran at the vendor has none.
      if (call !== undefined && call !== null) needName(call, `${at}.call_id`)
      listOf(tools).forEach((tool, index) => checkNames(tool, `${at}.tools[${index}]`))
  }
}

/** A tool's name, and those of the tools in its namespace. */
function checkNames(raw: unknown, at: string): void {
  const { name, tools } = fieldsOf(raw)
  // A tool that runs at the vendor has none.
  if (name !== undefined && name !== null) needName(name, `${at}.name`)
  listOf(tools).forEach((tool, index) => checkNames(tool, `${at}.tools[${index}]`))
}

function checkParts(parts: unknown, at: string): void {
  listOf(parts).forEach((part, index) => {
    const { type, input_audio: audio } = fieldsOf(part)
    if (type === 'input_audio' && typeof fieldsOf(audio)['data'] !== 'string')
      throw invalidItem(`${at}[${index}].input_audio.data`, 'base64 text')
  })
}

function needName(value: unknown, param: string): void {
  if (isText(value)) return
  const expected = 'a non-empty string'
  throw param.startsWith('input') ? invalidItem(param, expected) : invalid(param, expected)
}

const isMessage = ({ type }: Members): boolean => type === undefined || type === 'message'

const roles: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer'])

const refusalOf = ({ param, expected }: Foreign) =>
  param.startsWith('input') ? invalidItem(param, expected) : invalid(param, expected)

const invalidItem = (param: string, expected: string) =>
  new GatewayError('invalid_message', { field: param, expected }, { param })

function checkTools({ tools, tool_choice: choice }: ResponsesBody): void {
  if (typeof choice !== 'string') checkNames(choice, 'tool_choice')
  tools?.forEach((tool, index) => {
    if (tool.type === 'namespace') checkNames(tool, `tools[${index}]`)
    if (tool.type !== 'function') return
    const { name, parameters }: Members = tool
    needName(name, `tools[${index}].name`)
    if (parameters !== undefined && parameters !== null && !isFields(parameters))
      throw invalid(`tools[${index}].parameters`, 'a JSON Schema object')
  })
}
