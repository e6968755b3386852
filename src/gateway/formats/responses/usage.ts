import type { Usage } from '../../../domain/usage'
import { fieldsOf, isCount } from '../../json/fields'
import { tokensBesidePrompt } from '../prompt-usage'
import { openUnits, tokenCount } from '../token-count'

/**
 * Usage of the Responses format in the normal form: what was read from a cache and written to one
 * stands inside `input_tokens`, reasoning inside `output_tokens`. A vendor whose sums say otherwise is believed.
 * @returns null when it tells nothing that can be believed
 * @see openai/openai-openapi `ResponseUsage`, 2.3.0 of 2026-08-21
 */
export function readResponsesUsage(value: unknown): Usage | null {
  const raw = fieldsOf(value)
  if (!isCount(raw['input_tokens']) && !isCount(raw['output_tokens'])) return null
  const details = fieldsOf(raw['input_tokens_details'])
  const cached = tokenCount(details, 'cached_tokens')
  const split = fieldsOf(details['cache_write_tokens_details'])
  const long = tokenCount(split, 'ttl_12h_tokens')
  const written = Math.max(tokenCount(details, 'cache_write_tokens'), long)
  const reasoning = tokenCount(fieldsOf(raw['output_tokens_details']), 'reasoning_tokens')
  const reported = Math.max(tokenCount(raw, 'output_tokens'), reasoning)
  const prompt = tokenCount(raw, 'input_tokens')
  const total = tokenCount(raw, 'total_tokens')
  const rest = total === 0 ? null : total - prompt - reported
  const counts = { prompt, cached, written, reasoning, rest, kinds: null }
  const input = Math.max(prompt + tokensBesidePrompt(counts), cached + written)
  // A total beyond both parts is unreported output.
  const output = Math.max(reported, total - input)
  const { units, put } = openUnits()
  put('input', input - cached - written)
  put('cached_input', cached)
  put('cache_write_5m', written - long)
  put('cache_write_1h', long)
  put('output', output)
  return { units, reasoning, estimated: false }
}
