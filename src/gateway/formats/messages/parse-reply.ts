import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { wholeArguments } from '../chat/wire'
import type { HubReply, HubToolCall } from '../hub'
import { citationOf } from './web-search'
import { providerStatesOf, type KeptBlock } from './provider-state'
import { finishOf } from './stop-reasons'
import { readMessagesUsage } from './usage'

/**
 * A whole message.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts` (`Message`)
 * @param answerTool the tool whose input is the answer itself; null when there is none
 * @throws Error when it is no message
 */
export function parseMessagesReply(reply: Fields, answerTool: string | null): HubReply {
  const { content } = reply
  if (!Array.isArray(content)) throw new Error('reply without content')
  let text: string | null = null
  let reasoning = ''
  const toolCalls: HubToolCall[] = []
  const kept: KeptBlock[] = []
  const annotations: Fields[] = []
  for (const block of listOf(content)) {
    if (!isFields(block)) continue
    const { type, text: said, thinking, id, name, input } = block
    if (type === 'text' && typeof said === 'string') {
      const from = text?.length ?? 0
      text = (text ?? '') + said
      for (const each of listOf(block['citations'])) {
        const annotation = citationOf(fieldsOf(each), from, text.length)
        if (annotation !== null) annotations.push(annotation)
      }
    } else if (type === 'thinking' || type === 'redacted_thinking') {
      if (typeof thinking === 'string') reasoning += thinking
      kept.push({ before: toolCalls.length, block })
    } else if (type === 'tool_use' && name === answerTool)
      text = (text ?? '') + wholeArguments(input)
    else if (type === 'tool_use')
      toolCalls.push({ id: String(id), name: String(name), arguments: wholeArguments(input) })
  }
  const { stop_sequence: stopSequence } = reply
  return {
    choices: [
      {
        text: text ?? (toolCalls.length > 0 ? null : ''),
        reasoning: reasoning === '' ? null : reasoning,
        refusal: null,
        toolCalls,
        annotations,
        finish: finishOf(reply['stop_reason'], toolCalls.length > 0),
        stopSequence: typeof stopSequence === 'string' ? stopSequence : null,
        logprobs: null,
      },
    ],
    usage: readMessagesUsage(fieldsOf(reply['usage'])),
    providerStates: providerStatesOf(
      kept,
      toolCalls.map(({ id }) => id),
    ),
  }
}
