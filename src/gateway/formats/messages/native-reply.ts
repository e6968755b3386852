import type { Usage } from '../../../domain/usage'
import { isFields, listOf, type Fields } from '../../json/fields'
import { isCutShort, saysAnything, type ReplyIdentity } from '../chat/wire'
import { emptyAnswer, reportsOutput, wholeUsage } from '../plausible-usage'
import { editMembers } from '../../json/edit-members'
import { withToolsRun, type Sells } from '../hosted-tools'
import { soldIn, toolsRun } from './hosted-tools'
import { messageId, messagesUsage } from './wire'
import type { MessagesBody } from './schema'
import { finishOf } from './stop-reasons'
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
  const told = readMessagesUsage(reply['usage'])
  const isCut = isCutShort(finishOf(reply['stop_reason'], false))
  if (!reportsOutput(told) && !isCut && !saysAnything(content)) throw emptyAnswer()
  const tokens = wholeUsage(told, () =>
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
