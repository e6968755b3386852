import type { CacheWrite } from './text-estimate'

/**
 * The dearest write to a cache that a request asks for, by the names of marks in all formats: Anthropic's and
 * OpenRouter's, and the two of OpenAI.
 */
export function requestedWrite(text: string): CacheWrite | null {
  // The search for a plain word is the faster one.
  if (!text.includes('cache_') || !marks.test(text)) return null
  return /"ttl"\s*:\s*"(?:1h|12h)"/.test(text) ? 'cache_write_1h' : 'cache_write_5m'
}

const marks = /"(?:cache_control|prompt_cache_(?:breakpoint|options))"/
