import type { Traits } from '../../../domain/model'
import type { ChatBody } from '../chat/schema'
import { forcesCall, type ToolOptions } from '../chat/tool-options'
import type { Turn } from '../chat/turns'
import type { Fields } from '../../json/fields'
import { effortFor, requestedEffort, thinkingTokens } from '../reasoning'
import { shownThinking, thinksByBudget } from './claude-names'
import { readKept, type KeptBlock } from './provider-state'
import type { JsonTool } from './json-answer'

interface ThinkingPlan {
  /** The `thinking` of the request; null leaves it to the model. */
  readonly thinking: Fields | null
  /** The effort in `output_config`. */
  readonly effort: string | null
  /** Thinking was asked for: sampling does not go with it. */
  readonly on: boolean
  /** Signed reasoning by the turn it belongs to. */
  readonly replayed: ReadonlyMap<Turn, readonly KeptBlock[]>
}

interface ThinkingParts {
  /** The vendor's name of it, where its traits do not say how it thinks. */
  readonly model: string
  readonly body: ChatBody
  readonly traits: Traits
  readonly maxTokens: number
  readonly turns: readonly Turn[]
  readonly answerTool: JsonTool | null
  readonly options: ToolOptions
  recall(call: object): unknown
}

/**
 * Tokens; the format refuses a smaller budget.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts`
 *   (`ThinkingConfigEnabled`)
 */
const minBudget = 1024

const unasked: ThinkingPlan = { thinking: null, effort: null, on: false, replayed: new Map() }

/** Plan of a request's thinking: how much, and earlier reasoning as far as it is known. */
export function planThinking(asked: ThinkingParts): ThinkingPlan {
  const { body, traits, maxTokens, turns, answerTool } = asked
  const { thinking = thinksByBudget(asked.model) ? 'budget' : 'adaptive' } = traits
  const budgeted = thinking === 'budget'
  const requested = requestedEffort(body)
  // Where a model weighs it itself the least thinking is low, not none.
  const effort = effortFor(requested === 'minimal' && !budgeted ? 'low' : requested, traits)
  const known = keptReasoning(asked)
  if (effort === null) return { ...unasked, replayed: budgeted ? unasked.replayed : known }
  if (effort === 'none') return { ...unasked, thinking: { type: 'disabled' } }
  // A call cannot be forced beside thinking, and it is the firmer wish, as is the form of the answer.
  if (answerTool !== null || forcesCall(asked.options)) return unasked
  if (!budgeted)
    return {
      thinking: { type: 'adaptive', ...shownThinking(asked.model) },
      effort,
      on: true,
      replayed: known,
    }
  // Under a budget, a turn that called tools may only come back with what was thought before it.
  const lost = openLoop(turns).some((turn) => !known.has(turn))
  if (lost || maxTokens <= minBudget) return unasked
  const budget = Math.min(thinkingTokens[effort], maxTokens - 1)
  return {
    thinking: { type: 'enabled', budget_tokens: budget },
    effort: null,
    on: true,
    replayed: known,
  }
}

/**
 * Turns with calls since the user last spoke. What stands behind results, such as pictures of them, is one message with
 * them, and ends nothing (docs.claude.com, extended thinking with tool use, November 2026).
 */
function openLoop(turns: readonly Turn[]): readonly Turn[] {
  const spoke = turns.findLastIndex(
    ({ role }, at) => role === 'user' && turns[at - 1]?.role !== 'results',
  )
  return turns.slice(spoke + 1).filter((turn) => turn.role === 'assistant' && turn.calls.length > 0)
}

function keptReasoning({ turns, recall }: ThinkingParts): ReadonlyMap<Turn, readonly KeptBlock[]> {
  const kept = new Map<Turn, readonly KeptBlock[]>()
  for (const turn of turns) {
    if (turn.role !== 'assistant') continue
    for (const { raw } of turn.calls) {
      const blocks = readKept(recall(raw))
      if (blocks === null) continue
      kept.set(turn, blocks)
      break
    }
  }
  return kept
}
