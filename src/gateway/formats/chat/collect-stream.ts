import type { StreamCollector } from '../stream-collector'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'

interface Draft {
  readonly message: Fields
  readonly calls: Map<unknown, Fields>
  logprobs: unknown
  finish: unknown
  /** It was ended by its vendor, and not only by the end of the stream. */
  isEnded: boolean
}

const ownMembers = new Set(['object', 'choices', 'cost_usd'])

/**
 * Chunks of a chat stream as a chat reply. Members that we do not know are put together too.
 * @see openai/openai-openapi `CreateChatCompletionStreamResponse`, 2.3.0 of 2026-08-21
 */
export function collectChat(): StreamCollector {
  const choices = new Map<number, Draft>()
  const head: Fields = {}
  let isClosing = false

  const draftOf = (index: number): Draft => {
    let draft = choices.get(index)
    if (draft === undefined) {
      const message = { role: 'assistant', content: null, refusal: null }
      draft = { message, calls: new Map(), logprobs: null, finish: null, isEnded: false }
      choices.set(index, draft)
    }
    return draft
  }

  const addChoice = (choice: Fields) => {
    const draft = draftOf(Number(choice['index'] ?? 0))
    const { tool_calls: calls, role: _, ...delta } = fieldsOf(choice['delta'])
    merge(draft.message, delta)
    for (const call of listOf(calls).filter(isFields)) {
      const { index, ...rest } = call
      const known = draft.calls.get(index)
      if (known === undefined) draft.calls.set(index, structuredClone(rest))
      else addToCall(known, rest)
    }
    draft.logprobs = merged(draft.logprobs, choice['logprobs'] ?? null)
    if (choice['finish_reason'] === null || choice['finish_reason'] === undefined) return
    draft.finish = choice['finish_reason']
    draft.isEnded = !isClosing
  }

  return {
    add(event) {
      for (const name in event)
        if (!ownMembers.has(name) && event[name] !== null) head[name] = event[name]
      for (const choice of listOf(event['choices']).filter(isFields)) addChoice(choice)
    },
    closing: () => void (isClosing = true),
    whole(stopped) {
      const { usage, id, created, model, ...rest } = head
      const whole = [...choices].sort(([a], [b]) => a - b)
      return {
        id,
        object: 'chat.completion',
        created,
        model,
        choices: whole.map(([index, draft]) => choiceOf(index, draft, stopped)),
        usage,
        ...rest,
      }
    },
  }
}

function choiceOf(index: number, draft: Draft, stopped: boolean): Fields {
  const { message, calls, logprobs, finish, isEnded } = draft
  const said = { ...message }
  if (calls.size > 0) said['tool_calls'] = [...calls.values()]
  if (said['content'] === '' && (calls.size > 0 || said['refusal'] !== null)) said['content'] = null
  return { index, message: said, logprobs, finish_reason: stopped && !isEnded ? 'length' : finish }
}

/** Names and ids of a call come once; only its arguments grow. */
function addToCall(call: Fields, { function: more, ...rest }: Fields): void {
  Object.assign(call, rest)
  const called = fieldsOf(call['function'])
  const { arguments: text, ...others } = fieldsOf(more)
  Object.assign(called, others)
  if (typeof text === 'string') called['arguments'] = merged(called['arguments'], text)
  call['function'] = called
}

function merge(into: Fields, more: Fields): void {
  for (const name in more) into[name] = merged(into[name], more[name])
}

/** Texts and lists grow, objects by their members; anything else is as it was told last. */
function merged(before: unknown, more: unknown): unknown {
  if (more === null || more === undefined) return before ?? null
  if (typeof before === 'string' && typeof more === 'string') return before + more
  if (Array.isArray(before) && Array.isArray(more)) return [...listOf(before), ...listOf(more)]
  if (!isFields(before) || !isFields(more)) return more
  const both = { ...before }
  merge(both, more)
  return both
}
