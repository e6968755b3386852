import { reasoningEfforts, type ReasoningEffort, type Traits } from '../../domain/model'
import { fieldsOf, isFields, type Fields } from '../json/fields'

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
 * Members by which clients of the chat format ask for thinking: the reference's own, then those of OpenRouter
 * (`reasoning`), of DeepSeek, Kimi and GLM (`thinking`), of Qwen, and of vLLM and SGLang.
 */
export const thinkingMembers = [
  'reasoning_effort',
  'reasoning',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'chat_template_kwargs',
] as const
export type ThinkingMember = (typeof thinkingMembers)[number]

/** Budgets in tokens above which thinking is taken for more than little, and for much; ours, no vendor's. */
const mediumBudget = 2048
const highBudget = 16_384

/** The effort that stands for a budget of thinking. @param tokens a number below one asks for none */
function effortForBudget(tokens: number): ReasoningEffort {
  if (tokens < 1) return 'none'
  if (tokens < mediumBudget) return 'low'
  return tokens < highBudget ? 'medium' : 'high'
}

/** Effort of a wish for thinking that says neither how much nor how long. */
const plainEffort: ReasoningEffort = 'medium'

const effortNamed = (name: unknown): ReasoningEffort | null =>
  reasoningEfforts.find((each) => each === name) ?? null

const switched = (value: unknown, budget?: unknown): ReasoningEffort | null => {
  if (value === false) return 'none'
  if (typeof budget === 'number') return effortForBudget(budget)
  return value === true ? plainEffort : null
}

/** Whether a chat body says something of thinking. Each member by its name: most bodies have none. */
export const saysOfThinking = ({
  reasoning_effort: effort,
  reasoning,
  thinking,
  enable_thinking: isOn,
  thinking_budget: budget,
  chat_template_kwargs: template,
}: Readonly<Fields> & { readonly [Name in ThinkingMember]?: unknown }): boolean =>
  effort !== undefined ||
  reasoning !== undefined ||
  thinking !== undefined ||
  isOn !== undefined ||
  budget !== undefined ||
  template !== undefined

/**
 * The effort that a chat body asks for, by whichever member it does.
 * @returns null where it leaves that to the model
 */
export function requestedEffort(body: Readonly<Fields>): ReasoningEffort | null {
  if (!saysOfThinking(body)) return null
  const { reasoning_effort: effort, reasoning, thinking, chat_template_kwargs: template } = body
  const named = effortNamed(effort)
  if (named !== null) return named
  const { effort: level, enabled, max_tokens: most } = fieldsOf(reasoning)
  const { type, budget_tokens: budget } = fieldsOf(thinking)
  const { enable_thinking: templated, thinking: thinks } = fieldsOf(template)
  return (
    effortNamed(level) ??
    switched(enabled, most) ??
    (type === 'disabled' ? 'none' : switched(type === 'enabled' ? true : undefined, budget)) ??
    switched(body['enable_thinking'], body['thinking_budget']) ??
    switched(templated ?? thinks)
  )
}

/** The closest effort of a model. @returns null where none is requested, or the model has none at all */
export const effortFor = (
  requested: ReasoningEffort | null,
  { efforts }: Traits,
): ReasoningEffort | null =>
  requested === null || efforts === undefined ? requested : closestEffort(requested, efforts)

/** The effort that a model is asked for by a chat body; null for none. */
export const effortOf = (body: Readonly<Fields>, traits: Traits): ReasoningEffort | null =>
  effortFor(requestedEffort(body), traits)

/** A member that asks a vendor of the chat format for an effort of thinking. */
export function thinkingAs(member: ThinkingMember, effort: ReasoningEffort): Fields {
  const thinks = effort !== 'none'
  switch (member) {
    case 'reasoning':
      return { reasoning: { effort } }
    case 'thinking':
      return { thinking: { type: thinks ? 'enabled' : 'disabled' } }
    case 'enable_thinking':
      return { enable_thinking: thinks }
    case 'thinking_budget':
      return { thinking_budget: thinkingTokens[effort] }
    case 'chat_template_kwargs':
      return { chat_template_kwargs: { enable_thinking: thinks } }
  }
  return { [member]: effort }
}

/** Whether a member of thinking says nothing but how much is thought. */
export function isOnlyEffort(name: string, value: unknown): boolean {
  const known = onlyEffort.get(name)
  if (known === undefined) return typeof value !== 'object' || value === null
  return isFields(value) && Object.keys(value).every((each) => known.includes(each))
}

const onlyEffort: ReadonlyMap<string, readonly string[]> = new Map([
  // Thoughts are shown wherever a vendor shows them: `exclude` only hides them.
  ['reasoning', ['effort', 'enabled', 'max_tokens', 'exclude', 'summary']],
  ['thinking', ['type', 'budget_tokens', 'display']],
  ['chat_template_kwargs', ['enable_thinking', 'thinking']],
])

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
 * @param body chat body
 */
export function thinkingRoom(body: Readonly<Fields>, traits: Traits): number {
  if (traits.thinkingOnTop !== true) return 0
  return thinkingTokens[effortOf(body, traits) ?? 'medium']
}
