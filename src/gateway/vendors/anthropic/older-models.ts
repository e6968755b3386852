import {
  refusesBudget,
  shownThinking,
  takesLaterInstructions,
  thinksByBudget,
} from '../../formats/messages/claude-names'
import { textBlock } from '../../formats/messages/render-turns'
import { effortFor, requestedEffort, thinkingTokens } from '../../formats/reasoning'
import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'
import type { Target } from '../vendor'

/*
 * Members that clients of the format send to every id (Claude Code 2.1.332, as measured; scripts that set a budget), and
 * models older or newer than they were written for refuse.
 */

/** Tokens; the format refuses a smaller budget. */
const minBudget = 1024

/**
 * Instructions among the turns as what a user says, where the model knows no other role there.
 * @returns null when nothing changed
 */
export function withoutLaterInstructions(
  messages: unknown,
  { route, traits }: Target,
): readonly unknown[] | null {
  const all = listOf(messages)
  if (!all.some(isInstruction)) return null
  if (traits.thinking !== 'budget' && takesLaterInstructions(route.vendorModel)) return null
  return all.map((message) =>
    isInstruction(message) ? { role: 'user', content: saidBlocks(message['content']) } : message,
  )
}

/** Of text alone: what else may stand there, such as tools that come and go, has no other place. */
const isInstruction = (message: unknown): message is Fields =>
  isFields(message) &&
  message['role'] === 'system' &&
  (isText(message['content']) ||
    listOf(message['content']).every((block) => fieldsOf(block)['type'] === 'text'))

const saidBlocks = (content: unknown): readonly Fields[] =>
  isText(content)
    ? [textBlock(instruction(content))]
    : listOf(content).map((block) => ({
        ...fieldsOf(block),
        text: instruction(String(fieldsOf(block)['text'])),
      }))

const instruction = (text: string): string => `<system>${text}</system>`

/**
 * Members for a model that thinks by a budget, of a request that leaves it to the model.
 * @returns null when nothing changed
 */
export function budgetedThinking(body: Readonly<Fields>, target: Target): Readonly<Fields> | null {
  const { thinking, output_config: config, max_tokens: ceiling } = body
  const { type, ...rest } = fieldsOf(thinking)
  const { traits, route, maxOutputTokens } = target
  if (type !== 'adaptive') return null
  if ((traits.thinking ?? (thinksByBudget(route.vendorModel) ? 'budget' : '')) !== 'budget')
    return null
  const { effort, ...form } = fieldsOf(config)
  const most = typeof ceiling === 'number' ? ceiling : (maxOutputTokens ?? Infinity)
  const budget = Math.min(budgetOf(effort), most - 1)
  return {
    thinking: budget < minBudget ? null : { ...rest, type: 'enabled', budget_tokens: budget },
    ...(config === undefined ? {} : { output_config: Object.keys(form).length > 0 ? form : null }),
  }
}

/**
 * Members for a model that takes no budget of thinking, of a request that sets one: the effort that comes closest,
 * unless the request names its own.
 * @returns null when nothing changed
 */
export function adaptiveThinking(body: Readonly<Fields>, target: Target): Readonly<Fields> | null {
  const { thinking, output_config: config } = body
  const { type, budget_tokens: _, display, ...rest } = fieldsOf(thinking)
  const { traits, route } = target
  if (type !== 'enabled') return null
  if (!(refusesBudget(route.vendorModel) ?? traits.thinking === 'adaptive')) return null
  const requested = requestedEffort({ thinking })
  const effort = effortFor(requested === 'minimal' ? 'low' : requested, traits)
  return {
    thinking: {
      ...rest,
      type: 'adaptive',
      // Thinking under a budget is shown unless the request says otherwise.
      ...(isText(display) ? { display } : shownThinking(route.vendorModel)),
    },
    ...(effort === null ? {} : { output_config: { effort, ...fieldsOf(config) } }),
  }
}

const budgetOf = (effort: unknown): number =>
  Object.entries(thinkingTokens).find(([name]) => name === effort)?.[1] ?? thinkingTokens.high
