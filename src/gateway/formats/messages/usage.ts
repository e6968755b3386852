import type { Usage } from '../../../domain/usage'
import { fieldsOf, isCount, isFields, listOf, type Fields } from '../../json/fields'
import { withServed } from '../served'
import { openUnits, tokenCount } from '../token-count'

/**
 * Usage of the Messages format in the normal form: what was read from a cache and what was written to
 * one stand beside `input_tokens`, not inside. So do passes that made the conversation shorter: they are billed,
 * and not in the sums.
 * @returns null when it tells nothing that can be believed
 * @see anthropics/anthropic-sdk-typescript 1.14.0, `src/resources/beta/messages/messages.ts` (`BetaUsage`,
 *   `BetaIterationsUsage`)
 */
export function readMessagesUsage(value: unknown): Usage | null {
  const raw = fieldsOf(value)
  const { input_tokens: input, output_tokens: output } = raw
  if (!isCount(input) && !isCount(output)) return null
  const passes = [raw, ...compactions(raw['iterations'])].map(passOf)
  const total = (count: (pass: Pass) => number) =>
    passes.reduce((sum, pass) => sum + count(pass), 0)
  const { units, put } = openUnits()
  put(
    'input',
    total((pass) => pass.input),
  )
  put(
    'cached_input',
    total((pass) => pass.cached),
  )
  put(
    'cache_write_5m',
    total((pass) => pass.minutes),
  )
  put(
    'cache_write_1h',
    total((pass) => pass.hour),
  )
  put(
    'output',
    total((pass) => pass.output),
  )
  put('tool:web_search', tokenCount(fieldsOf(raw['server_tool_use']), 'web_search_requests'))
  const thought = tokenCount(fieldsOf(raw['output_tokens_details']), 'thinking_tokens')
  const reasoning = Math.min(thought, units.output ?? 0)
  return withServed({ units, reasoning, estimated: false }, raw)
}

const compactions = (iterations: unknown): readonly Fields[] =>
  listOf(iterations)
    .filter(isFields)
    .filter(({ type }) => type === 'compaction')

/** Tokens of one pass over the model. */
interface Pass {
  readonly input: number
  readonly cached: number
  readonly minutes: number
  readonly hour: number
  readonly output: number
}

function passOf(raw: Fields): Pass {
  const split = fieldsOf(raw['cache_creation'])
  const hour = tokenCount(split, 'ephemeral_1h_input_tokens')
  const written = tokenCount(raw, 'cache_creation_input_tokens')
  return {
    input: tokenCount(raw, 'input_tokens'),
    cached: tokenCount(raw, 'cache_read_input_tokens'),
    minutes: Math.max(written - hour, tokenCount(split, 'ephemeral_5m_input_tokens')),
    hour,
    output: tokenCount(raw, 'output_tokens'),
  }
}

/** Members of a count: what it counts may move between them. */
type Counted = readonly [count: (usage: Fields) => number, members: readonly string[]]

const sumOf = ({ input, cached, minutes, hour, output }: Pass): number =>
  input + cached + minutes + hour + output

const read: Counted = [
  (usage) => sumOf({ ...passOf(usage), output: 0 }),
  ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'cache_creation'],
]
const written: Counted = [
  (usage) => tokenCount(usage, 'output_tokens'),
  ['output_tokens', 'output_tokens_details'],
]
const searched: Counted = [
  (usage) => tokenCount(fieldsOf(usage['server_tool_use']), 'web_search_requests'),
  ['server_tool_use'],
]
const compacted: Counted = [
  ({ iterations }) => compactions(iterations).reduce((sum, pass) => sum + sumOf(passOf(pass)), 0),
  ['iterations'],
]

/**
 * Later numbers replace earlier ones, where they say anything; relays that send zeros at the end say nothing.
 * @param isFinal the earlier ones are of a `message_delta`, whose counts are cumulative: they only grow
 *   (anthropics/anthropic-sdk-typescript 1.14.0, `MessageDeltaUsage`)
 */
export function mergedUsage(before: Fields, later: unknown, isFinal = false): Fields {
  const reported = Object.entries(fieldsOf(later)).filter(([, value]) => value !== null)
  const merged = { ...before, ...Object.fromEntries(reported) }
  for (const [count, members] of isFinal ? [read, written, searched, compacted] : [read]) {
    if (isFinal ? count(merged) >= count(before) : count(merged) > 0) continue
    for (const name of members) if (name in before) merged[name] = before[name]
  }
  return merged
}
