import type { FinishReason } from '../chat/wire'

const filtered = new Set(
  (
    'SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII LANGUAGE IMAGE_SAFETY ' +
    'IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION ESCALATION MODEL_ARMOR'
  ).split(' '),
)
const broken = new Set(
  'MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MISSING_THOUGHT_SIGNATURE MALFORMED_RESPONSE'.split(
    ' ',
  ),
)

/** The model could not put its answer into words: no answer, unless something was said before. */
export const isBreakdown = (reason: string): boolean => broken.has(reason)

/**
 * Finish reason in the words of chat; the vendor says STOP for calls too.
 * @see googleapis/js-genai `src/types.ts` of 2026-08-21 (`FinishReason`)
 */
export function finishOf(reason: string, called: boolean): FinishReason {
  if (reason === 'MAX_TOKENS' || reason === 'CONTINUATION') return 'length'
  if (filtered.has(reason)) return 'content_filter'
  return called ? 'tool_calls' : 'stop'
}
