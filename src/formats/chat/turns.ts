import type { ChatBody } from './schema'
import { invalidMessage, readParts, textOfParts, type Part } from './parts'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import type { InnerJson } from '../../json/inner-json'
import { argumentsOf, textOf, textOrRefusal } from './wire'

/** A call of a tool in the conversation. */
export interface TurnCall {
  readonly id: string
  readonly name: string
  /** JSON text. */
  readonly arguments: string
  /** All members of the call as the client sent it. */
  readonly raw: Fields
  /** Its place in the body, for refusals. */
  readonly at: string
}

/** Result of a tool's call. */
export interface ToolResult {
  readonly callId: string
  /** Of the tool that was called. */
  readonly name: string
  readonly parts: readonly Part[]
  /** The client sent none: Anthropic and others refuse a call that nobody answered. */
  readonly missing: boolean
}

/** One turn of a conversation in the words of no vendor. */
export type Turn =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly parts: readonly Part[] }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly reasoning: string | null
      readonly calls: readonly TurnCall[]
    }
  | { readonly role: 'results'; readonly results: readonly ToolResult[] }

/**
 * The messages (openai/openai-openapi `ChatCompletionRequestMessage`, 2.3.0 of 2026-08-21) of a checked chat
 * body as turns: the results of one turn's calls together, in the
 * order of the calls, right behind it; a result that belongs to no call is text of the user.
 * @throws invalid_message
 */
export function readTurns(messages: ChatBody['messages']): Turn[] {
  const turns: Turn[] = []
  let open: OpenCalls | null = null
  const close = () => {
    if (open !== null) turns.push(...open.close())
    open = null
  }
  messages.forEach((message, index) => {
    const at = `messages[${index}]`
    switch (message.role) {
      case 'system':
      case 'developer': {
        const text = textOf(message.content) ?? ''
        if (text === '') return
        const turn: Turn = { role: 'system', text }
        // Between calls and their results nothing else may stand.
        if (open === null) turns.push(turn)
        else open.defer(turn)
        return
      }
      case 'tool':
      case 'function': {
        const parts = readParts(message.content, at)
        const answered = message.tool_call_id ?? null
        if (open?.answer(answered, message.name ?? null, parts)) return
        close()
        const named = [answered ?? message.name ?? ''].filter(Boolean).map((id) => ` ${id}`)
        const label: Part = { type: 'text', text: `[result of the tool call${named.join('')}]\n` }
        turns.push({ role: 'user', parts: [label, ...parts] })
        return
      }
      case 'assistant': {
        close()
        const turn = assistantTurn(message, at)
        turns.push(turn)
        if (turn.calls.length > 0) open = openCalls(turn.calls)
        return
      }
      case 'user': {
        close()
        turns.push({ role: 'user', parts: readParts(message.content, at) })
      }
    }
  })
  close()
  return turns
}

interface OpenCalls {
  /** @returns whether a call was waiting for it */
  answer(id: string | null, name: string | null, parts: readonly Part[]): boolean
  defer(turn: Turn): void
  close(): Turn[]
}

function openCalls(calls: readonly TurnCall[]): OpenCalls {
  const answers = new Map<TurnCall, readonly Part[]>()
  const deferred: Turn[] = []
  return {
    answer(id, name, parts) {
      const waiting = calls.find(
        (call) => !answers.has(call) && (id === null ? call.name === name : call.id === id),
      )
      if (waiting !== undefined) answers.set(waiting, parts)
      return waiting !== undefined
    },
    defer: (turn) => void deferred.push(turn),
    close() {
      const results = calls.map((call): ToolResult => {
        const parts = answers.get(call)
        const missing = parts === undefined
        return { callId: call.id, name: call.name, parts: parts ?? [], missing }
      })
      return [{ role: 'results', results }, ...deferred]
    },
  }
}

function assistantTurn(message: ChatBody['messages'][number], at: string) {
  const {
    content,
    refusal,
    reasoning_content: told,
    reasoning,
    function_call: old,
  } = message as Fields
  const text = textOrRefusal(textOfParts(readParts(content, at)), refusal)
  const listed = listOf(message.tool_calls)
  const calls =
    listed.length === 0 && isFields(old)
      ? [callOf({ id: `call_${at.replace(/\D/g, '')}`, function: old }, at, 0)]
      : listed.map((call, place) => callOf(fieldsOf(call), at, place))
  return {
    role: 'assistant',
    text,
    reasoning: textOf(told) ?? textOf(reasoning),
    calls,
  } satisfies Turn
}

/** A call of an assistant's message. @param at where the message stands in the body */
export function callOf(raw: Fields, at: string, place: number): TurnCall {
  const called = fieldsOf(raw['function'] ?? raw['custom'])
  const { name, input } = called
  const id = raw['id']
  return {
    id: typeof id === 'string' && id !== '' ? id : `call_${at.replace(/\D/g, '')}_${place}`,
    name: typeof name === 'string' ? name : '',
    arguments:
      typeof input === 'string' ? JSON.stringify({ input }) : argumentsOf(called['arguments']),
    raw,
    at: `${at}.tool_calls[${place}].function.arguments`,
  }
}

/**
 * The arguments of a call as an object.
 * @param inner of all calls of the conversation
 * @throws invalid_message when they are none, or all of them together take too long to parse
 */
export function inputOf(call: TurnCall, inner: InnerJson): Fields {
  if (call.arguments.trim() === '') return {}
  let input: unknown
  try {
    input = inner.parse(call.arguments)
  } catch {
    throw invalidMessage(call.at, 'a string of JSON')
  }
  if (!isFields(input)) throw invalidMessage(call.at, 'a string of a JSON object')
  return input
}
