import { cachedTokens, inputTokens, outputTokens, type Usage } from '../../../domain/usage'
import type { FinishReason } from '../chat/wire'
import { searchesIn } from '../hosted-tools'
import { fieldsOf, type Fields } from '../../json/fields'
import { type ReplyIdentity } from '../chat/wire'
import type { ResponsesBody } from './schema'

/** Ids are that of the request by other names, so that either finds the record. */
export const responseId = ({ id }: Pick<ReplyIdentity, 'id'>): string => named('resp', id)
/** Id of an output item, by its place. */
export const itemId = (prefix: string, { id }: Pick<ReplyIdentity, 'id'>, index: number): string =>
  `${named(prefix, id)}${index.toString(16).padStart(2, '0')}`

const named = (prefix: string, id: string): string => `${prefix}_${id.slice(id.indexOf('_') + 1)}`

/**
 * Usage in the words of the Responses format. Codex fails without `total_tokens`, other clients without the
 * details, so every member is there.
 * @see openai/openai-openapi `ResponseUsage`, 2.3.0 of 2026-08-21
 */
export function responsesUsage(usage: Usage): Fields {
  const { cache_write_5m: short = 0, cache_write_1h: long = 0 } = usage.units
  const [input, output] = [inputTokens(usage), outputTokens(usage)]
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: cachedTokens(usage),
      cache_write_tokens: short + long,
      ...(long > 0
        ? { cache_write_tokens_details: { ttl_30m_tokens: short, ttl_12h_tokens: long } }
        : {}),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + output,
  }
}

type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed'

/** Members of a response that differ between its events. */
export interface ResponseState {
  readonly status: ResponseStatus
  readonly output: readonly Fields[]
  /** Null until the end. */
  readonly usage: Usage | null
  readonly finish: FinishReason | null
  readonly error?: Fields
}

/**
 * The whole object (openai/openai-openapi `Response`): its clients read strictly, so that nothing is left
 * out.
 */
export function responseObject(
  body: ResponsesBody,
  identity: ReplyIdentity,
  { status, output, usage, finish, error }: ResponseState,
): Fields {
  const members: Fields = body
  const text = fieldsOf(body.text)
  const reasoning = fieldsOf(body.reasoning)
  return {
    id: responseId(identity),
    object: 'response',
    created_at: identity.created,
    status,
    background: false,
    error: error ?? null,
    incomplete_details: status === 'incomplete' ? { reason: incompleteReason(finish) } : null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: members['max_tool_calls'] ?? null,
    model: identity.model,
    output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: members['prompt_cache_key'] ?? null,
    reasoning: { effort: reasoning['effort'] ?? null, summary: reasoning['summary'] ?? null },
    safety_identifier: null,
    service_tier: 'default',
    store: false,
    temperature: body.temperature ?? 1,
    text: { format: text['format'] ?? { type: 'text' }, verbosity: text['verbosity'] ?? 'medium' },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    ...toolUsage(usage),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: members['truncation'] ?? 'disabled',
    usage: usage === null ? null : responsesUsage(usage),
    user: null,
    metadata: body.metadata ?? {},
  }
}

/** Client's view of tools that ran at the vendor. */
function toolUsage(usage: Usage | null): Fields {
  const searches = searchesIn(usage?.units ?? {})
  return searches === 0 ? {} : { tool_usage: { web_search: { num_requests: searches } } }
}

const incompleteReason = (finish: FinishReason | null): string =>
  finish === 'content_filter' ? 'content_filter' : 'max_output_tokens'

/** Status of a response, by the finish reason of its answer. */
export const statusOf = (finish: FinishReason | null): ResponseStatus =>
  finish === 'length' || finish === 'content_filter' ? 'incomplete' : 'completed'
