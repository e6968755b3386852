import type { ChatBody } from './schema'
import { fieldsOf, isText, listOf } from '../../json/fields'

type Messages = ChatBody['messages']
type Message = Messages[number]

/** A call of the last turn, and the message that answers it. */
interface Awaited {
  readonly id: string
  answer: Message | null
}

/**
 * Messages in which each call has its result right behind its turn, and each result its call: vendors of the format
 * refuse any other (`messages with role 'tool' must be a response to a preceding message with 'tool_calls'`, OpenAI,
 * November 2026). A result of no call is text of the user, as `readTurns` has it.
 */
export function pairedCalls(messages: Messages): Messages {
  if (!messages.some((message) => message.role === 'tool' || callsIn(message).length > 0))
    return messages
  const paired: Message[] = []
  let awaited: readonly Awaited[] = []
  let deferred: Message[] = []
  const close = () => {
    for (const { id, answer } of awaited) paired.push(answer ?? noResult(id))
    paired.push(...deferred)
    awaited = []
    deferred = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      const waiting = awaited.find(
        ({ id, answer }) => answer === null && id === message.tool_call_id,
      )
      if (waiting !== undefined) {
        waiting.answer = message
        continue
      }
      close()
      paired.push(asUser(message))
      continue
    }
    // Between calls and their results nothing else may stand.
    if (awaited.length > 0 && (message.role === 'system' || message.role === 'developer')) {
      deferred.push(message)
      continue
    }
    close()
    paired.push(message)
    awaited = callsIn(message).map((id) => ({ id, answer: null }))
  }
  close()
  return paired
}

/** Ids of the calls of a message. */
const callsIn = ({ tool_calls: calls }: Message): readonly string[] =>
  listOf(calls)
    .map((call) => fieldsOf(call)['id'])
    .filter(isText)

const noResult = (id: string): Message => ({
  role: 'tool',
  tool_call_id: id,
  content: 'no result',
})

function asUser({ content, tool_call_id: id }: Message): Message {
  const label = `[result of the tool call${isText(id) ? ` ${id}` : ''}]\n`
  return Array.isArray(content)
    ? { role: 'user', content: [{ type: 'text', text: label }, ...content] }
    : { role: 'user', content: `${label}${content ?? ''}` }
}
