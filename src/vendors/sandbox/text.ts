import { fieldsOf, isFields, listOf, type Fields } from '../../formats/chat/wire'
import { valueBySchema } from './json-by-schema'
import { maxOutputTokens } from './models'
import { callsFor, type ToolCall } from './tool-calls'
import { countWords, firstWords } from './words'

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

/** What the echo model says: tool calls where they are asked for, JSON by schema, else an echo. */
export function sandboxAnswer(body: Fields): SandboxAnswer {
  const messages = listOf(body['messages']).filter(isFields)
  const asked = textOf(messages.findLast(({ role }) => role === 'user')?.['content'])
  const effort = body['reasoning_effort']
  const reasons = typeof effort === 'string' && effort !== 'none'
  const most = ceilingOf(body)

  // Thinking uses up the ceiling first, as with real models.
  const thought = `The user said ${countWords(asked)} words. I will say them again.`
  const reasoning = reasons ? firstWords(thought, most) : null
  const reasoningTokens = reasoning === null ? 0 : countWords(reasoning)
  const left = most - reasoningTokens

  const answered = messages.at(-1)?.['role'] === 'tool'
  const wanted = answered ? [] : callsFor(body, asked)
  const calls = fitting(wanted, left)
  const said = wanted.length > 0 ? '' : untilStop(sayFor(body, asked, messages), body['stop'])
  const text = firstWords(said, left)
  const cut = calls.length < wanted.length || text.length < said.length
  const tokens = countWords(text) + calls.reduce((sum, call) => sum + tokensOf(call), 0)
  return {
    text,
    reasoning,
    calls,
    finish: cut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
    promptTokens: messages.reduce((sum, { content }) => sum + countWords(textOf(content)), 0) || 1,
    completionTokens: tokens + reasoningTokens || 1,
    reasoningTokens,
  }
}

/** Tokens are words here. */
function ceilingOf({ max_tokens: old, max_completion_tokens: current }: Fields): number {
  const asked = [old, current].filter((each) => typeof each === 'number')
  return Math.min(maxOutputTokens, ...asked)
}

const tokensOf = ({ arguments: text }: ToolCall): number => 1 + countWords(text)

/** Calls are whole or not at all. */
function fitting(calls: readonly ToolCall[], most: number): readonly ToolCall[] {
  let left = most
  const first = calls.findIndex((call) => (left -= tokensOf(call)) < 0)
  return first === -1 ? calls : calls.slice(0, first)
}

function sayFor(body: Fields, asked: string, messages: readonly Fields[]): string {
  const last = messages.at(-1)
  if (last?.['role'] === 'tool') {
    const from = messages.findLastIndex(({ role }) => role !== 'tool') + 1
    const told = messages.slice(from).map(({ content }) => textOf(content))
    return `The ${told.length > 1 ? 'tools' : 'tool'} said: ${told.join(', ')}`
  }
  const format = fieldsOf(body['response_format'])
  if (format['type'] === 'json_object') return JSON.stringify({ echo: asked })
  if (format['type'] === 'json_schema')
    return JSON.stringify(valueBySchema(fieldsOf(format['json_schema'])['schema'] ?? {}, asked))
  const parts = listOf(last?.['content'])
  const images = parts.filter((part) => fieldsOf(part)['type'] === 'image_url').length
  const seen = images === 0 ? '' : `(${images} image${images > 1 ? 's' : ''} seen)`
  return [asked, seen].filter((each) => each !== '').join(' ') || 'echo'
}

function untilStop(said: string, stop: unknown): string {
  const ends = [stop]
    .flat()
    .filter((each) => typeof each === 'string' && each !== '')
    .map((each) => said.indexOf(String(each)))
    .filter((at) => at >= 0)
  return ends.length > 0 ? said.slice(0, Math.min(...ends)) : said
}

/** The text of a message's content, its parts as words of one text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => fieldsOf(part)['text'])
    .filter((text) => typeof text === 'string')
    .join(' ')
}
