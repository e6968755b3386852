import type { Usage } from '../../../domain/usage'
import type { Fields } from '../../json/fields'
import { InnerJson } from '../../json/inner-json'
import { callInput } from '../call-input'
import type { ReplyIdentity } from '../chat/wire'
import type { HubReply, HubToolCall } from '../hub'
import { messageId, messagesUsage } from './wire'
import { citationBlock, sourceBlocks } from './web-search'
import { stopMembers, stopReasonOf } from './stop-reasons'

/**
 * A whole answer as a message.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts` (`Message`)
 * @param usage charged usage @param nameOf the client's name of a tool
 */
export function renderMessage(
  reply: HubReply,
  identity: ReplyIdentity,
  usage: Usage,
  nameOf: (name: string) => string = (name) => name,
): string {
  const [choice] = reply.choices
  if (choice === undefined) throw new Error('reply without choices')
  const { text, reasoning, refusal, toolCalls, finish, stopSequence } = choice
  const inner = new InnerJson()
  const said = [text, refusal].filter((each) => each !== null && each !== '')
  const citations = choice.annotations
    .map((each) => citationBlock(each, text ?? ''))
    .filter((each) => each !== null)
  return JSON.stringify({
    id: messageId(identity),
    type: 'message',
    role: 'assistant',
    model: identity.model,
    content: [
      ...(reasoning ? [thinkingBlock(reasoning)] : []),
      ...said.map((each) => ({
        type: 'text',
        text: each,
        // As the vendor does, which names none where there are none: zod schemas of clients refuse a null.
        ...(each === text && citations.length > 0 ? { citations } : {}),
      })),
      ...sourceBlocks(citations, identity.id),
      ...toolCalls.map((call) => toolBlock({ ...call, name: nameOf(call.name) }, inner)),
    ],
    ...stopMembers(stopReasonOf(finish, stopSequence, refusal !== null), stopSequence),
    usage: messagesUsage(usage),
  })
}

/** Nobody signed it: it cannot go to a vendor that demands a signature. */
const thinkingBlock = (thinking: string): Fields => ({ type: 'thinking', thinking, signature: '' })

const toolBlock = ({ id, name, arguments: text }: HubToolCall, inner: InnerJson): Fields => ({
  type: 'tool_use',
  id,
  name,
  input: callInput(text, inner),
})
