import { AnsweredTurns, answeredChatTurn } from '../../formats/answered-turns'
import { chatProviderStates, openChatProviderStates } from '../../formats/chat/provider-states'
import { collectChat } from '../../formats/chat/collect-stream'
import { readChatReply } from '../../formats/chat/reply'
import { renderChatReply } from '../../formats/chat/render-reply'
import { openChatRenderer } from '../../formats/chat/render-stream'
import { reshapedMembers } from '../../formats/chat/other-shapes'
import { checkChatBody, type ChatBody } from '../../formats/chat/schema'
import { openChatStream } from '../../formats/chat/stream'
import { wireUsage } from '../../formats/chat/usage'
import type { TextStream } from '../../formats/hub-stream'
import type { Fields } from '../../json/fields'
import { unsaidInChat } from '../../formats/chat/content-members'
import { chatMembers } from '../../formats/chat/members'
import { requestedWrite } from './cache-writes'
import { chatInputFormat, isResponsesBody } from './chat-input-format'
import type { ClientFormat, NamedFields, NativeParts, NativeReply } from './client-format'
import { rememberingStream } from './text-stream'

const answer = { renderReply: renderChatReply, openRenderer: openChatRenderer }

/** Its answers, whatever is asked in. */
const answers = {
  endpoint: 'chat',
  tellUsage: wireUsage,
  collect: collectChat,
  answer: () => answer,
} satisfies Partial<ClientFormat<NamedFields>>

const fromInput = chatInputFormat(answers)

/** The reference format, from clients: what it means in the middle is itself. */
export const chatFormat: ClientFormat<ChatBody> = {
  ...answers,
  check: checkChatBody,
  alternative: (value) => (isResponsesBody(value) ? fromInput : null),
  unseal(raw) {
    const set = reshapedMembers(raw)
    return set === null ? null : { raw: { ...raw, ...set }, set, only: null }
  },
  members: chatMembers,
  toChat: (body) => body,
  untranslatable: (body, _, unlisted) => unsaidInChat(body, unlisted),
  writesCache: requestedWrite,
  native: {
    ability: 'chat',
    ceiling: 'max_tokens',
    readReply,
    openStream,
    replyEvents: ({ choices }) => [JSON.stringify({ choices }), '[DONE]'],
    readsStrings: (text) => objectArguments.test(text),
    tellsNoSearch: true,
  },
}

/**
 * Arguments of a tool call that are no text, as some vendors send them. They become text inside a text,
 * where a stand-in would be escaped once less than its string.
 */
const objectArguments = /"arguments"\s*:\s*[[{]/

function readReply(text: string, parts: NativeParts<ChatBody>): NativeReply {
  const reply = readChatReply(text, parts)
  const { remember } = parts
  if (remember !== null)
    for (const state of chatProviderStates(reply.choices, reply.thoughtIn))
      remember(state, answeredChatTurn(reply.choices[state.choice] ?? {}))
  return reply
}

function openStream(parts: NativeParts<ChatBody>): TextStream {
  const { remember } = parts
  if (remember === null) return openChatStream(parts)
  const states = openChatProviderStates()
  const turns = new AnsweredTurns()
  const { identity, normalise, countTokens, raw } = parts
  const refuseFailure = (chunk: Fields): void => parts.refuseFailure(chunk)
  const stream = openChatStream({
    identity,
    normalise,
    raw,
    refuseFailure,
    countTokens,
    observe(choice, delta, thoughtIn) {
      states.observe(choice, delta, thoughtIn)
      turns.addChat(choice, delta)
    },
    observeText: (text) => turns.text(0, text),
  })
  return rememberingStream(stream, states.providerStates, (state) =>
    remember(state, turns.turnOf(state.choice)),
  )
}
