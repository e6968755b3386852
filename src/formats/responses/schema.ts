import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { GatewayError } from '../../errors/gateway-error'
import { isFields, type Fields as Members } from '../chat/wire'
import { foreignIn, type Foreign } from './foreign-ids'
import { checkAnyGiven, checkFields, checkNamed } from '../check-body'
import { invalid } from '../schema-fault'
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
/** Calls and what came of them are no messages: a long session of a coding client has many. */
const mostMessages = 500

/**
 * A checked request of the Responses format.
 * @throws invalid_field | missing_model | invalid_model | missing_input | too_many_messages | invalid_message
 */
export function checkResponsesBody(value: unknown): ResponsesBody {
  checkNamed(value)
  checkAnyGiven(value, 'input')
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
  if (count > mostMessages) {
    const facts = { count, limit: mostMessages }
    throw new GatewayError('too_many_messages', facts, { param: 'input' })
  }
  input.forEach((raw, index) => {
    const item: Members = raw
    const at = `input[${index}]`
    const { type, role, content, call_id: call } = item
    if (isMessage(item)) {
      if (!roles.has(role)) throw invalidItem(`${at}.role`, 'user | assistant | system | developer')
      if (typeof content !== 'string' && !Array.isArray(content))
        throw invalidItem(`${at}.content`, 'a string or an array of parts')
      return
    }
    if (typeof type !== 'string') throw invalidItem(`${at}.type`, 'a string')
    const called = type === 'function_call' || type === 'function_call_output'
    if (called && (typeof call !== 'string' || call === ''))
      throw invalidItem(`${at}.call_id`, 'a non-empty string')
  })
}

const isMessage = ({ type }: Members): boolean => type === undefined || type === 'message'

const roles: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer'])

const refusalOf = ({ param, expected }: Foreign) =>
  param.startsWith('input') ? invalidItem(param, expected) : invalid(param, expected)

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
