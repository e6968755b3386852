import { fittingCallId, type CallIdForm } from '../../formats/call-ids'
import { readTurnThought, type TurnThought } from '../../formats/chat/provider-states'
import { bySpeaker } from '../../formats/chat/speaker'
import { fieldsOf, isText, listOf } from '../../json/fields'
import type { Traits } from '../../../domain/model'
import type { MessageRules, ReasoningRule } from './message-rules'

type Message = Readonly<Record<string, unknown>>

interface MessageShape {
  /** Model's name of the instruction role; the vendor's usual one when undefined. */
  readonly systemRole: Traits['systemRole']
  /** Sealed reasoning is to be left out. */
  readonly withoutSealed: boolean
  /** The remembered thought of the turn of a call. */
  recall(call: object): unknown
  /** The request offers tools; a conversation with calls does, unless said otherwise. */
  readonly offersTools?: boolean
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
  const isPadded =
    rules.reasoning?.required === 'turns' && (how.offersTools ?? given.some(calledTools))
  let changed: unknown[] | null = null
  for (let at = 0; at < given.length; at++) {
    const message = given[at]
    if (!isMessage(message)) continue
    const shaped = shape(message, rules, how, isPadded)
    if (shaped === message) continue
    changed ??= [...given]
    changed[at] = shaped
  }
  if (rules.assistantAfterTool !== true) return changed
  return separatedTurns(changed ?? given) ?? changed
}

const calledTools = (message: unknown): boolean =>
  isMessage(message) && listOf(message['tool_calls']).length > 0

/** @param isPadded every turn has reasoning, be it empty */
function shape(
  message: Message,
  rules: MessageRules,
  how: MessageShape,
  isPadded: boolean,
): Message {
  const role = roleOf(message['role'], rules, how.systemRole)
  let shaped = role === message['role'] ? message : { ...message, role }
  if (role === 'assistant') {
    shaped = padded(shapeTurn(shaped, rules.reasoning, how), isPadded)
    if (rules.assistant !== undefined) shaped = closedTurn(shaped, rules.assistant)
  }
  if (rules.dropName === true && 'name' in shaped) {
    const { name, ...unnamed } = shaped
    shaped = role === 'user' && isText(name) ? saidBy(name, unnamed) : unnamed
  }
  return rules.callIds === undefined ? shaped : withFittingIds(shaped, rules.callIds)
}

const padded = (message: Message, isPadded: boolean): Message =>
  isPadded && typeof message['reasoning_content'] !== 'string'
    ? { ...message, reasoning_content: '' }
    : message

/** A message of the assistant, with its thought as this vendor takes it. */
function shapeTurn(message: Message, rule: ReasoningRule | null, how: MessageShape): Message {
  const { tool_calls: calls } = message
  const called = Array.isArray(calls) && calls.length > 0
  if (!called && !hasThought(message)) return message
  const known = called && rule !== null ? readTurnThought(knownOf(calls, how)) : null
  let shaped = how.withoutSealed || takesNoSeals(rule) ? withoutSealed(message) : message
  if (called && known !== null) shaped = withSignatures(shaped, calls, known.signed)
  if (rule?.details === true) {
    if (Array.isArray(shaped['reasoning_details'])) return shaped
    if (known !== null && known.details.length > 0)
      return { ...withoutText(shaped), reasoning_details: known.details }
  }
  if (rule?.member === 'as-sent') return asSent(shaped, known)
  return withText(shaped, rule?.member, textFor(shaped, rule, called ? (known?.text ?? '') : null))
}

/** A client of this format knows whom it asks: what it sends stays as it is. */
function asSent(message: Message, known: TurnThought | null): Message {
  if (known === null) return message
  const { reasoning_content: content, reasoning, reasoning_details: own } = message
  const { text, member, details } = known
  const isGiven = text === '' || isText(content) || isText(reasoning)
  const shaped = isGiven ? message : withText(message, member, text)
  return details.length === 0 || Array.isArray(own)
    ? shaped
    : { ...shaped, reasoning_details: details }
}

const hasThought = (message: Message): boolean =>
  'reasoning_content' in message || 'reasoning' in message || 'reasoning_details' in message

/** A client may come from a vendor that seals; others refuse what is sealed, or can do nothing with it. */
const takesNoSeals = (rule: ReasoningRule | null): boolean =>
  rule?.details !== true && rule?.member !== 'as-sent'

/** A message that says in its text who speaks. */
function saidBy(name: string, message: Message): Message {
  const { content } = message
  if (typeof content === 'string') return { ...message, content: `${name}: ${content}` }
  return Array.isArray(content)
    ? { ...message, content: bySpeaker(name, content.map(fieldsOf)) }
    : message
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

/** Clients lose signatures; those that a client kept are its own. */
function withSignatures(
  message: Message,
  calls: readonly unknown[],
  signed: TurnThought['signed'],
): Message {
  if (signed.length === 0) return message
  const shaped = listOf(message['tool_calls']).map((call, at) => {
    if (!isMessage(call) || 'extra_content' in call) return call
    const { id } = fieldsOf(calls[at])
    const extra = signed.find((each) => each.id === id)?.extra
    return extra === undefined ? call : { ...call, extra_content: extra }
  })
  return { ...message, tool_calls: shaped }
}

/**
 * The text that goes back.
 * @param known what is remembered; null where no tool was called
 * @returns null for none
 */
function textFor(
  message: Message,
  rule: ReasoningRule | null,
  known: string | null,
): string | null {
  if (rule === null) return null
  const { reasoning_content: content, reasoning } = message
  const texts = rule.own === true ? [] : [content, reasoning]
  const given = texts.find(isText) ?? texts.find((each) => each === '') ?? null
  if (known === null || isText(given)) return given
  // An empty one passes where it is known no more.
  return known !== '' || rule.required !== undefined ? known : given
}

type Member = Exclude<ReasoningRule['member'], 'as-sent'>

function withText(message: Message, member: Member | undefined, text: string | null): Message {
  if (member === undefined || text === null) return withoutText(message)
  if (member === 'thinking-part') {
    const { content } = message
    // A client that keeps the vendor's own parts sends them back.
    const isThere = listOf(content).some((part) => fieldsOf(part)['type'] === 'thinking')
    const rest = withoutText(message)
    return isThere ? rest : { ...rest, content: withThinkingPart(content, text) }
  }
  const other = member === 'reasoning' ? 'reasoning_content' : 'reasoning'
  if (message[member] === text && !(other in message)) return message
  return { ...withoutText(message), [member]: text }
}

function withoutText(message: Message): Message {
  if (!('reasoning_content' in message) && !('reasoning' in message)) return message
  const { reasoning_content: _, reasoning: __, ...rest } = message
  return rest
}

/** @see mistralai/client-ts 2.7.0, `ThinkChunk`: a part that is not closed would be gone on with */
const withThinkingPart = (content: unknown, text: string): readonly unknown[] => [
  { type: 'thinking', thinking: [{ type: 'text', text }], closed: true },
  ...(isText(content) ? [{ type: 'text', text: content }] : listOf(content)),
]

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

function withFittingIds(message: Message, form: CallIdForm): Message {
  const { tool_calls: calls, tool_call_id: answered } = message
  const isOther = (id: unknown): id is string => typeof id === 'string' && !form.fits.test(id)
  let shaped = message
  if (isOther(answered)) shaped = { ...shaped, tool_call_id: fittingCallId(answered, form) }
  if (Array.isArray(calls) && calls.some((call) => isMessage(call) && isOther(call['id'])))
    shaped = {
      ...shaped,
      tool_calls: calls.map((call: unknown) =>
        isMessage(call) && isOther(call['id'])
          ? { ...call, id: fittingCallId(call['id'], form) }
          : call,
      ),
    }
  return shaped
}

const isMessage = (value: unknown): value is Message => typeof value === 'object' && value !== null

/** Members of a call in a history, by all schemas that are closed. */
const callMembers: ReadonlySet<string> = new Set(['id', 'type', 'function', 'index'])

/**
 * A message of the assistant as a closed schema takes it: clients send back whole what they were answered, with
 * members that other vendors added. A refusal is then what was said.
 * @param members that the schema has
 */
function closedTurn(message: Message, members: ReadonlySet<string>): Message {
  const { content, refusal, tool_calls: calls } = message
  const isRefused = isText(refusal) && !isText(content) && !members.has('refusal')
  let shaped = withoutOthers(message, members)
  if (isRefused && !Array.isArray(content)) shaped = { ...shaped, content: refusal }
  if (!Array.isArray(calls)) return shaped
  const given: readonly unknown[] = calls
  const known = given.map((call) => withoutOthers(fieldsOf(call), callMembers))
  return known.some((call, at) => call !== given[at]) ? { ...shaped, tool_calls: known } : shaped
}

function withoutOthers(value: Message, members: ReadonlySet<string>): Message {
  const names = Object.keys(value)
  if (names.every((name) => members.has(name))) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => members.has(name)))
}

/** An assistant who says nothing: content of no characters is refused. */
const nothingSaid: Message = { role: 'assistant', content: ' ' }

/** @returns null where no user speaks directly after a tool */
function separatedTurns(messages: readonly unknown[]): readonly unknown[] | null {
  const roleAt = (at: number): unknown => fieldsOf(messages[at])['role']
  const isAfterTool = (at: number) => roleAt(at) === 'user' && roleAt(at - 1) === 'tool'
  if (!messages.some((_, at) => isAfterTool(at))) return null
  return messages.flatMap((message, at) => (isAfterTool(at) ? [nothingSaid, message] : [message]))
}
