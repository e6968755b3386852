import { fieldsOf } from '../formats/chat/wire'
import { meterOfTool, toolCeilings } from '../formats/responses/hosted-tools'
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

/** What a vendor keeps, and tools that run only at one of the format, where an answer hangs on them. */
function untranslatable(raw: ResponsesBody, searches: boolean): string | null {
  const { previous_response_id: earlier, tool_choice: choice, tools } = raw
  if (typeof earlier === 'string') return 'previous_response_id'
  const runs = (type: unknown) =>
    searches && typeof type === 'string' && type.startsWith('web_search')
  const { type: forced } = fieldsOf(choice)
  if (meterOfTool(forced) !== null && !runs(forced)) return 'tool_choice'
  const none = tools?.every(({ type }) => meterOfTool(type) !== null && !runs(type)) === true
  return choice === 'required' && none && tools.length > 0 ? 'tool_choice' : null
}
