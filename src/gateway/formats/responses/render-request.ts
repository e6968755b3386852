import type { Traits } from '../../../domain/model'
import { readAnswerFormat } from '../chat/answer-format'
import { outputCeilingOf } from '../chat/ceiling'
import { refuseUnsaid } from '../chat/members'
import type { ChatBody } from '../chat/schema'
import { readToolOptions, type ToolChoice, type ToolOption } from '../chat/tool-options'
import { readTurns } from '../chat/turns'
import type { WebSearch } from '../chat/web-search'
import type { Fields } from '../../json/fields'
import { passedToResponses, saidBy } from '../said-members'
import { withoutUserId } from '../metadata'
import { effortOf } from '../reasoning'
import { searchTool } from './hosted-tools'
import { renderItems } from './render-items'

interface ResponsesQuestion {
  readonly body: ChatBody
  /** The vendor's name of it. */
  readonly model: string
  readonly traits: Traits
  /** The role of instructions. */
  readonly role: 'system' | 'developer' | 'user'
  readonly stream: boolean
  /** Web search requested of the vendor; null where it has no price. */
  readonly search: WebSearch | null
  /** The model takes marks of caches. */
  readonly breakpoints: boolean
  recall(call: object): unknown
}

/** Tokens; the format refuses a smaller `max_output_tokens`. */
const minCeiling = 16

/**
 * A chat body as a request of the Responses format, of which the vendor keeps nothing (`store: false`).
 * @see openai/openai-openapi `CreateResponse`, 2.3.0 of 2026-08-21
 * @throws invalid_field | invalid_message | endpoint_not_supported for options that the format lacks
 */
export function renderResponsesRequest(question: ResponsesQuestion): Fields {
  const { body, traits, model, role, stream, search, breakpoints, recall } = question
  refuseUnsaid(body, saidBy.responses, traits.drop)
  const request: Fields = {
    model,
    input: renderItems(readTurns(body.messages), { role, breakpoints, recall }),
    store: false,
  }
  const ceiling = outputCeilingOf(body)
  if (ceiling !== null) request['max_output_tokens'] = Math.max(minCeiling, ceiling)
  const effort = effortOf(body, traits)
  if (effort !== null) request['reasoning'] = { effort }
  Object.assign(request, tools(body, search), textForm(body), sampling(body, traits, effort))
  const wanted = include(body, traits, request['top_logprobs'] !== undefined)
  if (wanted.length > 0) request['include'] = wanted
  for (const name of passedToResponses)
    if (isGiven(body, name)) request[name] = (body as Fields)[name]
  const notes = withoutUserId(request['metadata'])
  if (notes !== null) request['metadata'] = notes
  if (stream) request['stream'] = true
  return request
}

const isGiven = (body: Readonly<Fields>, name: string): boolean => (body[name] ?? null) !== null

function tools(body: ChatBody, search: WebSearch | null): Fields {
  const { tools: offered, choice, parallel } = readToolOptions(body)
  const searching = search === null ? [] : [searchTool(search)]
  const limit = search === null ? {} : { max_tool_calls: search.maxSearches }
  if (offered.length === 0) return search === null ? {} : { tools: searching, ...limit }
  return {
    tools: [...offered.map(toolOf), ...searching],
    ...limit,
    ...(choice === null ? {} : { tool_choice: choiceOf(choice) }),
    ...(parallel === null ? {} : { parallel_tool_calls: parallel }),
  }
}

/** Unlike in chat, strict is what holds when nothing is said (openai/openai-openapi `FunctionTool`). */
const toolOf = ({ name, description, parameters, strict }: ToolOption): Fields => ({
  type: 'function',
  name,
  ...(description === null ? {} : { description }),
  parameters: parameters ?? { type: 'object', properties: {} },
  strict,
})

const choiceOf = (choice: ToolChoice): unknown =>
  choice.kind === 'named' ? { type: 'function', name: choice.name } : choice.kind

function textForm(body: ChatBody): Fields {
  const format = readAnswerFormat(body)
  const { verbosity }: Fields = body
  const text: Fields = typeof verbosity === 'string' ? { verbosity } : {}
  if (format.kind === 'object') text['format'] = { type: 'json_object' }
  if (format.kind === 'schema') {
    const { name, description, schema, strict } = format
    const told = description === null ? {} : { description }
    text['format'] = { type: 'json_schema', name, ...told, schema, strict }
  }
  return Object.keys(text).length > 0 ? { text } : {}
}

/** Fields that are alike in both, but for those that the model refuses. */
function sampling(body: ChatBody, traits: Traits, effort: string | null): Fields {
  if (traits.samplingNeedsNoEffort === true && effort !== 'none') return {}
  const may = (name: string) => traits.drop?.includes(name) !== true
  const { temperature, top_p: topP, logprobs, top_logprobs: top } = body
  return {
    ...(typeof temperature === 'number' && may('temperature') ? { temperature } : {}),
    ...(typeof topP === 'number' && may('top_p') ? { top_p: topP } : {}),
    ...(logprobs === true && may('logprobs') ? { top_logprobs: top ?? 0 } : {}),
  }
}

function include(body: ChatBody, { reasoning }: Traits, logprobs: boolean): readonly string[] {
  return [
    // What the vendor does not keep must come back with the results of its tools.
    ...(reasoning === true ? ['reasoning.encrypted_content'] : []),
    ...(logprobs && body.logprobs === true ? ['message.output_text.logprobs'] : []),
  ]
}
