import { collectResponse } from '../../formats/responses/collect-stream'
import { responsesUsage } from '../../formats/responses/response-object'
import { refusedTool, type Sells } from '../../formats/hosted-tools'
import { hadChoice, offeredTools, toolCeilings } from '../../formats/responses/hosted-tools'
import { compactionQuestion } from '../../formats/responses/compaction-question'
import { requestsCompaction } from '../../formats/responses/compaction-trigger'
import { droppedParts } from '../../formats/responses/dropped-parts'
import { readNativeCompaction, readNativeResponse } from '../../formats/responses/native-reply'
import { openNativeResponses } from '../../formats/responses/native-stream'
import { parseResponsesRequest } from '../../formats/responses/parse-request'
import { responseAsEvents } from '../../formats/responses/reply-events'
import {
  renderCompactedResponse,
  renderCompaction,
} from '../../formats/responses/compaction-answer'
import { renderResponse } from '../../formats/responses/render-reply'
import {
  openCompactionRenderer,
  openResponsesRenderer,
} from '../../formats/responses/render-stream'
import {
  checkCompactBody,
  checkResponsesBody,
  type ResponsesBody,
} from '../../formats/responses/schema'
import { unsealItems, vendorItem } from '../../formats/responses/sealed-items'
import { unsaidInInput } from '../../formats/responses/content-members'
import { untranslatedIn } from '../../formats/responses/untranslated'
import { responsesMembers } from '../../formats/responses/members'
import type { UnlistedMembers } from '../../formats/request-members'
import { requestedWrite } from './cache-writes'
import type { ClientFormat } from './client-format'

/** Members shared by responses and compactions. */
const shared = {
  members: responsesMembers,
  tellUsage: responsesUsage,
  collect: collectResponse,
  droppedParts,
  readsLess: ({ tools }) => tools?.some(({ type }) => type === 'tool_search') === true,
  untranslatable,
  writesCache: requestedWrite,
  unseal: unsealItems,
  goesOnFrom: ({ previous_response_id: earlier }) => earlier ?? null,
} satisfies Partial<ClientFormat<ResponsesBody>>

/** Its strings are sealed once more. */
const readsStrings = (text: string): boolean => text.includes('"compaction"')

/** OpenAI's Responses, from clients. */
export const responsesFormat: ClientFormat<ResponsesBody> = {
  ...shared,
  endpoint: 'responses',
  check: checkResponsesBody,
  toChat: (raw) => (requestsCompaction(raw) ? compactionQuestion(raw) : parseResponsesRequest(raw)),
  answer: (raw, seal) =>
    requestsCompaction(raw)
      ? {
          renderReply: (reply, identity, usage) =>
            renderCompactedResponse(raw, reply, { identity, usage, seal }),
          openRenderer: (identity) => openCompactionRenderer(raw, identity, seal),
        }
      : {
          renderReply: (reply, identity, usage) => renderResponse(raw, reply, identity, usage),
          openRenderer: (identity) => openResponsesRenderer(raw, identity),
        },
  vendorTools: toolCeilings,
  native: {
    ability: 'responses',
    ceiling: 'max_output_tokens',
    readReply: readNativeResponse,
    openStream: openNativeResponses,
    replyEvents: responseAsEvents,
    readsStrings,
  },
}

/** The compaction of a conversation alone, from clients: never a stream. */
export const compactFormat: ClientFormat<ResponsesBody> = {
  ...shared,
  endpoint: 'compact',
  check: checkCompactBody,
  neverStreams: true,
  toChat: compactionQuestion,
  answer: (raw, seal) => ({
    renderReply: (reply, identity, usage) =>
      renderCompaction(raw, reply, { identity, usage, seal }),
    openRenderer: (identity) => openCompactionRenderer(raw, identity, seal),
  }),
  native: {
    ability: 'compact',
    readReply: readNativeCompaction,
    openStream: openNativeResponses,
    readsStrings,
  },
}

/** Items that only its own vendor can read, and tools that run only at one of the format. */
function untranslatable(
  raw: ResponsesBody,
  searches: boolean,
  unlisted: UnlistedMembers,
): string | null {
  const item = vendorItem(raw)
  if (item !== null) return item
  const had: Sells = (meter) => searches && meter.startsWith('tool:web_search')
  if (hadChoice(raw, had).isUnsold) return 'tool_choice'
  return (
    refusedTool(offeredTools(raw), had)?.param ??
    untranslatedIn(raw) ??
    unsaidInInput(raw, searches, unlisted)
  )
}
