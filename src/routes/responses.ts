import { clientEndpoint } from '../call/client-endpoint'
import { responsesFormat } from '../call/responses-format'
import { runCall } from '../call/run'
import { ResponsesBody } from '../formats/responses/schema'
import { textHeaders, streamedErrors, type RouteDoc } from '../reference/doc'
import { DryRunReply, ResponseReply } from '../reference/generation-schemas'
import { Type } from '@sinclair/typebox'
import type { Route } from './route'

const endpoint = clientEndpoint(responsesFormat)

const doc: RouteDoc = {
  group: 'Generation',
  summary: 'The same in the Responses format.',
  description: `Any chat model of any vendor. Where its vendor speaks this format requests and answers
pass to the letter, and \`previous_response_id\` goes on from an earlier answer of the same project;
elsewhere they are translated. Tools that run at the vendor are charged by the call where the model's prices have one
for them; otherwise a web search is left out, and any other such tool, or one that \`tool_choice\`
forces, is refused with \`endpoint_not_supported\`.

With \`stream: true\` the answer is that format's own events. With \`X-Dry-Run: 1\` the answer tells
what the call could cost.`,
  keyed: true,
  request: {
    schema: ResponsesBody,
    notes: {
      model: 'what answers: an `id` of `GET /v1/models`',
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
    'missing_input',
    'invalid_message',
    'too_many_messages',
    'request_not_found',
  ],
}

/** OpenAI's Responses, for its official clients and its coding CLI. */
export const responses: Route = {
  method: 'POST',
  path: '/v1/responses',
  doc,
  serve: (parts, inbound) => runCall(parts, endpoint, inbound),
}
