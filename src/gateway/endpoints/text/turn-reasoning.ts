import type { RequestParts } from '../../call/endpoint'
import { reasoningKeys, reasoningPlace, type ReasoningKeys } from '../../call/reasoning-memory'
import { digestConversation, type ConversationDigest } from '../../formats/chat/conversation-digest'
import type { ChatBody } from '../../formats/chat/schema'
import { offersTools } from '../../formats/chat/tool-options'
import type { AnsweredTurn, ProviderState } from '../../formats/hub'
import { fieldsOf, isFields, type Fields } from '../../json/fields'
import type { ClientMark, Target } from '../../vendors/vendor'

interface Asking {
  /** The client's request as a chat body. */
  readonly body: ChatBody
  /** Length of the request. */
  readonly bytes: number
  /** As its client wrote it. */
  readonly raw: Fields
  readonly target: Target
  readonly asked: Pick<RequestParts, 'memory' | 'project' | 'withoutSealed'>
}

/** A longer conversation is not digested in one turn of the event loop. */
const longBytes = 262_144

const knowsNothing = (): undefined => undefined

/**
 * Opens what is known of the reasoning that led to the calls of a conversation. Found is what this vendor
 * thought before the very same turn of the very same conversation, and nothing else.
 * @returns at once where nothing has to be digested
 */
export function openRecall(asking: Asking): ClientMark['recall'] | Promise<ClientMark['recall']> {
  const { body, bytes, target, asked } = asking
  const { memory, project } = asked
  if (!body.messages.some(hasCalls) || !memory.knows(reasoningPlace(project, target))) {
    // Meanwhile the vendor answers: its reasoning must be found by whoever has read the answer.
    if (bytes > longBytes && offersTools(body)) void digestConversation(body.messages)
    return knowsNothing
  }
  const conversation = digestConversation(body.messages)
  return conversation instanceof Promise
    ? conversation.then((digested) => recallIn(digested, asking))
    : recallIn(conversation, asking)
}

/** Without tools nothing was thought that a vendor wants back. */
export const usesTools = (body: ChatBody): boolean =>
  offersTools(body) || body.messages.some(hasCalls)

const hasCalls = ({ tool_calls: calls }: ChatBody['messages'][number]): boolean =>
  Array.isArray(calls) && calls.length > 0

function recallIn(conversation: ConversationDigest, asking: Asking): ClientMark['recall'] {
  const { memory, withoutSealed = false } = asking.asked
  const keys = keysOf(asking)
  return (call) => {
    const turn = conversation.turnOf(call)
    const { id } = fieldsOf(call)
    if (turn === undefined || typeof id !== 'string') return undefined
    const sealed = withoutSealed ? undefined : memory.recall(keys.keyOf(turn, id, true))
    return sealed ?? memory.recall(keys.keyOf(turn, id, false))
  }
}

/** Remembers reasoning of an answer, for when its turn comes again. */
export type RememberTurn = (state: ProviderState, turn: AnsweredTurn) => void

export const rememberTurns =
  (asking: Asking): RememberTurn =>
  (state, turn) => {
    const conversation = digestConversation(asking.body.messages)
    if (conversation instanceof Promise)
      void conversation.then((digested) => remember(asking, digested, state, turn))
    else remember(asking, conversation, state, turn)
  }

function remember(
  asking: Asking,
  conversation: ConversationDigest,
  { callIds, value, isSealed }: ProviderState,
  answered: AnsweredTurn,
): void {
  const { memory, project } = asking.asked
  const turn = conversation.answered(answered)
  const keys = keysOf(asking)
  memory.remember({
    place: reasoningPlace(project, asking.target),
    keys: callIds.map((id) => keys.keyOf(turn, id, isSealed)),
    value,
  })
}

const keysOf = ({ raw, target, asked: { project } }: Asking): ReasoningKeys =>
  reasoningKeys({ project, endUser: endUserOf(raw), target })

/** Members by which clients of the three formats tell their end users apart; null where none is there. */
function endUserOf(raw: Fields): string | null {
  const { user, user_id: id, safety_identifier: safety, metadata } = raw
  const named = [user, id, safety, isFields(metadata) ? metadata['user_id'] : undefined]
  return named.every((each) => typeof each !== 'string') ? null : JSON.stringify(named)
}
