import { reasoningEfforts, type ReasoningEffort, type Traits } from '../domain/model'

/** The closest effort the model has, rounding down; up only when nothing is lower. */
export function closestEffort(
  asked: ReasoningEffort,
  has: readonly ReasoningEffort[],
): ReasoningEffort | null {
  const most = reasoningEfforts.indexOf(asked)
  const lower = reasoningEfforts.findLast((each, rank) => rank <= most && has.includes(each))
  return lower ?? reasoningEfforts.find((each) => has.includes(each)) ?? null
}

/**
 * The effort that a model is asked for.
 * @returns null when the client asks for none, or the model has no effort at all
 */
export function effortOf(asked: unknown, { efforts }: Traits): ReasoningEffort | null {
  const known = reasoningEfforts.find((each) => each === asked)
  if (known === undefined) return null
  return efforts === undefined ? known : closestEffort(known, efforts)
}

/**
 * Tokens of thinking for an effort, by the table that Google publishes for `thinkingBudget` of Gemini 2.5
 * (ai.google.dev, OpenAI compatibility, updated 2026-06-22); it stops at high.
 */
export const thinkingTokens: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
}

/**
 * Output tokens beyond the client's ceiling, for a model whose thinking would eat it.
 * @param asked `reasoning_effort` of the body
 */
export function thinkingRoom(asked: unknown, traits: Traits): number {
  if (traits.thinkingOnTop !== true) return 0
  return thinkingTokens[effortOf(asked, traits) ?? 'medium']
}
