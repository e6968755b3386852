import type { Usage } from '../../../domain/usage'
import type { HubChoice, HubReply, HubToolCall } from '../hub'
import { wireUsage } from './usage'
import type { Fields } from '../../json/fields'
import type { ReplyIdentity } from './wire'

/** A whole answer as a chat reply. @param usage charged usage */
export function renderChatReply(reply: HubReply, identity: ReplyIdentity, usage: Usage): string {
  const { id, created, model } = identity
  return JSON.stringify({
    id,
    object: 'chat.completion',
    created,
    model,
    choices: reply.choices.map(choiceOf),
    usage: wireUsage(usage),
  })
}

function choiceOf(choice: HubChoice, index: number): Fields {
  const { text, refusal, reasoning, toolCalls, annotations, logprobs, finish } = choice
  const message: Fields = { role: 'assistant', content: text, refusal }
  if (reasoning !== null && reasoning !== '') message['reasoning_content'] = reasoning
  if (toolCalls.length > 0) message['tool_calls'] = toolCalls.map(callOf)
  if (annotations.length > 0) message['annotations'] = annotations
  return { index, message, logprobs: logprobs ?? null, finish_reason: finish }
}

const callOf = ({ id, name, arguments: text, extra }: HubToolCall): Fields => ({
  id,
  type: 'function',
  function: { name, arguments: text },
  ...extra,
})

/** All text of an answer, for counting. */
export const answerText = (reply: HubReply): string =>
  reply.choices
    .map(({ text, reasoning, refusal, toolCalls }) =>
      [
        text ?? '',
        reasoning ?? '',
        refusal ?? '',
        ...toolCalls.map((call) => `${call.name} ${call.arguments}`),
      ].join('\n'),
    )
    .join('\n')
