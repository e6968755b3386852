import type { CacheWrite } from './text-estimate'

/**
 * The dearest write to a cache that a request asks for, by the names of marks in all formats: Anthropic's and
 * OpenRouter's, and the two of OpenAI.
 */
export function requestedWrite(text: string): CacheWrite | null {
  // Most have neither: one look at the text finds that.
  if (!suspicious.test(text)) return null
  if (hidden.test(text)) return 'cache_write_1h'
  if (!marks.test(text)) return null
  return /"ttl"\s*:\s*"(?:1h|12h)"/.test(text) ? 'cache_write_1h' : 'cache_write_5m'
}

const suspicious = /\\u00|cache_/

const marks = /"(?:cache_control|prompt_cache_(?:breakpoint|options))"/

/** Letters, digits and `_` as escapes, as no program writes them: they may spell a mark. */
const hidden = /(?<!\\)(?:\\\\)*\\u00(?:3[0-9]|5[fF]|[46][1-9a-fA-F]|[57][0-9aA])/
