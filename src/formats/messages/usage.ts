import type { Usage } from '../../domain/usage'
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
  const sumOf = (count: (pass: Pass) => number) =>
    passes.reduce((sum, pass) => sum + count(pass), 0)
  const { units, put } = openUnits()
  put(
    'input',
    sumOf((pass) => pass.input),
  )
  put(
    'cached_input',
    sumOf((pass) => pass.cached),
  )
  put(
    'cache_write_5m',
    sumOf((pass) => pass.minutes),
  )
  put(
    'cache_write_1h',
    sumOf((pass) => pass.hour),
  )
  put(
    'output',
    sumOf((pass) => pass.output),
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

/** Counts of what went in: they move between these members, and their sum does not shrink to nothing. */
const inputMembers = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']

const inputOf = (usage: Fields): number =>
  inputMembers.reduce((sum, name) => sum + tokenCount(usage, name), 0)

/**
 * Later numbers replace earlier ones, where they say anything; relays that send zeros at the end say nothing.
 * @param isFinal the earlier ones are of a `message_delta`, whose counts are cumulative: they only grow
 *   (anthropics/anthropic-sdk-typescript 1.14.0, `MessageDeltaUsage`)
 */
export function mergedUsage(before: Fields, later: unknown, isFinal = false): Fields {
  const reported = Object.entries(fieldsOf(later)).filter(([, value]) => value !== null)
  const merged = { ...before, ...Object.fromEntries(reported) }
  const kept = isFinal ? inputOf(merged) < inputOf(before) : inputOf(merged) === 0
  if (kept)
    for (const name of [...inputMembers, 'cache_creation'])
      if (name in before) merged[name] = before[name]
  if (isFinal && tokenCount(merged, 'output_tokens') < tokenCount(before, 'output_tokens'))
    merged['output_tokens'] = before['output_tokens']
  return merged
}
