import type { ChatBody } from '../chat/schema'
import { fieldsOf, listOf, type Fields } from '../../json/fields'
import { textOf } from '../chat/wire'
import { isTrigger } from './compaction-trigger'
import { parseResponsesRequest } from './parse-request'
import type { ResponsesBody } from './schema'

type ChatMessage = ChatBody['messages'][number]

const request = `Stop working on the task here. Write a summary of the conversation above: it will
replace the conversation, and whoever goes on with the task will know nothing else of it.

Keep what is needed to go on: what the user wants, in their words where these matter; constraints and
preferences; what was done and found, with exact names, paths, commands, values and errors; decisions
and why they were taken; what is unfinished, and what comes next. Leave out what no longer matters.
Do not answer the user, do not call tools, and write nothing but the summary.`

/**
 * Chat request to a vendor that cannot compact itself: a summary, without tools. Calls of tools and
 * what came of them are told as text, since vendors refuse them where no tools are offered.
 */
export function compactionQuestion(raw: ResponsesBody): ChatBody {
  const input =
    typeof raw.input === 'string' ? raw.input : raw.input.filter((item) => !isTrigger(item))
  const asked = parseResponsesRequest({ ...raw, input, text: null, include: null })
  const {
    tools: _tools,
    tool_choice: _choice,
    parallel_tool_calls: _parallel,
    web_search_options: _search,
    ...chat
  }: ChatBody & Fields = asked
  const names = calledNames(asked.messages)
  return {
    ...chat,
    messages: [
      ...asked.messages.map((message) => withoutCalls(message, names)),
      { role: 'user', content: request },
    ],
  }
}

/** Id of a call → the name of its tool. */
const calledNames = (messages: readonly ChatMessage[]): ReadonlyMap<unknown, string> =>
  new Map(
    messages.flatMap(({ tool_calls: calls }) =>
      (calls ?? []).map((call: Fields) => [call['id'], nameIn(call)] as const),
    ),
  )

const nameIn = (call: Fields): string => String(fieldsOf(call['function'])['name'])

function withoutCalls(message: ChatMessage, names: ReadonlyMap<unknown, string>): ChatMessage {
  const { role, content, tool_calls: calls, tool_call_id: id } = message
  if (role === 'tool') {
    const result = `[result of ${names.get(id) ?? 'a tool'}]\n${textOf(content) ?? ''}`
    return { role: 'user', content: result }
  }
  if (role !== 'assistant') return message
  const told = listOf(calls).map((raw) => {
    const call = fieldsOf(raw)
    return `[called ${nameIn(call)} with ${String(fieldsOf(call['function'])['arguments'])}]`
  })
  return {
    role,
    content: [textOf(content) ?? '', ...told].filter((each) => each !== '').join('\n'),
  }
}
