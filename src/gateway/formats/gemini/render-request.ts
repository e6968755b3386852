import type { Traits } from '../../../domain/model'
import { readAnswerFormat, schemaInstruction } from '../chat/answer-format'
import { outputCeilingOf, stopsOf } from '../chat/ceiling'
import { chatPath, refuseUnsaid } from '../chat/members'
import type { ChatBody } from '../chat/schema'
import {
  readToolOptions,
  type ToolChoice,
  type ToolOption,
  type ToolOptions,
} from '../chat/tool-options'
import { readTurns } from '../chat/turns'
import type { WebSearch } from '../chat/web-search'
import { unsupported } from '../schema-fault'
import { fieldsOf, type Fields } from '../../json/fields'
import { saidBy } from '../said-members'
import { effortOf, thinkingRoom, thinkingTokens } from '../reasoning'
import { renderContents } from './render-contents'

interface GeminiQuestion {
  readonly body: ChatBody
  readonly traits: Traits
  /** The most the model puts out; null when nobody knows. */
  readonly maxOutputTokens: number | null
  /** Web search requested of the vendor; null where it has no price. */
  readonly search: WebSearch | null
  recall(call: object): unknown
  /** As of the client's mark. */
  readonly withoutSealed?: boolean
}

/** Fields of the body by the name they have here. */
const named = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  logprobs: 'responseLogprobs',
  top_logprobs: 'logprobs',
} as const

/** Of `stopSequences`; the format takes no more. */
const maxStops = 5

/**
 * A chat body as a request of Google's own format; the model is named by the path.
 * @see googleapis/js-genai `src/types.ts` of 2026-08-21 (`GenerationConfig`, `ThinkingConfig`, `Tool`)
 * @throws invalid_message | endpoint_not_supported for options that the format lacks
 */
export function renderGeminiRequest(question: GeminiQuestion): Fields {
  const { body, traits, recall, withoutSealed = false } = question
  refuseUnsaid(body, saidBy.gemini, traits.drop)
  // An unknown model is taken for a new one; one that does not think signs nothing.
  const signed = traits.thinking !== 'budget' && traits.efforts?.length !== 0
  const { system, contents } = renderContents(readTurns(body.messages), {
    recall,
    signed,
    withoutSealed,
  })
  // Its search knows no pages to be kept to, and no end.
  if (question.search?.domains)
    throw unsupported(body.model, chatPath, 'web_search_options.filters')
  if ('max_tool_calls' in body && question.search !== null)
    throw unsupported(body.model, chatPath, 'max_tool_calls')
  const tools = renderTools(readToolOptions(body), question.search !== null)
  const form = answerForm(body, traits, tools['tools'] !== undefined)
  const instructions = form.instruction === null ? system : [...system, form.instruction]
  const request: Fields = { contents }
  if (instructions.length > 0) {
    const parts = instructions.map((text) => ({ text }))
    if (traits.systemRole === 'user') putFirst(contents, parts)
    else request['systemInstruction'] = { parts }
  }
  Object.assign(request, tools)
  const config = { ...sampling(question), ...form.config, ...thinking(body, traits) }
  if (Object.keys(config).length > 0) request['generationConfig'] = config
  return request
}

/** A model without instructions of its own reads them from the user. */
function putFirst(contents: Fields[], parts: readonly Fields[]): void {
  const first = contents[0]
  if (first?.['role'] === 'user' && Array.isArray(first['parts'])) first['parts'].unshift(...parts)
  else contents.unshift({ role: 'user', parts: [...parts] })
}

function sampling({ body, traits, maxOutputTokens }: GeminiQuestion): Fields {
  const config: Fields = {}
  const fields: Fields = body
  for (const [name, ours] of Object.entries(named)) {
    const value = fields[name]
    if (value === undefined || value === null || traits.drop?.includes(name) === true) continue
    config[ours] = value
  }
  if (typeof body.n === 'number' && body.n > 1) config['candidateCount'] = body.n
  const stops = stopsOf(body).slice(0, maxStops)
  if (stops.length > 0) config['stopSequences'] = stops
  const ceiling = outputCeilingOf(body)
  if (ceiling === null) return config
  // Thoughts count inside: without room for them a small ceiling gives an empty answer.
  const room = ceiling + thinkingRoom(body, traits)
  return { ...config, maxOutputTokens: Math.min(room, maxOutputTokens ?? room) }
}

function thinking(body: ChatBody, traits: Traits): Fields {
  const effort = effortOf(body, traits)
  if (effort === null) return {}
  if (traits.thinking !== 'budget' && effort !== 'none')
    return { thinkingConfig: { thinkingLevel: effort.toUpperCase(), includeThoughts: true } }
  if (effort === 'none') return { thinkingConfig: { thinkingBudget: 0 } }
  const budget = thinkingTokens[effort]
  return { thinkingConfig: { thinkingBudget: budget, includeThoughts: true } }
}

interface AnswerForm {
  readonly config: Fields
  /** For models that are bound to a form by words alone. */
  readonly instruction: string | null
}

function answerForm(body: ChatBody, traits: Traits, withTools: boolean): AnswerForm {
  const format = readAnswerFormat(body)
  if (format.kind === 'text') return { config: {}, instruction: null }
  const schema = format.kind === 'schema' ? format.schema : null
  const barred = withTools && traits.schemaWithTools === false
  if (barred || traits.structured === 'object') {
    const instruction = schemaInstruction(schema ?? { type: 'object' })
    return { config: {}, instruction }
  }
  const config = { responseMimeType: 'application/json' }
  if (schema === null) return { config, instruction: null }
  return { config: { ...config, responseJsonSchema: schema }, instruction: null }
}

/** The members `tools` and `toolConfig`, as far as there are any. */
function renderTools({ tools, choice }: ToolOptions, search: boolean): Fields {
  // Its own search is refused beside functions.
  if (tools.length === 0) return search ? { tools: [{ googleSearch: {} }] } : {}
  const declared = { tools: [{ functionDeclarations: tools.map(declarationOf) }] }
  if (choice === null) return declared
  return { ...declared, toolConfig: { functionCallingConfig: callingConfig(choice) } }
}

/**
 * `parameters` would take a small subset of OpenAPI's schemas and refuse all others whole; this one takes
 * JSON Schema.
 */
function declarationOf({ name, description, parameters }: ToolOption): Fields {
  const declaration: Fields = { name }
  if (description !== null) declaration['description'] = description
  if (parameters !== null && Object.keys(fieldsOf(parameters['properties'])).length > 0)
    declaration['parametersJsonSchema'] = parameters
  return declaration
}

function callingConfig(choice: ToolChoice): Fields {
  switch (choice.kind) {
    case 'none':
      return { mode: 'NONE' }
    case 'auto':
      return { mode: 'AUTO' }
    case 'required':
      return { mode: 'ANY' }
  }
  return { mode: 'ANY', allowedFunctionNames: [choice.name] }
}
