import { readNativeResponse } from '../formats/responses/native-reply'
import { openNativeResponses } from '../formats/responses/native-stream'
import { parseResponsesRequest } from '../formats/responses/parse-request'
import { responseAsEvents } from '../formats/responses/reply-events'
import { renderResponse } from '../formats/responses/render-reply'
import { openResponsesRenderer } from '../formats/responses/render-stream'
import { checkResponsesBody, type ResponsesBody } from '../formats/responses/schema'
import type { ClientFormat } from './client-format'
import type { Units } from '../domain/usage'
import { fieldsOf, isCount } from '../formats/chat/wire'

/** OpenAI's Responses, from clients. */
export const responsesFormat: ClientFormat<ResponsesBody> = {
  endpoint: 'responses',
  check: checkResponsesBody,
  describe: ({ model, stream }) => ({ model, stream: stream === true }),
  toChat: parseResponsesRequest,
  answer: (raw) => ({
    renderReply: (reply, identity, usage) => renderResponse(raw, reply, identity, usage),
    openRenderer: (identity) => openResponsesRenderer(raw, identity),
  }),
  goesOnFrom: ({ previous_response_id: earlier }) => earlier ?? null,
  vendorTools: vendorToolsOf,
  native: {
    ability: 'responses',
    readReply: readNativeResponse,
    openStream: openNativeResponses,
    replyEvents: responseAsEvents,
  },
}

/** One request may run many searches; most run fewer. */
const searchesUnlessTold = 4

function vendorToolsOf(raw: ResponsesBody): Units {
  const types = raw.tools?.map(({ type }) => type) ?? []
  const { max_tool_calls: told } = fieldsOf(raw)
  const most = isCount(told) ? told : searchesUnlessTold
  return {
    ...(types.some((type) => type.startsWith('web_search')) ? { 'tool:web_search': most } : {}),
    ...(types.includes('code_interpreter') ? { 'tool:code_interpreter': 1 } : {}),
  }
}
