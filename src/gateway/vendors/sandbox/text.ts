import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { RefusedRequest } from './faults'
import { valueBySchema } from './json-by-schema'
import { maxOutputTokens } from './models'
import type { Steps } from './slices'
import { callsFor, type ToolCall } from './tool-calls'
import {
  countSandboxTokens,
  countTokensInSteps,
  firstTokens,
  maxTokenChars,
  stepChars,
} from './tokens'

/** One choice of the sandbox: always the same for the same request. */
export interface SandboxAnswer {
  readonly text: string
  readonly reasoning: string | null
  readonly calls: readonly ToolCall[]
  readonly finish: 'stop' | 'length' | 'tool_calls'
  readonly promptTokens: number
  /** Reasoning is part of it. */
  readonly completionTokens: number
  readonly reasoningTokens: number
}

/** Stop sequences that are looked for; what nobody writes is refused. */
const maxStops = 64
const maxStopChars = 256

/**
 * Answer of the echo model: tool calls where they are asked for, JSON by schema, else an echo. Nothing
 * longer is made than its ceiling lets it say.
 * @throws RefusedRequest for stop sequences that are too many or too long
 */
export function* sandboxAnswer(body: Fields): Steps<SandboxAnswer> {
  const messages = listOf(body['messages']).filter(isFields)
  const stops = stopsOf(body['stop'])
  const question = textOf(messages.findLast(({ role }) => role === 'user')?.['content'])
  const effort = body['reasoning_effort']
  const reasons = typeof effort === 'string' && effort !== 'none'
  const most = ceilingOf(body)

  // Thinking uses up the ceiling first, as with real models.
  const thought = `The user said ${yield* countTokensInSteps(question)} words. I will say them again.`
  const reasoning = reasons ? firstTokens(thought, most) : null
  const reasoningTokens = reasoning === null ? 0 : countSandboxTokens(reasoning)
  const left = most - reasoningTokens

  // What is longer has more tokens than are left, whatever they are.
  const maxChars = (left + 1) * maxTokenChars + maxStopChars
  const asked = question.slice(0, maxChars)
  const answered = messages.at(-1)?.['role'] === 'tool'
  const wanted = answered ? [] : yield* callsFor(body, asked, maxChars)
  const calls = fitting(wanted, left)
  const full = wanted.length > 0 ? '' : yield* sayFor(body, asked, { messages, maxChars })
  const said = yield* untilStop(full.slice(0, maxChars), stops)
  const text = firstTokens(said, left)
  const cut = calls.length < wanted.length || text.length < said.length
  const tokens = countSandboxTokens(text) + calls.reduce((sum, call) => sum + tokensOf(call), 0)
  return {
    text,
    reasoning,
    calls,
    finish: cut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
    promptTokens: (yield* tokensIn(messages)) || 1,
    completionTokens: tokens + reasoningTokens || 1,
    reasoningTokens,
  }
}

/** Looking at a message takes as long as reading so many characters. */
const messageChars = 50

function* tokensIn(messages: readonly Fields[]): Steps<number> {
  let tokens = 0
  let unlooked = 0
  for (const { content } of messages) {
    const text = textOf(content)
    tokens += yield* countTokensInSteps(text)
    unlooked += text.length + messageChars
    if (unlooked < stepChars) continue
    unlooked = 0
    yield
  }
  return tokens
}

/** @throws RefusedRequest */
function stopsOf(stop: unknown): readonly string[] {
  const stops = [stop].flat().filter((each) => typeof each === 'string' && each !== '')
  if (stops.length > maxStops || stops.some((each) => String(each).length > maxStopChars))
    throw new RefusedRequest(
      `At most ${maxStops} stop sequences of at most ${maxStopChars} characters are looked for.`,
      'stop',
    )
  return stops.map(String)
}

function ceilingOf({ max_tokens: old, max_completion_tokens: current }: Fields): number {
  const asked = [old, current].filter((each) => typeof each === 'number')
  return Math.min(maxOutputTokens, ...asked)
}

const tokensOf = ({ name, arguments: text }: ToolCall): number =>
  countSandboxTokens(name) + countSandboxTokens(text)

/** Calls are whole or not at all. */
function fitting(calls: readonly ToolCall[], most: number): readonly ToolCall[] {
  let left = most
  const first = calls.findIndex((call) => (left -= tokensOf(call)) < 0)
  return first === -1 ? calls : calls.slice(0, first)
}

interface Room {
  readonly messages: readonly Fields[]
  /** Maximum characters; the rest is cut. */
  readonly maxChars: number
}

function* sayFor(body: Fields, asked: string, { messages, maxChars }: Room): Steps<string> {
  const last = messages.at(-1)
  if (last?.['role'] === 'tool') {
    const from = messages.findLastIndex(({ role }) => role !== 'tool') + 1
    const told = messages.slice(from).map(({ content }) => textOf(content))
    return `The ${told.length > 1 ? 'tools' : 'tool'} said: ${told.join(', ')}`
  }
  const format = fieldsOf(body['response_format'])
  if (format['type'] === 'json_object') return JSON.stringify({ echo: asked })
  if (format['type'] === 'json_schema') {
    const { schema } = fieldsOf(format['json_schema'])
    return JSON.stringify(yield* valueBySchema(schema ?? {}, asked, maxChars))
  }
  const parts = listOf(last?.['content'])
  const images = parts.filter((part) => fieldsOf(part)['type'] === 'image_url').length
  const seen = images === 0 ? '' : `(${images} image${images > 1 ? 's' : ''} seen)`
  return [asked, seen].filter((each) => each !== '').join(' ') || 'echo'
}

function* untilStop(said: string, stops: readonly string[]): Steps<string> {
  let end = said.length
  for (const stop of stops) {
    const at = said.indexOf(stop)
    if (at >= 0) end = Math.min(end, at)
    yield
  }
  return said.slice(0, end)
}

/** The text of a message's content, its parts as words of one text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => fieldsOf(part)['text'])
    .filter((text) => typeof text === 'string')
    .join(' ')
}
