import type { CacheWrite } from './text-estimate'

/**
 * The dearest write to a cache that a request asks for, by the names of marks in all formats: Anthropic's and
 * OpenRouter's, and the two of OpenAI.
 */
export function requestedWrite(text: string): CacheWrite | null {
  if (!marks.some((name) => text.includes(name))) return null
  return /"ttl"\s*:\s*"(?:1h|12h)"/.test(text) ? 'cache_write_1h' : 'cache_write_5m'
}

const marks = ['"cache_control"', '"prompt_cache_breakpoint"', '"prompt_cache_options"']
