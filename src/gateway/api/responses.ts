import { textEndpoint } from '../endpoints/text/endpoint'
import { compactFormat, responsesFormat } from '../endpoints/text/responses-format'
import { runCall } from '../call/run'
import { CompactBody, ResponsesBody } from '../formats/responses/schema'
import {
  chargedHeaders,
  meteredErrors,
  streamedErrors,
  textHeaders,
  type RouteDoc,
} from './reference/doc'
import { CompactionReply, DryRunReply, ResponseReply } from './reference/generation-schemas'
import { Type } from '@sinclair/typebox'
import type { ApiRoute } from './route'

const endpoint = textEndpoint(responsesFormat)
const compactEndpoint = textEndpoint(compactFormat)

const doc: RouteDoc = {
  group: 'Generation',
  summary: 'The same in the Responses format.',
  description: `Any chat model of any vendor. Where its vendor speaks this format requests and answers
pass to the letter, and \`previous_response_id\` goes on from an earlier answer of the same project;
elsewhere they are translated. Tools that run at the vendor are charged by the call where the model's prices have one
for them; otherwise a web search is left out, and any other such tool, or one that \`tool_choice\`
forces, is refused with \`endpoint_not_supported\`.

An input whose last item is \`{"type":"compaction_trigger"}\` is answered by one item of type
\`compaction\` in place of an answer; see \`POST /v1/responses/compact\`. There is no WebSocket here: an
upgrade gets 426.

With \`stream: true\` the answer is that format's own events. With \`X-Dry-Run: 1\` the answer tells
what the call could cost.`,
  keyed: true,
  request: {
    schema: ResponsesBody,
    notes: {
      model: 'what answers: an `id` of `GET /v1/models`',
      models:
        'models to ask in this order where that gives no answer, each at its own price; the first is the model where there is no `model`',
      input: 'what is asked: a text, or the conversation so far',
      instructions: 'how to answer',
      max_output_tokens: 'the most the answer may have; lowers what is set aside',
      tools: 'functions that the model may call, or tools of the vendor',
      reasoning: 'of models that reason: `effort` becomes what the vendor knows',
    },
    example: { model: 'sandbox/echo', input: 'سلام' },
  },
  answers: [
    {
      status: 200,
      description: 'The answer; with `X-Dry-Run`, the estimate.',
      headers: textHeaders,
      content: {
        'application/json': { schema: Type.Union([ResponseReply, DryRunReply]) },
        'text/event-stream': {
          schema: Type.String({ description: '`response.created` … `response.completed`' }),
        },
      },
    },
  ],
  errors: [
    ...streamedErrors,
    'upgrade_not_offered',
    'missing_input',
    'invalid_message',
    'too_many_messages',
    'request_not_found',
  ],
}

const compactDoc: RouteDoc = {
  group: 'Generation',
  summary: 'A conversation made shorter.',
  description: `The output is the input of later requests: the messages of the user, and one item of type
\`compaction\` for all the rest. Where its vendor can do this it is the vendor's own item, which only
that vendor can read; elsewhere the model summarises the conversation, without tools, and any model can
go on from it. It is charged as any other call of the model.

The content of an item is sealed for the project and kept nowhere else: one that was changed, or of
another project, is refused with \`invalid_message\` and its place as \`param\`; a vendor's own with a
model of another vendor with \`endpoint_not_supported\`.`,
  keyed: true,
  request: {
    schema: CompactBody,
    notes: {
      model: 'what summarises: an `id` of `GET /v1/models`',
      input: 'the conversation so far; may be absent where it goes on from an earlier answer',
      instructions: 'what the conversation was held under',
      previous_response_id: 'an earlier answer of the same project, where its vendor keeps it',
    },
    example: { model: 'sandbox/echo', input: 'سلام' },
  },
  answers: [
    {
      status: 200,
      description: 'The shorter conversation; with `X-Dry-Run`, the estimate.',
      headers: chargedHeaders,
      content: {
        'application/json': { schema: Type.Union([CompactionReply, DryRunReply]) },
      },
    },
  ],
  errors: [
    ...meteredErrors,
    'missing_input',
    'invalid_message',
    'too_many_messages',
    'request_not_found',
  ],
}

/** OpenAI's Responses, for its official clients and its coding CLI. */
export const responses: ApiRoute = {
  method: 'POST',
  path: '/v1/responses',
  refusesUpgrade: true,
  doc,
  serve: (parts, inbound) => runCall(parts, endpoint, inbound),
}

/** A conversation made shorter, for the same clients. */
export const compact: ApiRoute = {
  method: 'POST',
  path: '/v1/responses/compact',
  doc: compactDoc,
  serve: (parts, inbound) => runCall(parts, compactEndpoint, inbound),
}
