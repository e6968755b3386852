import { fieldsOf, listOf } from '../../src/gateway/json/fields'
import {
  functionCall,
  message,
  reasoningItem,
  response,
  responseStream,
} from '../support/responses-stand-in'
import { failure } from '../support/stand-in'
import type { Said, VendorReplies } from './scenarios'

const itemsOf = ({ reasoning, text, calls }: Said) => [
  ...(reasoning === '' ? [] : [reasoningItem('sealed', reasoning)]),
  ...(text === '' ? [] : [message(text)]),
  ...calls.map((each, index) =>
    functionCall(`call_${index}`, each.name, JSON.stringify(each.arguments)),
  ),
]

const endOf = ({ finish }: Said): object => {
  switch (finish) {
    case 'length':
      return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    case 'content_filter':
      return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
  }
  return {}
}

/** A vendor of the reference format, and a model of it that only speaks Responses. */
export const responsesReplies: VendorReplies = {
  events: ({ says }) => responseStream(itemsOf(says), endOf(says)),
  whole: ({ says }) => response(itemsOf(says), endOf(says)),
  errorEvent:
    'event: error\ndata: {"type":"error","code":"server_error","message":"sk-secret broke"}\n\n',
  brokenBy: 'stream_interrupted',
  failing: failure(503, { message: 'full', type: 'server_error', code: 'overloaded' }),
  streams: ({ body }) => body['stream'] === true,
  told: { input: 100, cached: 60, written: 10, output: 50 },
  sees: (body) => ({
    image: JSON.stringify(body['input']).includes('"input_image"'),
    tools: listOf(body['tools']).map((tool) => String(fieldsOf(tool)['name'])),
    schema: fieldsOf(fieldsOf(body['text'])['format'])['type'] === 'json_schema',
    ceiling: Number(body['max_output_tokens'] ?? 0) || null,
  }),
}
