import { cachedTokens, inputTokens, outputTokens, type Usage } from '../../domain/usage'

/** Usage in the words of the Messages format: what was cached stands beside `input_tokens`. */
export function messagesUsage(usage: Usage) {
  const { cache_write_5m: short = 0, cache_write_1h: long = 0 } = usage.units
  const cached = cachedTokens(usage)
  const searches = usage.units['tool:web_search'] ?? 0
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
