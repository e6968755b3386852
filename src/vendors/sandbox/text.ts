import { valueBySchema } from './json-by-schema'

type Fields = Readonly<Record<string, unknown>>

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** One choice of the sandbox: always the same for the same request. */
export interface SandboxAnswer {
  readonly text: string
  readonly reasoning: string | null
  readonly calls: readonly ToolCall[]
  readonly finish: 'stop' | 'length' | 'tool_calls'
  readonly promptTokens: number
  readonly completionTokens: number
  readonly reasoningTokens: number
}

/** What the echo model says: tool calls where they are asked for, JSON by schema, else an echo. */
export function sandboxAnswer(body: Fields): SandboxAnswer {
  const messages = listOf(body['messages']).filter(isFields)
  const asked = textOf(messages.findLast(({ role }) => role === 'user')?.['content'])
  const last = messages.at(-1)
  const effort = body['reasoning_effort']
  const reasons = typeof effort === 'string' && effort !== 'none'
  const reasoning = reasons ? `The user said ${words(asked)} words. I will say them again.` : null
  const calls = last?.['role'] === 'tool' ? [] : callsFor(body, asked)
  const said = calls.length > 0 ? '' : sayFor(body, asked, last)
  const { text, cut } = limited(said, body)
  const reasoningTokens = reasoning === null ? 0 : words(reasoning)
  const called = calls.reduce((sum, call) => sum + 1 + words(call.arguments), 0)
  return {
    text,
    reasoning,
    calls,
    finish: calls.length > 0 ? 'tool_calls' : cut ? 'length' : 'stop',
    promptTokens: messages.reduce((sum, { content }) => sum + 4 + words(textOf(content)), 3),
    completionTokens: Math.max(1, words(text)) + called + reasoningTokens,
    reasoningTokens,
  }
}

function sayFor(body: Fields, asked: string, last: Fields | undefined): string {
  if (last?.['role'] === 'tool') return `The tool said: ${textOf(last['content'])}`
  const format = fieldsOf(body['response_format'])
  if (format['type'] === 'json_object') return JSON.stringify({ echo: asked })
  if (format['type'] === 'json_schema')
    return JSON.stringify(valueBySchema(fieldsOf(format['json_schema'])['schema'], asked))
  const images = listOf(last?.['content']).filter((part) => fieldsOf(part)['type'] === 'image_url')
  const seen =
    images.length === 0 ? '' : ` (${images.length} image${images.length > 1 ? 's' : ''} seen)`
  return `${asked}${seen}` || 'echo'
}

/** Tools are called when the client insists, or when the text speaks of them. */
function callsFor(body: Fields, asked: string): readonly ToolCall[] {
  const tools = listOf(body['tools'])
    .map((tool) => fieldsOf(fieldsOf(tool)['function']))
    .filter((tool) => typeof tool['name'] === 'string')
  const choice = body['tool_choice']
  if (tools.length === 0 || choice === 'none') return []
  const named = fieldsOf(fieldsOf(choice)['function'])['name']
  const forced = tools.find(({ name }) => name === named)
  if (forced !== undefined) return [callOf(forced, asked, 0)]
  const mentioned = tools.filter(({ name }) => asked.includes(String(name)))
  const several = /\b(?:both|parallel|tools)\b/i.test(asked)
  if (mentioned.length > 0 || several)
    return (several ? (mentioned.length > 1 ? mentioned : tools.slice(0, 2)) : mentioned).map(
      (tool, index) => callOf(tool, asked, index),
    )
  const wanted = choice === 'required' || /\btool\b/i.test(asked)
  return wanted ? tools.slice(0, 1).map((tool) => callOf(tool, asked, 0)) : []
}

const callOf = (tool: Fields, asked: string, index: number): ToolCall => ({
  id: `call_sandbox_${index}`,
  name: String(tool['name']),
  arguments: JSON.stringify(valueBySchema(tool['parameters'] ?? {}, asked)),
})

/** Cut at a stop sequence, or at the ceiling of tokens, which are words here. */
function limited(said: string, body: Fields): { text: string; cut: boolean } {
  const stops = [body['stop']].flat().filter((stop) => typeof stop === 'string' && stop !== '')
  const ends = stops.map((stop) => said.indexOf(String(stop))).filter((at) => at >= 0)
  const text = ends.length > 0 ? said.slice(0, Math.min(...ends)) : said
  const most = Number(
    body['max_tokens'] ?? body['max_completion_tokens'] ?? Number.POSITIVE_INFINITY,
  )
  const pieces = piecesOf(text)
  return pieces.length > most
    ? { text: pieces.slice(0, most).join(''), cut: true }
    : { text, cut: false }
}

/** Words with the blanks before them: what a stream sends one by one. */
export const piecesOf = (text: string): readonly string[] => text.match(/\s*\S+\s*$|\s*\S+/g) ?? []

const words = (text: string): number => piecesOf(text).length

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => fieldsOf(part)['text'])
    .filter((text) => typeof text === 'string')
    .join(' ')
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
