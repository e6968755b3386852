import type { ChatBody } from '../formats/chat/schema'
import { parseChatReply, type ChatParts } from '../formats/chat/parse-reply'
import { chatPath } from '../formats/chat/members'
import { pairedCalls } from '../formats/chat/paired-calls'
import { openChatDeltas } from '../formats/chat/parse-stream'
import { unsupported } from '../formats/schema-fault'
import { plainSearch } from '../formats/chat/web-search'
import type { ProviderState } from '../formats/hub'
import type { Fields } from '../json/fields'
import type { ChatAbility, ClientMark, HubAbility, HubQuestion, Target, Vendor } from './vendor'

type ChatMessage = ChatBody['messages'][number]
type WantedReasoning = ReturnType<NonNullable<ChatAbility['wantsReasoning']>>

/**
 * A vendor of the reference format as clients of other formats reach it: through the middle, which
 * on its side is the reference format again.
 */
export function chatHub(ability: ChatAbility, { vendor, ...target }: Target): HubAbility {
  const wanted = ability.wantsReasoning?.({ vendor, ...target }) ?? null
  const keeps = (all: readonly ProviderState[]) => (wanted === null ? [] : all)
  const shape = (unshaped: ChatBody, to: Target, mark: ClientMark) => {
    // Clients of other formats ask every model for effort.
    const asked = takesEffort(ability, to) ? unshaped : withoutEffort(unshaped)
    const thought = wantedThoughts(withoutMetadata(asked), wanted)
    const body = { ...thought, messages: pairedCalls(thought.messages) }
    return { body, ...ability.shape(body, to, { ...mark, translated: true }) }
  }
  return {
    path: ability.path,
    searches: (body, to, mark) => !shape(body, to, mark).drop.includes('web_search_options'),
    render(unshaped, to, mark) {
      const { body, set, drop } = shape(unshaped, to, mark)
      const kept = Object.entries(body).filter(([name]) => !drop.includes(name))
      const { stream } = mark
      const model = to.route.vendorModel
      const shaped: Fields = { ...Object.fromEntries(kept), stream, ...set, model }
      const { web_search_options: search, max_tool_calls: most } = shaped
      if (search !== undefined) shaped['web_search_options'] = plainSearch(search)
      // A vendor of this format searches as often as it likes.
      if (search !== undefined && most !== undefined)
        throw unsupported(body.model, chatPath, 'max_tool_calls')
      delete shaped['max_tool_calls']
      return JSON.stringify(shaped)
    },
    headers: (to, mark) => ability.headers?.(to, mark) ?? [],
    readReply(text, question) {
      const reply = parseChatReply(text, chatParts(ability, vendor, question))
      return { ...reply, providerStates: keeps(reply.providerStates ?? []) }
    },
    openStream(question) {
      const stream = openChatDeltas(chatParts(ability, vendor, question))
      return { ...stream, providerStates: () => keeps(stream.providerStates?.() ?? []) }
    },
  }
}

/** Whether a model is known to think, and to be paid for it. */
const takesEffort = ({ thinksUnpaid }: ChatAbility, to: Target): boolean =>
  (to.traits.reasoning === true || to.traits.efforts !== undefined) && thinksUnpaid?.(to) !== true

function withoutEffort(body: ChatBody): ChatBody {
  const { reasoning_effort: _, ...rest } = body
  return rest
}

/** `metadata` is of answers that a vendor keeps, which none of this format does. */
function withoutMetadata(body: ChatBody): ChatBody {
  if (!('metadata' in body)) return body
  const { metadata: _, ...rest } = body
  return rest
}

/** Clients of other formats tell what was thought in every turn, and by whichever vendor. */
function wantedThoughts(body: ChatBody, wanted: WantedReasoning): ChatBody {
  if (wanted === 'all') return body
  const messages = body.messages.map((message) => {
    const { reasoning_content: thought, ...rest } = message as ChatMessage & Fields
    const isWanted = wanted === 'calls' && (message.tool_calls?.length ?? 0) > 0
    return thought === undefined || isWanted ? message : rest
  })
  return { ...body, messages }
}

const chatParts = (
  { normalise }: ChatAbility,
  vendor: Vendor,
  { requestId, model, body }: HubQuestion,
): ChatParts => ({
  id: requestId,
  n: body.n,
  normalise,
  refuseFailure(reply) {
    if (reply['error'] === undefined && reply['choices'] !== undefined) return
    const failure = vendor.embeddedFailure(reply, model)
    if (failure !== null) throw failure
  },
})
