import { reasoningEfforts, type ReasoningEffort, type Traits } from '../../domain/model'
import type { BodyEdit, ClientMark, Target } from '../vendor'
import { dialects, isDialect, type Dialect } from './dialects'

type Body = Readonly<Record<string, unknown>>

/**
 * Never the client's: they would buy another price, choose another seller, name what belongs to
 * another client, or tell the vendor who the client is.
 */
const neverPassed = [
  'store',
  'service_tier',
  'safety_identifier',
  'user',
  'stream_options',
  'moderation',
  'provider',
  'models',
  'route',
  'plugins',
  'transforms',
  'user_id',
]

const samplingFields = ['temperature', 'top_p', 'logprobs', 'top_logprobs']

export const dialectOf = (name: string): Dialect =>
  isDialect(name) ? dialects[name] : dialects.generic

/** What of a checked body is changed for this vendor and model. */
export function shapeRequest(body: Body, target: Target, mark: ClientMark): BodyEdit {
  const { traits } = target
  const dialect = dialectOf(target.config.dialect)
  const set: Record<string, unknown> = {}
  const drop = [...neverPassed, ...dialect.drop, ...(traits.drop ?? [])]
  if (dialect.safetyField !== null) set[dialect.safetyField] = mark.safetyId
  if (mark.stream && dialect.streamOptions !== 'none')
    set['stream_options'] =
      dialect.streamOptions === 'usage-plain'
        ? { include_usage: true, include_obfuscation: false }
        : { include_usage: true }
  setMaxTokens(body, traits.maxTokensName ?? dialect.maxTokensName, set, drop)
  setEffort(body, traits, set, drop)
  for (const [from, to] of Object.entries(dialect.rename))
    if (body[from] !== undefined && !drop.includes(from)) {
      set[to] = body[from]
      drop.push(from)
    }
  setFunctions(body, set, drop)
  if (traits.systemRole !== undefined) setSystemRole(body, traits.systemRole, set)
  return { set, drop }
}

/** Both names are accepted; the vendor gets one, with the smaller number. */
function setMaxTokens(
  body: Body,
  name: 'max_tokens' | 'max_completion_tokens' | null,
  set: Record<string, unknown>,
  drop: string[],
): void {
  const { max_tokens: old, max_completion_tokens: current } = body
  const asked = [old, current].filter((each) => typeof each === 'number')
  if (asked.length === 0) return
  const wanted = name ?? (typeof current === 'number' ? 'max_completion_tokens' : 'max_tokens')
  set[wanted] = Math.min(...asked)
  drop.push(wanted === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens')
}

/** The closest effort the model has, rounding down; up only when nothing is lower. */
export function closestEffort(
  asked: ReasoningEffort,
  has: readonly ReasoningEffort[],
): ReasoningEffort | null {
  const rank = (effort: ReasoningEffort) => reasoningEfforts.indexOf(effort)
  const ordered = has.toSorted((a, b) => rank(a) - rank(b))
  return ordered.findLast((each) => rank(each) <= rank(asked)) ?? ordered[0] ?? null
}

function setEffort(body: Body, traits: Traits, set: Record<string, unknown>, drop: string[]): void {
  const asked = reasoningEfforts.find((each) => each === body['reasoning_effort'])
  if (traits.samplingNeedsNoEffort === true && asked !== 'none') drop.push(...samplingFields)
  if (asked === undefined || traits.efforts === undefined) return
  const effort = closestEffort(asked, traits.efforts)
  if (effort === null) drop.push('reasoning_effort')
  else if (effort !== asked) set['reasoning_effort'] = effort
}

/** The retired names of tools and tool choice. */
function setFunctions(body: Body, set: Record<string, unknown>, drop: string[]): void {
  const { functions, function_call: choice } = body
  drop.push('functions', 'function_call')
  if (Array.isArray(functions) && body['tools'] === undefined)
    set['tools'] = functions.map((each: unknown) => ({ type: 'function', function: each }))
  if (choice === undefined || body['tool_choice'] !== undefined) return
  set['tool_choice'] = typeof choice === 'string' ? choice : { type: 'function', function: choice }
}

function setSystemRole(
  body: Body,
  role: 'system' | 'developer' | 'user',
  set: Record<string, unknown>,
): void {
  if (!Array.isArray(body['messages'])) return
  const messages: readonly { role?: unknown }[] = body['messages']
  const isSystem = (message: { role?: unknown }) =>
    (message.role === 'system' || message.role === 'developer') && message.role !== role
  if (messages.some(isSystem))
    set['messages'] = messages.map((message) =>
      isSystem(message) ? { ...message, role } : message,
    )
}
