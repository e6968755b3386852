import type { Usage } from '../../domain/usage'
import { fieldsOf, isCount, type Fields } from '../../json/fields'
import { openUnits, tokenCount } from '../token-count'

/**
 * Usage of the Messages format in the normal form: what was read from a cache and what was written to
 * one stand beside `input_tokens`, not inside.
 * @returns null when it tells nothing that can be believed
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts` (`Usage`)
 */
export function readMessagesUsage(value: unknown): Usage | null {
  const raw = fieldsOf(value)
  const { input_tokens: input, output_tokens: output } = raw
  if (!isCount(input) && !isCount(output)) return null
  const written = tokenCount(raw, 'cache_creation_input_tokens')
  const split = fieldsOf(raw['cache_creation'])
  const hour = tokenCount(split, 'ephemeral_1h_input_tokens')
  const minutes = Math.max(written - hour, tokenCount(split, 'ephemeral_5m_input_tokens'))
  const { units, put } = openUnits()
  put('input', tokenCount(raw, 'input_tokens'))
  put('cached_input', tokenCount(raw, 'cache_read_input_tokens'))
  put('cache_write_5m', minutes)
  put('cache_write_1h', hour)
  put('output', tokenCount(raw, 'output_tokens'))
  put('tool:web_search', tokenCount(fieldsOf(raw['server_tool_use']), 'web_search_requests'))
  const thought = tokenCount(fieldsOf(raw['output_tokens_details']), 'thinking_tokens')
  return { units, reasoning: Math.min(thought, units.output ?? 0), estimated: false }
}

/** Later numbers replace earlier ones, where they say anything. */
export function mergedUsage(before: Fields, later: unknown): Fields {
  const reported = Object.entries(fieldsOf(later)).filter(([, value]) => value !== null)
  return { ...before, ...Object.fromEntries(reported) }
}
