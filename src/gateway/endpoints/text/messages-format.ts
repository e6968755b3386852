import { fieldsOf, isText, listOf, type Fields } from '../../json/fields'
import { messagesUsage } from '../../formats/messages/wire'
import { collectMessage } from '../../formats/messages/collect-stream'
import { openNativeMessages } from '../../formats/messages/native-stream'
import { isChoiceUnsold, offeredTools, toolCeilings } from '../../formats/messages/hosted-tools'
import { droppedParts } from '../../formats/messages/dropped-parts'
import { readNativeMessage } from '../../formats/messages/native-reply'
import { isVendorSearch, offeredNames } from '../../formats/messages/parse-tools'
import { clientNames } from '../../formats/messages/tool-names'
import { parseMessagesRequest } from '../../formats/messages/parse-request'
import { messageAsEvents } from '../../formats/messages/reply-events'
import { renderMessage } from '../../formats/messages/render-reply'
import { openMessagesRenderer } from '../../formats/messages/render-stream'
import { checkMessagesRequest, type MessagesBody } from '../../formats/messages/schema'
import { unsaidInMessages } from '../../formats/messages/content-members'
import { untranslatedIn } from '../../formats/messages/untranslated'
import { refusedTool, type Sells } from '../../formats/hosted-tools'
import { messagesMembers } from '../../formats/messages/members'
import type { UnlistedMembers } from '../../formats/request-members'
import { requestedWrite } from './cache-writes'
import type { ClientFormat } from './client-format'

/** Anthropic's format, from clients. */
export const messagesFormat: ClientFormat<MessagesBody> = {
  endpoint: 'messages',
  check: checkMessagesRequest,
  members: messagesMembers,
  tellUsage: messagesUsage,
  collect: collectMessage,
  toChat: parseMessagesRequest,
  droppedParts,
  readsLess: ({ tools }) => tools?.some(isVendorSearch) === true,
  answer(raw) {
    const nameOf = clientNames(offeredNames(raw))
    return {
      renderReply: (reply, identity, usage) => renderMessage(reply, identity, usage, nameOf),
      openRenderer: (identity, promptTokens) =>
        openMessagesRenderer(identity, promptTokens, nameOf),
    }
  },
  untranslatable,
  vendorTools: toolCeilings,
  thinkingBudget({ thinking }: Fields) {
    const { budget_tokens: budget } = fieldsOf(thinking)
    return typeof budget === 'number' ? budget : null
  },
  writesCache: requestedWrite,
  compactsFrom,
  native: {
    ability: 'messages',
    readReply: readNativeMessage,
    openStream: openNativeMessages,
    replyEvents: messageAsEvents,
  },
}

/** The trigger where a client names none (`BetaCompact20260112Edit` of the SDK, 1.14.0). */
const usualTrigger = 150_000

function compactsFrom({ context_management: managed }: Fields): number | null {
  const edits = listOf(fieldsOf(managed)['edits']).map(fieldsOf)
  const edit = edits.find(({ type }) => isText(type) && type.startsWith('compact_'))
  if (edit === undefined) return null
  const { value } = fieldsOf(edit['trigger'])
  return typeof value === 'number' ? value : usualTrigger
}

/** Tools that run only at a vendor of the format, and blocks that only it reads. */
function untranslatable(
  raw: MessagesBody,
  searches: boolean,
  unlisted: UnlistedMembers,
): string | null {
  const had: Sells = (meter) => searches && meter === 'tool:web_search'
  if (isChoiceUnsold(raw, had)) return 'tool_choice'
  return (
    refusedTool(offeredTools(raw), had)?.param ??
    untranslatedIn(raw) ??
    unsaidInMessages(raw, searches, unlisted)
  )
}
