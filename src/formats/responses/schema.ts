import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { GatewayError } from '../../errors/gateway-error'
import { fieldsOf, isFields, listOf, type Fields as Members } from '../chat/wire'
import { firstFault, invalid, modelFault } from '../schema-fault'
import { field } from '../field'

const Fields = Type.Object({}, { additionalProperties: true })
const Typed = Type.Object(
  { type: Type.String({ description: 'a string' }) },
  { additionalProperties: true, description: 'an object with a type' },
)

/** A request of the Responses format, as far as we look at it; everything else passes. */
export const ResponsesBody = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 256 }),
    input: Type.Union([Type.String(), Type.Array(Fields)], {
      description: 'a string or an array of items',
    }),
    instructions: field(Type.String(), 'a string'),
    stream: field(Type.Boolean(), 'true or false'),
    max_output_tokens: field(Type.Integer({ minimum: 1 }), 'a whole number from 1'),
    temperature: field(Type.Number({ minimum: 0, maximum: 2 }), 'a number from 0 to 2'),
    top_p: field(Type.Number({ minimum: 0, maximum: 1 }), 'a number from 0 to 1'),
    top_logprobs: field(Type.Integer({ minimum: 0, maximum: 20 }), 'a whole number from 0 to 20'),
    tools: field(Type.Array(Typed), 'an array of tools, each with a type'),
    tool_choice: field(
      Type.Union([Type.Literal('none'), Type.Literal('auto'), Type.Literal('required'), Fields]),
      'none | auto | required, or an object',
    ),
    parallel_tool_calls: field(Type.Boolean(), 'true or false'),
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

const compiled = TypeCompiler.Compile(ResponsesBody)
const mostItems = 500

/**
 * A checked request of the Responses format.
 * @throws invalid_field | missing_model | invalid_model | missing_input | too_many_messages | invalid_message
 */
export function checkResponsesBody(value: unknown): ResponsesBody {
  if (!isFields(value))
    throw new GatewayError('invalid_field', { field: 'body', expected: 'a JSON object' })
  const wrong = modelFault(value['model'])
  if (wrong !== null) throw wrong
  const { input } = value
  if (input === undefined || input === null || input === '' || isEmpty(input))
    throw new GatewayError('missing_input', {}, { param: 'input' })
  if (!compiled.Check(value)) {
    const { param, expected } = firstFault(compiled, value)
    throw invalid(param, expected)
  }
  checkItems(value.input)
  checkTools(value)
  refuseForeign(value)
  return value
}

const isEmpty = (input: unknown): boolean => Array.isArray(input) && input.length === 0

function checkItems(input: ResponsesBody['input']): void {
  if (typeof input === 'string') return
  if (input.length > mostItems) {
    const facts = { count: input.length, limit: mostItems }
    throw new GatewayError('too_many_messages', facts, { param: 'input' })
  }
  input.forEach((raw, index) => {
    const item: Members = raw
    const at = `input[${index}]`
    const { type, role, content, call_id: call } = item
    if (type === undefined || type === 'message') {
      if (!roles.has(role)) throw invalidItem(`${at}.role`, 'user | assistant | system | developer')
      if (typeof content !== 'string' && !Array.isArray(content))
        throw invalidItem(`${at}.content`, 'a string or an array of parts')
      return
    }
    if (typeof type !== 'string') throw invalidItem(`${at}.type`, 'a string')
    const called = type === 'function_call' || type === 'function_call_output'
    if (called && (typeof call !== 'string' || call === ''))
      throw invalidItem(`${at}.call_id`, 'a non-empty string')
    // It names what lies in the operator's account at a vendor, where others have things too.
    if (type === 'item_reference') throw invalidItem(`${at}.type`, 'an item, not a reference')
  })
}

const roles: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer'])

const invalidItem = (param: string, expected: string) =>
  new GatewayError('invalid_message', { field: param, expected }, { param })

function checkTools({ tools }: ResponsesBody): void {
  tools?.forEach((tool, index) => {
    if (tool.type !== 'function') return
    const { name, parameters }: Members = tool
    if (typeof name !== 'string' || name === '')
      throw invalid(`tools[${index}].name`, 'a non-empty string')
    if (parameters !== undefined && parameters !== null && !isFields(parameters))
      throw invalid(`tools[${index}].parameters`, 'a JSON Schema object')
  })
}

/** What works in the background, or names what belongs to the operator's account. */
function refuseForeign(body: ResponsesBody): void {
  const members: Members = body
  if (members['background'] === true) throw invalid('background', 'false')
  for (const name of ['conversation', 'prompt'])
    if (members[name] !== undefined && members[name] !== null) throw invalid(name, 'absent')
  body.tools?.forEach((tool, index) => {
    const { vector_store_ids: stores, container } = tool as Members
    const at = `tools[${index}]`
    if (stores !== undefined) throw invalid(`${at}.vector_store_ids`, 'absent')
    if (typeof container === 'string' || listOf(fieldsOf(container)['file_ids']).length > 0)
      throw invalid(`${at}.container`, 'absent')
  })
  if (typeof body.input === 'string') return
  body.input.forEach((item, index) =>
    listOf((item as Members)['content']).forEach((part, place) => {
      if (fieldsOf(part)['file_id'] !== undefined)
        throw invalidItem(`input[${index}].content[${place}].file_id`, 'absent')
    }),
  )
}
