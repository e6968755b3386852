import { inputTokens, type Usage } from '../../../domain/usage'
import {
  emptyAnswer,
  reportsBoth,
  reportsOutput,
  wholeUsage,
  withInput,
  withMedia,
} from '../plausible-usage'
import { editMembers } from '../../json/edit-members'
import { isReferenceAnnotation, referenceAnnotation } from './citations'
import { drawnPictures } from './drawn-pictures'
import { wholeToolCalls } from './tool-calls'
import { usageOfReply, wireUsage, type WireUsage } from './usage'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import {
  finishReasonOf,
  isAnswer,
  isCutShort,
  saysAnything,
  textOf,
  thoughtMember,
  vendorMembers,
  type ReplyIdentity,
  type ThoughtMember,
} from './wire'

interface ChatReplyParts {
  readonly identity: ReplyIdentity
  /** Puts a vendor's deviations into the reference shape; members are replaced, never edited. */
  normalise(reply: Fields): void
  /** Asked of a reply without an answer. @throws the vendor's failure, when it is one */
  refuseFailure(reply: Fields): void
  /** Usage for a vendor that tells none. @param answer all text of the answer */
  estimate(answer: string): Usage
}

interface ChatReply {
  readonly body: string
  readonly usage: Usage
  /** The parsed reply in the reference shape. */
  readonly choices: readonly Fields[]
  /** The member that the vendor thinks in. */
  readonly thoughtIn: ThoughtMember
}

/**
 * A vendor's whole reply as the client gets it. One that is in the reference shape already keeps
 * its text, but for id, model, time and usage.
 * @throws Error when it is no chat reply
 * @see openai/openai-openapi `CreateChatCompletionResponse`, 2.3.0 of 2026-08-21
 */
export function readChatReply(text: string, parts: ChatReplyParts): ChatReply {
  const reply: unknown = JSON.parse(text)
  if (!isFields(reply)) throw new Error('reply is not a JSON object')
  if (!isAnswer(reply)) parts.refuseFailure(reply)
  const asSent = listOf(reply['choices'])
  const conforms = asSent.length > 0 && asSent.every(isReference)
  const usageAsSent = reply['usage']
  // Usage has deviations of its own, also beside choices in the reference shape.
  parts.normalise(reply)
  const choices = listOf(reply['choices']).filter(isFields)
  if (choices.length === 0) throw new Error('reply without choices')
  const whole = conforms
    ? choices
    : choices.map((choice, at) => choiceOf(choice, at, parts.identity.id))
  const told = usageOfReply(reply)
  const isCounted = reportsBoth(told)
  if (!isCounted && !reportsOutput(told) && !whole.some(isSaid)) throw emptyAnswer()
  const usage = isCounted ? told : countedUsage(told, whole, parts)
  const { id, created, model } = parts.identity
  const set: Fields = { id, object: 'chat.completion', created, model }
  if (!conforms) set['choices'] = whole
  const ours = wireUsage(usage)
  if (usage.estimated || !saysTheSame(usageAsSent, ours)) set['usage'] = ours
  return {
    body: editMembers(text, { set, drop: vendorMembers }),
    usage,
    choices: whole,
    // The reference has no thoughts.
    thoughtIn: conforms ? 'reasoning_content' : thoughtMemberOf(choices),
  }
}

/** Whether a choice of a whole reply is an answer, whatever its vendor counted. */
const isSaid = ({ message, finish_reason: finish }: Fields): boolean =>
  isCutShort(finish) || saysAnything(message)

/** The member that the choices of a reply think in. */
export const thoughtMemberOf = (choices: readonly Fields[]): ThoughtMember =>
  choices.some((choice) => thoughtMember(fieldsOf(choice['message'])) === 'reasoning')
    ? 'reasoning'
    : 'reasoning_content'

/** For a vendor that did not count both sides. */
function countedUsage(
  told: Usage | null,
  choices: readonly Fields[],
  parts: ChatReplyParts,
): Usage {
  const ours = parts.estimate(choices.map(answerOf).join('\n').trim())
  const usage = wholeUsage(told, () => ours)
  const pictures = choices.reduce(
    (sum, { message }) => sum + listOf(fieldsOf(message)['images']).length,
    0,
  )
  return pictures === 0
    ? usage
    : withInput(withMedia(usage, told, drawnPictures(pictures)), inputTokens(ours))
}

const reasons = new Set<unknown>(['stop', 'length', 'tool_calls', 'content_filter'])

/** Whether a choice is in the reference shape to the letter. */
function isReference(raw: unknown, at: number): boolean {
  if (!isFields(raw) || raw['index'] !== at || !reasons.has(raw['finish_reason'])) return false
  const { message } = raw
  if (!isFields(message) || message['role'] !== 'assistant') return false
  if (raw['logprobs'] !== null && !isFields(raw['logprobs'])) return false
  const { content, refusal, tool_calls: calls, reasoning, annotations } = message
  if (refusal !== null && typeof refusal !== 'string') return false
  if (reasoning !== undefined) return false
  if (!listOf(annotations).every(isReferenceAnnotation)) return false
  if (listOf(calls).length > 0)
    return raw['finish_reason'] !== 'stop' && listOf(calls).every(isReferenceCall)
  if (raw['finish_reason'] === 'tool_calls') return false
  return content === null || typeof content === 'string'
}

const isReferenceCall = (call: unknown): boolean =>
  isFields(call) &&
  typeof call['id'] === 'string' &&
  call['id'] !== '' &&
  call['type'] === 'function' &&
  typeof fieldsOf(call['function'])['name'] === 'string' &&
  isWritten(fieldsOf(call['function'])['arguments'])

const isWritten = (args: unknown): boolean => typeof args === 'string' && args.trim() !== ''

/** Whether the vendor's usage, as it wrote it, says what is charged. */
const saysTheSame = (asSent: unknown, ours: WireUsage): boolean => {
  const raw = fieldsOf(asSent)
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = ours
  const details = fieldsOf(raw['prompt_tokens_details'])
  return (
    raw['prompt_tokens'] === ours.prompt_tokens &&
    raw['completion_tokens'] === ours.completion_tokens &&
    raw['total_tokens'] === ours.total_tokens &&
    details['cached_tokens'] === prompt.cached_tokens &&
    (details['cache_write_tokens'] ?? 0) === (prompt.cache_write_tokens ?? 0) &&
    fieldsOf(raw['completion_tokens_details'])['reasoning_tokens'] === completion.reasoning_tokens
  )
}

/** A vendor's choice in the reference shape. @param id of our reply, for calls without one */
export function choiceOf(raw: Fields, at: number, id: string): Fields {
  const from = fieldsOf(raw['message'] ?? raw['delta'])
  const calls = wholeToolCalls(from['tool_calls'], (call) => `call_${id.slice(-20)}${at}${call}`)
  const { reasoning, reasoning_content: reported, ...rest } = from
  const message: Fields = {
    ...rest,
    role: 'assistant',
    content: textOf(from['content']),
    refusal: typeof from['refusal'] === 'string' ? from['refusal'] : null,
  }
  delete message['tool_calls']
  if (calls.length > 0) message['tool_calls'] = calls
  const { annotations } = from
  if (Array.isArray(annotations))
    message['annotations'] = annotations.filter(isFields).map(referenceAnnotation)
  const thought = textOf(reported) ?? textOf(reasoning)
  if (thought) message['reasoning_content'] = thought
  return {
    index: at,
    message,
    logprobs: isFields(raw['logprobs']) ? raw['logprobs'] : null,
    finish_reason: finishReasonOf(
      raw['finish_reason'] ?? 'stop',
      calls.length > 0 || isFields(from['function_call']),
    ),
  }
}

function answerOf(choice: Fields): string {
  const message = fieldsOf(choice['message'])
  const calls = listOf(message['tool_calls'])
  return [
    textOf(message['content']) ?? '',
    textOf(message['reasoning_content']) ?? '',
    calls.length > 0 ? JSON.stringify(calls) : '',
  ].join('\n')
}
