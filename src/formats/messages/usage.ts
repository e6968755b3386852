import type { Meter, Usage } from '../../domain/usage'
import { fieldsOf, isCount, type Fields } from '../chat/wire'

/**
 * Usage of the Messages format in the normal form: what was read from a cache and what was written to
 * one stand beside `input_tokens`, not inside.
 * @returns null when it tells nothing that can be believed
 */
export function readMessagesUsage(value: unknown): Usage | null {
  const raw = fieldsOf(value)
  const { input_tokens: input, output_tokens: output } = raw
  if (!isCount(input) && !isCount(output)) return null
  const written = countOf(raw, 'cache_creation_input_tokens')
  const split = fieldsOf(raw['cache_creation'])
  const hour = countOf(split, 'ephemeral_1h_input_tokens')
  const minutes = Math.max(written - hour, countOf(split, 'ephemeral_5m_input_tokens'))
  const units: Partial<Record<Meter, number>> = {}
  const put = (meter: Meter, count: number) => {
    if (count > 0) units[meter] = count
  }
  put('input', countOf(raw, 'input_tokens'))
  put('cached_input', countOf(raw, 'cache_read_input_tokens'))
  put('cache_write_5m', minutes)
  put('cache_write_1h', hour)
  put('output', countOf(raw, 'output_tokens'))
  put('tool:web_search', countOf(fieldsOf(raw['server_tool_use']), 'web_search_requests'))
  const thought = countOf(fieldsOf(raw['output_tokens_details']), 'thinking_tokens')
  return { units, reasoning: Math.min(thought, units.output ?? 0), estimated: false }
}

/** Later numbers replace earlier ones, where they say anything. */
export function mergedUsage(before: Fields, later: unknown): Fields {
  const told = Object.entries(fieldsOf(later)).filter(([, value]) => value !== null)
  return { ...before, ...Object.fromEntries(told) }
}

const countOf = (raw: Fields, name: string): number => {
  const value = raw[name]
  return isCount(value) ? value : 0
}
