import type { ReplyIdentity } from '../chat/wire'
import { cachedTokens, inputTokens, outputTokens, type Usage } from '../../../domain/usage'
import { searchesIn } from '../hosted-tools'
import { messagesError } from './error'
import { fieldsOf, type Fields } from '../../json/fields'
import type { RenderedEnd } from '../hub'

/** The id of a message is that of its request by another name, so that either finds the record. */
export const messageId = ({ id }: Pick<ReplyIdentity, 'id'>): string =>
  `msg_${id.slice(id.indexOf('_') + 1)}`

/** Usage in the words of the Messages format: what was cached stands beside `input_tokens`. */
export function messagesUsage(usage: Usage) {
  const { cache_write_5m: short = 0, cache_write_1h: long = 0 } = usage.units
  const cached = cachedTokens(usage)
  const searches = searchesIn(usage.units)
  return {
    input_tokens: inputTokens(usage) - cached - short - long,
    cache_creation_input_tokens: short + long,
    cache_read_input_tokens: cached,
    cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long },
    output_tokens: outputTokens(usage),
    output_tokens_details: { thinking_tokens: usage.reasoning },
    server_tool_use:
      searches === 0 ? null : { web_search_requests: searches, web_fetch_requests: 0 },
    service_tier: 'standard',
  }
}

/**
 * An event with its name before it: both official clients pass over those without (SDK 1.11.0,
 * `src/core/streaming.ts`).
 */
export const eventOf = (event: Fields & { readonly type: string }): string =>
  namedEvent(event.type, JSON.stringify(event))

/** An event of the Messages format as text, by its name and JSON. */
export const namedEvent = (type: string, data: string): string =>
  `event: ${type}\ndata: ${data}\n\n`

/** Sent while nothing else is: Claude Code gives up on a stream that says nothing. */
export const pingEvent = eventOf({ type: 'ping' })

/** The last event of a stream that broke, with its charge. */
export const errorEvent = (
  { id }: Pick<ReplyIdentity, 'id'>,
  { error, usage, costUsd }: RenderedEnd,
): string =>
  eventOf({
    ...messagesError(fieldsOf(error), id),
    usage: messagesUsage(usage),
    cost_usd: costUsd,
  })
