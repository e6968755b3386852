import type { HubChoice, HubReply, HubToolCall } from '../hub'
import { choiceOf, thoughtMemberOf } from './reply'
import { chatProviderStates } from './provider-states'
import { extraOf } from './tool-calls'
import { usageOfReply } from './usage'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { finishReasonOf, isAnswer, textOf, wholeArguments } from './wire'

/** Dependencies of reading a vendor's chat answer. */
export interface ChatParts {
  /** Of our reply: makes ids of calls whose vendor gave none. */
  readonly id: string
  /** Choices that were asked for; one by default. */
  readonly n?: number | null | undefined
  /** Puts a vendor's oddities into the reference shape, in place. */
  normalise(reply: Fields): void
  /** Asked of a reply or event without an answer. @throws the vendor's failure, when it is one */
  refuseFailure(reply: Fields): void
}

/**
 * A vendor's whole chat reply in the hub's form.
 * @throws Error when it is no chat reply
 * @see openai/openai-openapi `CreateChatCompletionResponse`, 2.3.0 of 2026-08-21
 */
export function parseChatReply(text: string, parts: ChatParts): HubReply {
  const reply: unknown = JSON.parse(text)
  if (!isFields(reply)) throw new Error('reply is not a JSON object')
  if (!isAnswer(reply)) parts.refuseFailure(reply)
  parts.normalise(reply)
  const raw = listOf(reply['choices']).filter(isFields)
  const choices = raw.map((choice, at) => choiceOf(choice, at, parts.id))
  if (choices.length === 0) throw new Error('reply without choices')
  return {
    choices: choices.map(hubChoice),
    usage: usageOfReply(reply),
    providerStates: chatProviderStates(choices, thoughtMemberOf(raw)),
  }
}

function hubChoice(choice: Fields): HubChoice {
  const message = fieldsOf(choice['message'])
  const toolCalls = listOf(message['tool_calls']).filter(isFields).map(hubCall)
  const { refusal } = message
  return {
    text: textOf(message['content']),
    reasoning: textOf(message['reasoning_content']),
    refusal: typeof refusal === 'string' && refusal !== '' ? refusal : null,
    toolCalls,
    annotations: listOf(message['annotations']).filter(isFields),
    finish: finishReasonOf(choice['finish_reason'], toolCalls.length > 0) ?? 'stop',
    stopSequence: null,
    logprobs: choice['logprobs'],
  }
}

function hubCall(call: Fields): HubToolCall {
  const called = fieldsOf(call['function'])
  return {
    id: String(call['id']),
    name: typeof called['name'] === 'string' ? called['name'] : '',
    arguments: wholeArguments(called['arguments']),
    ...extraOf(call),
  }
}
