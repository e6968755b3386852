import type { Usage } from '../../domain/usage'
import { fieldsOf, listOf, type Fields } from '../json/fields'
import type { FinishReason } from './chat/wire'
import type { Delta, HubChoice, HubReply, HubToolCall } from './hub'

interface Draft {
  text: string | null
  reasoning: string | null
  refusal: string | null
  readonly calls: Map<number, HubToolCall>
  readonly annotations: Fields[]
  readonly logprobs: unknown[]
  finish: FinishReason | null
  stopSequence: string | null
}

/** All deltas of a stream as one whole answer. */
export function collectReply(deltas: readonly Delta[]): HubReply {
  const drafts = new Map<number, Draft>()
  let usage: Usage | null = null
  const draftOf = (choice: number): Draft => {
    let draft = drafts.get(choice)
    if (draft === undefined) drafts.set(choice, (draft = emptyDraft()))
    return draft
  }
  for (const delta of deltas)
    if (delta.type === 'usage') usage = delta.usage
    else add(draftOf(delta.choice), delta)
  const choices = [...drafts].sort(([a], [b]) => a - b).map(([, draft]) => choiceOf(draft))
  return { choices, usage }
}

const emptyDraft = (): Draft => ({
  text: null,
  reasoning: null,
  refusal: null,
  calls: new Map(),
  annotations: [],
  logprobs: [],
  finish: null,
  stopSequence: null,
})

function add(draft: Draft, delta: Exclude<Delta, { type: 'usage' }>): void {
  switch (delta.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      draft[delta.type] = (draft[delta.type] ?? '') + delta.text
      if (delta.type === 'text') draft.logprobs.push(...(delta.logprobs ?? []))
      return
    case 'tool-start': {
      const { id, name, extra } = delta
      const call = { id, name, arguments: '', ...(extra === undefined ? {} : { extra }) }
      draft.calls.set(delta.tool, call)
      return
    }
    case 'tool-arguments': {
      const call = draft.calls.get(delta.tool)
      if (call !== undefined)
        draft.calls.set(delta.tool, { ...call, arguments: call.arguments + delta.text })
      return
    }
    case 'annotation':
      draft.annotations.push(delta.annotation)
      return
    case 'finish':
      draft.finish = delta.reason
      draft.stopSequence = delta.stopSequence
  }
}

function choiceOf({ text, calls, finish, ...draft }: Draft): HubChoice {
  const toolCalls = [...calls].sort(([a], [b]) => a - b).map(([, call]) => call)
  const { reasoning, refusal, annotations, stopSequence, logprobs } = draft
  return {
    text: text ?? (toolCalls.length > 0 || refusal !== null ? null : ''),
    reasoning,
    refusal,
    toolCalls,
    annotations,
    finish: finish ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    stopSequence,
    logprobs: logprobs.length > 0 ? { content: logprobs, refusal: null } : null,
  }
}

/** A whole answer as the deltas of a stream, for vendors that answer a stream request whole. */
export const replyDeltas = (reply: HubReply): readonly Delta[] =>
  reply.choices.flatMap((answer, choice): Delta[] => {
    const { text, reasoning, refusal, toolCalls, annotations, finish, stopSequence } = answer
    const logprobs = listOf(fieldsOf(answer.logprobs)['content'])
    const told = logprobs.length > 0 ? { logprobs } : {}
    return [
      ...(reasoning ? [{ type: 'reasoning', choice, text: reasoning } as const] : []),
      ...(text ? [{ type: 'text', choice, text, ...told } as const] : []),
      ...annotations.map((annotation) => ({ type: 'annotation', choice, annotation }) as const),
      ...(refusal ? [{ type: 'refusal', choice, text: refusal } as const] : []),
      ...toolCalls.flatMap(({ id, name, arguments: args, extra }, tool): Delta[] => [
        { type: 'tool-start', choice, tool, id, name, ...(extra === undefined ? {} : { extra }) },
        { type: 'tool-arguments', choice, tool, text: args },
      ]),
      { type: 'finish', choice, reason: finish, stopSequence },
    ]
  })
