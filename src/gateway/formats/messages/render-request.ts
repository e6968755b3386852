import type { Traits } from '../../../domain/model'
import { jsonInstruction, readAnswerFormat, schemaInstruction } from '../chat/answer-format'
import { readCacheMark } from '../chat/cache-marks'
import { outputCeilingOf, stopsOf } from '../chat/ceiling'
import { chatPath, refuseUnsaid } from '../chat/members'
import type { ChatBody } from '../chat/schema'
import { forcesCall, readToolOptions } from '../chat/tool-options'
import { readTurns } from '../chat/turns'
import type { WebSearch } from '../chat/web-search'
import { isCount, type Fields } from '../../json/fields'
import { saidBy } from '../said-members'
import { unsupported } from '../schema-fault'
import { jsonTool } from './json-answer'
import { closedSchema } from './json-schema'
import { limitMarks } from './prompt-cache'
import { renderConversation, textBlock } from './render-turns'
import { renderTools, withSearch } from './render-tools'
import { planThinking } from './thinking'

interface MessagesQuestion {
  readonly body: ChatBody
  /** The vendor's name of it. */
  readonly model: string
  readonly traits: Traits
  /** The most the model puts out; null when nobody knows. */
  readonly maxOutputTokens: number | null
  /** Our opaque id of the client. */
  readonly safetyId: string
  readonly stream: boolean
  /** Web search requested of the vendor; null where it has no price. */
  readonly search: WebSearch | null
  recall(call: object): unknown
}

/** The format demands a ceiling, in tokens; every model but the very oldest may put out this much. */
export const defaultMaxTokens = 8192

/**
 * A chat body as a request of the Messages format.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts`
 *   (`MessageCreateParams`)
 * @throws invalid_field | invalid_message | endpoint_not_supported for options that the format lacks
 */
export function renderMessagesRequest(question: MessagesQuestion): Fields {
  const { body, traits, model, safetyId, stream } = question
  refuseUnsaid(body, saidBy.messages, traits.drop)
  const ceiling = Math.min(
    outputCeilingOf(body) ?? Number.POSITIVE_INFINITY,
    question.maxOutputTokens ?? Number.POSITIVE_INFINITY,
  )
  const maxTokens = Number.isFinite(ceiling) ? ceiling : defaultMaxTokens
  const turns = readTurns(body.messages)
  const answerTool = jsonTool(body, traits)
  const options = readToolOptions(body)
  // Models that always think refuse a forced call.
  if (forcesCall(options) && traits.forcedTool === false)
    throw unsupported(body.model, chatPath, 'tool_choice')
  const { recall } = question
  const plan = planThinking({ model, body, traits, maxTokens, turns, answerTool, options, recall })
  const { system, messages } = renderConversation(turns, plan.replayed)
  const tools = withSearch(renderTools({ options, traits, turns, answerTool }), question.search)

  const inWords = formatInstructions(body, traits, answerTool !== null).map(textBlock)
  const request: Fields = { model, max_tokens: maxTokens }
  if (system.length + inWords.length > 0) request['system'] = [...system, ...inWords]
  request['messages'] = messages
  Object.assign(request, tools, sampling(body, traits, plan.on))
  const stops = stopsOf(body)
  // The format refuses ends without a letter.
  if (stops.some((stop) => stop.trim() === '')) throw unsupported(body.model, chatPath, 'stop')
  if (stops.length > 0) request['stop_sequences'] = stops
  if (plan.thinking !== null) request['thinking'] = plan.thinking
  const output = outputConfig(body, traits, answerTool !== null, plan.effort)
  if (output !== null) request['output_config'] = output
  request['metadata'] = { user_id: safetyId }
  if (stream) request['stream'] = true
  // The vendor puts this mark on the last block itself.
  const cache = readCacheMark({ cache_control: (body as Fields)['cache_control'] }, '')
  if (cache !== null && traits.drop?.includes('cache_control') !== true)
    request['cache_control'] = cache
  limitMarks(request)
  return request
}

/** One of temperature and top_p, in the range of this format; none of it beside thinking. */
function sampling(body: ChatBody, { drop }: Traits, thinking: boolean): Fields {
  const may = (name: string) => !thinking && drop?.includes(name) !== true
  const { temperature, top_p: topP, top_k: topK }: ChatBody & Fields = body
  const most = isCount(topK) && topK > 0 && may('top_k') ? { top_k: topK } : {}
  if (typeof temperature === 'number' && may('temperature'))
    return { ...most, temperature: Math.min(1, temperature) }
  return typeof topP === 'number' && may('top_p') ? { ...most, top_p: topP } : most
}

/** Instruction in words for options that the format has no field for. */
function formatInstructions(body: ChatBody, traits: Traits, byTool: boolean): readonly string[] {
  const format = readAnswerFormat(body)
  if (format.kind === 'object') return [jsonInstruction]
  if (format.kind === 'text' || byTool) return []
  return nativeSchema(body, traits) === null ? [schemaInstruction(format.schema)] : []
}

function nativeSchema(body: ChatBody, { structured = 'schema' }: Traits): Fields | null {
  const format = readAnswerFormat(body)
  if (format.kind !== 'schema' || structured !== 'schema') return null
  return closedSchema(format.schema)
}

function outputConfig(
  body: ChatBody,
  traits: Traits,
  byTool: boolean,
  effort: string | null,
): Fields | null {
  const schema = byTool ? null : nativeSchema(body, traits)
  const config: Fields = {}
  if (effort !== null) config['effort'] = effort
  if (schema !== null) config['format'] = { type: 'json_schema', schema }
  return Object.keys(config).length > 0 ? config : null
}
