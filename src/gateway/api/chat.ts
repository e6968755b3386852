import { Type } from '@sinclair/typebox'
import { runCall } from '../call/run'
import { chatFormat } from '../endpoints/text/chat-format'
import { textEndpoint } from '../endpoints/text/endpoint'
import { ChatBody } from '../formats/chat/schema'
import { textHeaders, streamedErrors, type RouteDoc } from './reference/doc'
import { ChatChunk, ChatReply, DryRunReply } from './reference/generation-schemas'
import type { ApiRoute } from './route'

const endpoint = textEndpoint(chatFormat)

const doc: RouteDoc = {
  group: 'Generation',
  summary: 'One answer of any chat model, streamed or whole.',
  description: `One endpoint and one body for the chat models of every vendor. A model can be named
plainly, as \`vendor/model\`, or with a route prefix (\`openrouter:gpt-4o\`).

With \`stream: true\` the answer is server-sent events: chunks, then one with \`usage\` and no
choices, then \`[DONE]\`. What fails on the way is an event with an \`error\` object.

With \`X-Dry-Run: 1\` everything is checked and the answer tells what the call could cost; no vendor
is asked and nothing is charged.`,
  keyed: true,
  headers: Type.Object({
    'X-Dry-Run': Type.Optional(Type.String({ description: '`1`: only tell what it would cost' })),
    'Accept-Language': Type.Optional(
      Type.String({ description: '`en`: messages of errors in English instead of Persian' }),
    ),
  }),
  request: {
    schema: ChatBody,
    notes: {
      model: 'what answers: an `id` of `GET /v1/models`',
      models:
        'models to ask in this order where that gives no answer, each at its own price; the first is the model where there is no `model`',
      messages:
        'the conversation so far; a content is text, or parts of type `text`, `image_url` or `input_audio`',
      stream: 'whether the answer comes in pieces',
      max_tokens: 'the most the answer may have; lowers what is set aside',
      max_completion_tokens: 'newer name of `max_tokens`',
      n: 'how many answers',
      response_format: 'JSON, by a schema if one is given',
      tools: 'functions that the model may call',
      reasoning_effort: 'of models that reason; becomes what the vendor knows',
      user: 'accepted; the vendor is told an identifier of ours instead',
    },
    example: {
      model: 'sandbox/echo',
      messages: [{ role: 'user', content: 'سلام' }],
      max_tokens: 100,
    },
  },
  answers: [
    {
      status: 200,
      description: 'The answer; with `X-Dry-Run`, the estimate.',
      headers: textHeaders,
      content: {
        'application/json': { schema: Type.Union([ChatReply, DryRunReply]) },
        'text/event-stream': {
          schema: Type.String({
            contentMediaType: 'application/json',
            contentSchema: ChatChunk,
            description: 'each `data:` line is a chunk',
          }),
        },
      },
    },
  ],
  errors: [...streamedErrors, 'missing_messages', 'invalid_message', 'too_many_messages'],
}

export const chat: ApiRoute = {
  method: 'POST',
  path: '/v1/chat/completions',
  doc,
  serve: (parts, inbound) => runCall(parts, endpoint, inbound),
}
