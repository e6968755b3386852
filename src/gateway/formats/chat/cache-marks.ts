import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { invalid } from '../schema-fault'

/**
 * Mark behind a part of a prompt, up to which a vendor is to keep it for later requests. In the middle it has the
 * form of OpenRouter and Anthropic, `cache_control`: on parts of a content, on a message for its last part, on calls
 * and tools of functions.
 *
 * OpenAI's form is `prompt_cache_breakpoint`, on parts alone. Each vendor has a lifetime of minutes, meant where none
 * is named (`5m`, `30m`), and a dearer one: `1h` of the one form is `12h` of the other.
 * @see https://openrouter.ai/docs/guides/best-practices/prompt-caching, November 2026
 * @see openai/openai-node 7.59.0, `ChatCompletionContentPartText.PromptCacheBreakpoint`
 */
export interface CacheMark {
  readonly type: 'ephemeral'
  readonly ttl?: '5m' | '1h'
}

/**
 * The mark of a part, message, call or tool.
 * @param at its place in the body, for refusals; '' for the body itself
 * @returns null where there is none
 * @throws invalid_field for a mark of another kind
 */
export function readCacheMark(marked: Fields, at: string): CacheMark | null {
  if (!isMarked(marked)) return null
  const mark = knownMark(marked)
  if (mark !== null) return mark
  const param = `${at === '' ? '' : `${at}.`}cache_control`
  const { type } = fieldsOf(marked['cache_control'])
  if (type !== 'ephemeral') throw invalid(param, 'an object whose type is ephemeral')
  throw invalid(`${param}.ttl`, '5m | 1h')
}

/** The mark of a part, block, call or tool in either form; null for none, and for one of a kind that is not known. */
export function knownMark(marked: Fields): CacheMark | null {
  const { cache_control: control, prompt_cache_breakpoint: breakpoint } = marked
  const { type, ttl } = fieldsOf(control)
  if (type === 'ephemeral' && (ttl === '5m' || ttl === '1h')) return { type, ttl }
  if (type === 'ephemeral') return (ttl ?? null) === null ? { type } : null
  if ((control ?? null) !== null || !isFields(breakpoint)) return null
  return breakpoint['ttl'] === '12h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' }
}

/** A mark in OpenAI's form. */
export const breakpointOf = ({ ttl }: CacheMark): Fields =>
  ttl === '1h' ? { mode: 'explicit', ttl: '12h' } : { mode: 'explicit' }

/** A block, part, call or tool with its mark, where it has one. */
export const withCacheMark = (marked: Fields, mark: CacheMark | null | undefined): Fields =>
  mark === null || mark === undefined ? marked : { ...marked, cache_control: mark }

/** The last mark of several parts. */
export const lastMark = (parts: readonly { readonly cache?: CacheMark }[]): CacheMark | null =>
  parts.findLast(({ cache }) => cache !== undefined)?.cache ?? null

/** Whether one of these has a mark, in either form. */
export function someMarked(list: unknown): boolean {
  if (!Array.isArray(list)) return false
  for (const each of listOf(list)) if (isFields(each) && isMarked(each)) return true
  return false
}

/** Whether it has a mark, in either form. */
export const isMarked = ({ cache_control: control, prompt_cache_breakpoint: breakpoint }: Fields) =>
  (control ?? breakpoint ?? null) !== null
