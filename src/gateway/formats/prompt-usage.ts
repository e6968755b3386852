/** Counts of a usage that tell how its prompt relates to a cache. */
interface PromptCounts {
  /** As reported. */
  readonly prompt: number
  readonly cached: number
  readonly written: number
  readonly reasoning: number
  /** The reported total without prompt and completion; null where no total is reported. */
  readonly rest: number | null
  /** Text, sound and pictures of the prompt together; null where text is not told apart. */
  readonly kinds: number | null
  /** The members are Anthropic's, whose counts never overlap. */
  readonly isDisjoint?: boolean
}

/**
 * Cached tokens that a vendor counts beside its prompt, not inside. The total says so where it adds them, and a
 * part that is larger than the prompt cannot be inside. Where no total says anything, a prompt that its kinds fill
 * without the cached tokens has these beside it. xAI's own replies fill the prompt too and count cached tokens
 * inside, but their total says so (`prompt 2640, completion 182, reasoning 672, total 3494, text 2640, cached 473`,
 * vercel/ai `packages/xai`, 2025-10); of Grok sold by Azure the total adds them (November 2026).
 * @returns how many the prompt lacks
 */
export function tokensBesidePrompt(counts: PromptCounts): number {
  const { prompt, cached, written, reasoning, rest, kinds, isDisjoint = false } = counts
  const both = cached + written
  if (both === 0) return 0
  for (const beside of [both, cached, written])
    if (beside > 0 && isExplained(rest, beside, reasoning)) return beside
  if (cached > prompt || written > prompt) return both
  if (isDisjoint && both > prompt) return both
  const isInside = rest === 0 || (rest !== null && rest === reasoning)
  return !isInside && cached > 0 && kinds === prompt ? cached : 0
}

/** Thoughts may stand beside the completion as well; as many of them alone explain a total better. */
const isExplained = (rest: number | null, beside: number, reasoning: number): boolean =>
  rest === beside + reasoning || (rest === beside && rest !== reasoning)

/** Tokens of the prompt that were written to a cache, and those that were neither read nor written. */
interface SplitPrompt {
  readonly written: number
  readonly rest: number
}

/**
 * Parts of a prompt that holds all its tokens. What was read may have been written in the same call: OpenRouter
 * bills Gemini's such tokens as both, as the bill in its usage says (November 2026: prompt 2168, cached 2161,
 * written 2161 cost 7 × input + 2161 × read + 2161 × write). Without a bill they are taken for read alone.
 */
export function splitPrompt(
  { prompt, cached, written }: Pick<PromptCounts, 'prompt' | 'cached' | 'written'>,
  isBilled: boolean,
): SplitPrompt {
  if (isBilled && cached + written > prompt && written <= prompt)
    return { written, rest: prompt - Math.max(cached, written) }
  const newly = Math.min(written, prompt - cached)
  return { written: newly, rest: prompt - cached - newly }
}
