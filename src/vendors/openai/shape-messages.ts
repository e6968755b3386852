import { listOf } from '../../json/fields'
import type { Traits } from '../../domain/model'
import type { MessageRules } from './message-rules'

type Message = Readonly<Record<string, unknown>>

interface MessageShape {
  /** Model's name of the instruction role; the vendor's usual one when undefined. */
  readonly systemRole: Traits['systemRole']
  /** Sealed reasoning is to be left out. */
  readonly withoutSealed: boolean
  /** The reasoning that led to a call. */
  recall(call: object): unknown
}

/**
 * Messages as the vendor takes them.
 * @returns null when nothing must change, which spares the text of the body
 */
export function shapeMessages(
  messages: unknown,
  rules: MessageRules,
  how: MessageShape,
): readonly unknown[] | null {
  const given = listOf(messages)
  let changed: unknown[] | null = null
  for (let at = 0; at < given.length; at++) {
    const message = given[at]
    if (!isMessage(message)) continue
    const shaped = shape(message, rules, how)
    if (shaped === message) continue
    changed ??= [...given]
    changed[at] = shaped
  }
  return changed
}

function shape(message: Message, rules: MessageRules, how: MessageShape): Message {
  const role = roleOf(message['role'], rules, how.systemRole)
  const { tool_calls: calls, tool_call_id: answered } = message
  let shaped = role === message['role'] ? message : { ...message, role }
  if (how.withoutSealed && role === 'assistant') shaped = withoutSealed(shaped)
  if (rules.dropName === true && 'name' in shaped) {
    const { name: _, ...rest } = shaped
    shaped = rest
  }
  if (rules.nineLetterCallIds === true) {
    if (typeof answered === 'string' && !isNine(answered))
      shaped = { ...shaped, tool_call_id: nineLetters(answered) }
    if (Array.isArray(calls) && calls.some(hasOtherId))
      shaped = { ...shaped, tool_calls: calls.map(withNine) }
  }
  const called = role === 'assistant' && Array.isArray(calls) && calls.length > 0
  return called ? withReasoning(shaped, calls, rules, how) : shaped
}

/** Without sealed reasoning of vendors behind this one (OpenRouter, and Google's imitation of the format). */
function withoutSealed(message: Message): Message {
  const { reasoning_details: details, tool_calls: calls } = message
  const isSigned =
    Array.isArray(calls) && calls.some((call) => isMessage(call) && 'extra_content' in call)
  if (details === undefined && !isSigned) return message
  const { reasoning_details: _, ...rest } = message
  return isSigned ? { ...rest, tool_calls: calls.map(withoutExtra) } : rest
}

function withoutExtra(call: unknown): unknown {
  if (!isMessage(call)) return call
  const { extra_content: _, ...rest } = call
  return rest
}

/** Clients lose it. */
function withReasoning(
  message: Message,
  calls: readonly unknown[],
  rules: MessageRules,
  how: MessageShape,
): Message {
  if (rules.reasoningWithCalls === true && typeof message['reasoning_content'] !== 'string') {
    const known = knownOf(calls, how)
    // Where nobody knows it any more, an empty one passes.
    return { ...message, reasoning_content: typeof known === 'string' ? known : '' }
  }
  if (rules.reasoningDetails === true && !Array.isArray(message['reasoning_details'])) {
    const known = knownOf(calls, how)
    if (Array.isArray(known)) return { ...message, reasoning_details: known }
  }
  return message
}

function knownOf(calls: readonly unknown[], { recall }: MessageShape): unknown {
  for (const call of calls) {
    const known = isMessage(call) ? recall(call) : undefined
    if (known !== undefined) return known
  }
  return undefined
}

function roleOf(role: unknown, rules: MessageRules, systemRole: Traits['systemRole']): unknown {
  if (role !== 'system' && role !== 'developer') return role
  if (systemRole !== undefined) return systemRole
  return role === 'developer' && !rules.developer ? 'system' : role
}

const isNine = (id: string): boolean => /^[a-zA-Z0-9]{9}$/.test(id)

/** Short id of a call, the same for the call and its answer. */
const nineLetters = (id: string): string => Bun.hash(id).toString(36).padStart(9, '0').slice(-9)

const hasOtherId = (call: unknown): boolean =>
  isMessage(call) && typeof call['id'] === 'string' && !isNine(call['id'])

const withNine = (call: unknown): unknown =>
  isMessage(call) && typeof call['id'] === 'string' && !isNine(call['id'])
    ? { ...call, id: nineLetters(call['id']) }
    : call

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null
