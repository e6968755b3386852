import type { ChatBody } from './schema'
import { lastMark, readCacheMark, type CacheMark } from './cache-marks'
import { markEnd, readParts, textOfParts, type Part } from './parts'
import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'
import { bySpeaker } from './speaker'
import { argumentsOf, textOf, textOrRefusal } from './wire'

/** A call of a tool in the conversation. */
export interface TurnCall {
  readonly id: string
  readonly name: string
  /** JSON text. */
  readonly arguments: string
  /** All members of the call as the client sent it. */
  readonly raw: Fields
  readonly cache?: CacheMark | null
}

/** Result of a tool's call. */
export interface ToolResult {
  readonly callId: string
  /** Of the tool that was called. */
  readonly name: string
  readonly parts: readonly Part[]
  /** The client sent none: Anthropic and others refuse a call that nobody answered. */
  readonly missing: boolean
  /** Mark behind the whole of it. */
  readonly cache: CacheMark | null
}

/** One turn of a conversation in the words of no vendor. */
export type Turn =
  | { readonly role: 'system'; readonly text: string; readonly parts: readonly Part[] }
  | { readonly role: 'user'; readonly parts: readonly Part[] }
  | {
      readonly role: 'assistant'
      readonly text: string
      readonly reasoning: string | null
      readonly calls: readonly TurnCall[]
      /** Mark behind the text. */
      readonly cache: CacheMark | null
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
        const parts = instructionParts(message, at)
        if (parts.length === 0) return
        const turn: Turn = { role: 'system', text: textOfParts(parts), parts }
        // Between calls and their results nothing else may stand.
        if (open === null) turns.push(turn)
        else open.defer(turn)
        return
      }
      case 'tool':
      case 'function': {
        const parts = partsOf(message, at)
        const answered = message.tool_call_id ?? null
        const cache = readCacheMark(message, at) ?? lastMark(parts)
        if (open?.answer(answered, message.name ?? null, { parts, cache })) return
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
        const parts = partsOf(message, at)
        const { name } = message
        turns.push({ role: 'user', parts: isText(name) ? bySpeaker(name, parts) : parts })
      }
    }
  })
  close()
  return turns
}

/** The parts of a message, whose own mark is behind the last. */
function partsOf(message: Fields, at: string, content = message['content']): Part[] {
  const parts = readParts(content, at)
  const cache = readCacheMark(message, at)
  if (cache !== null) markEnd(parts, cache)
  return parts
}

/** Parts of instructions, which are text alone. */
function instructionParts(message: Fields, at: string): Part[] {
  const { content } = message
  if (!Array.isArray(content)) return partsOf(message, at)
  const texts = content.map((part: unknown) => {
    const read = fieldsOf(part)
    return typeof read['text'] === 'string' ? { ...read, type: 'text' } : null
  })
  return partsOf(message, at, texts)
}

type Answer = Pick<ToolResult, 'parts' | 'cache'>

interface OpenCalls {
  /** @returns whether a call was waiting for it */
  answer(id: string | null, name: string | null, answer: Answer): boolean
  defer(turn: Turn): void
  close(): Turn[]
}

function openCalls(calls: readonly TurnCall[]): OpenCalls {
  const answers = new Map<TurnCall, Answer>()
  const deferred: Turn[] = []
  return {
    answer(id, name, answer) {
      const waiting = calls.find(
        (call) => !answers.has(call) && (id === null ? call.name === name : call.id === id),
      )
      if (waiting !== undefined) answers.set(waiting, answer)
      return waiting !== undefined
    },
    defer: (turn) => void deferred.push(turn),
    close() {
      const results = calls.map((call): ToolResult => {
        const answer = answers.get(call)
        const missing = answer === undefined
        return { callId: call.id, name: call.name, missing, ...(answer ?? noAnswer) }
      })
      return [{ role: 'results', results }, ...deferred]
    },
  }
}

const noAnswer: Answer = { parts: [], cache: null }

function assistantTurn(message: ChatBody['messages'][number], at: string) {
  const {
    content,
    refusal,
    reasoning_content: told,
    reasoning,
    function_call: old,
  } = message as Fields
  const parts = readParts(content, at)
  const text = textOrRefusal(textOfParts(parts), refusal)
  const listed = listOf(message.tool_calls)
  const calls =
    listed.length === 0 && isFields(old)
      ? [markedCall({ id: `call_${at.replace(/\D/g, '')}`, function: old }, at, 0)]
      : listed.map((call, place) => markedCall(fieldsOf(call), at, place))
  const last = calls.at(-1)
  const cache = readCacheMark(message, at)
  if (cache !== null && last !== undefined) calls.splice(-1, 1, { ...last, cache })
  return {
    role: 'assistant',
    text,
    reasoning: textOf(told) ?? textOf(reasoning) ?? thoughtParts(content),
    calls,
    cache: (last === undefined ? cache : null) ?? lastMark(parts),
  } satisfies Turn
}

/** Thought in Mistral's shape (mistralai/client-ts 2.7.0, `ThinkChunk`); null for none. */
function thoughtParts(content: unknown): string | null {
  if (!Array.isArray(content)) return null
  const parts = listOf(content).map(fieldsOf)
  const thoughts = parts.filter(({ type }) => type === 'thinking')
  return thoughts.length === 0
    ? null
    : thoughts.map(({ thinking }) => textOf(thinking) ?? '').join('')
}

const markedCall = (raw: Fields, at: string, place: number): TurnCall => ({
  ...callOf(raw, at, place),
  cache: readCacheMark(raw, `${at}.tool_calls[${place}]`),
})

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
  }
}
