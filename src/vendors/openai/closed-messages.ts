import { fieldsOf, isText } from '../../json/fields'

type Message = Readonly<Record<string, unknown>>

/** Members of a call in a history, by all schemas that are closed. */
const callMembers: ReadonlySet<string> = new Set(['id', 'type', 'function', 'index'])

/**
 * A message of the assistant as a closed schema takes it: clients send back whole what they were answered, with
 * members that other vendors added. A refusal is then what was said.
 * @param members that the schema has
 */
export function closedTurn(message: Message, members: ReadonlySet<string>): Message {
  const { content, refusal, tool_calls: calls } = message
  const isRefused = isText(refusal) && !isText(content) && !members.has('refusal')
  let shaped = withoutOthers(message, members)
  if (isRefused && !Array.isArray(content)) shaped = { ...shaped, content: refusal }
  if (!Array.isArray(calls)) return shaped
  const given: readonly unknown[] = calls
  const known = given.map((call) => withoutOthers(fieldsOf(call), callMembers))
  return known.some((call, at) => call !== given[at]) ? { ...shaped, tool_calls: known } : shaped
}

function withoutOthers(value: Message, members: ReadonlySet<string>): Message {
  const names = Object.keys(value)
  if (names.every((name) => members.has(name))) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => members.has(name)))
}

/** An assistant who says nothing: content of no characters is refused. */
const nothingSaid: Message = { role: 'assistant', content: ' ' }

/** @returns null where no user speaks directly after a tool */
export function separatedTurns(messages: readonly unknown[]): readonly unknown[] | null {
  const roleAt = (at: number): unknown => fieldsOf(messages[at])['role']
  const isAfterTool = (at: number) => roleAt(at) === 'user' && roleAt(at - 1) === 'tool'
  if (!messages.some((_, at) => isAfterTool(at))) return null
  return messages.flatMap((message, at) => (isAfterTool(at) ? [nothingSaid, message] : [message]))
}
