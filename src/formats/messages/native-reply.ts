import type { Usage } from '../../domain/usage'
import { isFields, listOf, type Fields } from '../../json/fields'
import type { ReplyIdentity } from '../chat/wire'
import { wholeUsage } from '../plausible-usage'
import { editMembers } from '../../json/edit-members'
import { withToolsRun, type Sells } from '../hosted-tools'
import { soldIn, toolsRun } from './hosted-tools'
import { messageId, messagesUsage } from './wire'
import type { MessagesBody } from './schema'
import { readMessagesUsage } from './usage'

interface NativeMessageParts {
  readonly raw: MessagesBody
  readonly identity: ReplyIdentity
  readonly sells: Sells
  /** @throws the vendor's failure, when the reply is one */
  refuseFailure(reply: Fields): void
  /** @param answer all text of it */
  estimate(answer: string): Usage
}

/**
 * A vendor's message for a client of the same format: its text to the letter, but for id and model.
 * @throws Error when it is no message
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts` (`Message`)
 */
export function readNativeMessage(text: string, parts: NativeMessageParts) {
  const reply: unknown = JSON.parse(text)
  if (!isFields(reply)) throw new Error('reply is not a JSON object')
  if (reply['type'] !== 'message') parts.refuseFailure(reply)
  const { content } = reply
  if (!Array.isArray(content)) throw new Error('reply without content')
  const tokens = wholeUsage(readMessagesUsage(reply['usage']), () =>
    parts.estimate(listOf(content).map(readReportedError).join('\n').trim()),
  )
  const { raw, identity, sells } = parts
  const ran = toolsRun(content, reply['usage'], soldIn(raw, sells))
  const usage = withToolsRun(tokens, ran)
  const set: Fields = { id: messageId(identity), model: identity.model }
  if (usage.estimated) set['usage'] = messagesUsage(usage)
  return { body: editMembers(text, { set, drop: [] }), usage }
}

function readReportedError(block: unknown): string {
  if (!isFields(block)) return ''
  const { text, thinking, name, input } = block
  const said = [text, thinking, name].filter((each) => typeof each === 'string')
  return [...said, ...(isFields(input) ? [JSON.stringify(input)] : [])].join(' ')
}
