import { responsesUsage } from '../formats/responses/response-object'
import { collectResponse } from '../formats/responses/collect-stream'
import { refusedTool, type Sells } from '../formats/hosted-tools'
import { hadChoice, offeredTools, toolCeilings } from '../formats/responses/hosted-tools'
import { leftOut } from '../formats/responses/left-out'
import { readNativeResponse } from '../formats/responses/native-reply'
import { openNativeResponses } from '../formats/responses/native-stream'
import { parseResponsesRequest } from '../formats/responses/parse-request'
import { responseAsEvents } from '../formats/responses/reply-events'
import { renderResponse } from '../formats/responses/render-reply'
import { openResponsesRenderer } from '../formats/responses/render-stream'
import { checkResponsesBody, type ResponsesBody } from '../formats/responses/schema'
import type { ClientFormat } from './client-format'

/** OpenAI's Responses, from clients. */
export const responsesFormat: ClientFormat<ResponsesBody> = {
  endpoint: 'responses',
  check: checkResponsesBody,
  tellUsage: responsesUsage,
  collect: collectResponse,
  describe: ({ model, stream }) => ({ model, stream: stream === true }),
  toChat: parseResponsesRequest,
  leftOut,
  answer: (raw) => ({
    renderReply: (reply, identity, usage) => renderResponse(raw, reply, identity, usage),
    openRenderer: (identity) => openResponsesRenderer(raw, identity),
  }),
  untranslatable,
  goesOnFrom: ({ previous_response_id: earlier }) => earlier ?? null,
  vendorTools: toolCeilings,
  native: {
    ability: 'responses',
    readReply: readNativeResponse,
    openStream: openNativeResponses,
    replyEvents: responseAsEvents,
  },
}

/** What a vendor keeps, and tools that run only at one of the format. */
function untranslatable(raw: ResponsesBody, searches: boolean): string | null {
  if (typeof raw.previous_response_id === 'string') return 'previous_response_id'
  const had: Sells = (meter) => searches && meter.startsWith('tool:web_search')
  if (hadChoice(raw, had).isUnsold) return 'tool_choice'
  return refusedTool(offeredTools(raw), had)?.param ?? null
}
