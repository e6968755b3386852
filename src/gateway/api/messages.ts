import { textEndpoint } from '../endpoints/text/endpoint'
import { messagesFormat } from '../endpoints/text/messages-format'
import { runCall } from '../call/run'
import { MessagesBody } from '../formats/messages/schema'
import { textHeaders, streamedErrors, type RouteDoc } from './reference/doc'
import { DryRunReply, MessageReply } from './reference/generation-schemas'
import { Type } from '@sinclair/typebox'
import type { ApiRoute } from './route'

const endpoint = textEndpoint(messagesFormat)

const doc: RouteDoc = {
  group: 'Generation',
  summary: 'The same in the Messages format, for clients that speak it.',
  description: `Any chat model of any vendor, asked and answered as Anthropic's clients expect it;
errors too. Give them this address without \`/v1\`, and the key as they send theirs.

With \`stream: true\` the answer is that format's own events. With \`X-Dry-Run: 1\` the answer tells
what the call could cost.`,
  keyed: true,
  request: {
    schema: MessagesBody,
    notes: {
      model: 'what answers: an `id` of `GET /v1/models`',
      models:
        'models to ask in this order where that gives no answer, each at its own price; the first is the model where there is no `model`',
      messages: 'the conversation so far',
      system: 'instructions',
      max_tokens: 'the most the answer may have; lowers what is set aside',
      tools: 'functions that the model may call',
      thinking: 'of models that reason; becomes what the vendor knows',
    },
    example: {
      model: 'sandbox/echo',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'سلام' }],
    },
  },
  answers: [
    {
      status: 200,
      description: 'The answer; with `X-Dry-Run`, the estimate.',
      headers: textHeaders,
      content: {
        'application/json': { schema: Type.Union([MessageReply, DryRunReply]) },
        'text/event-stream': {
          schema: Type.String({ description: '`message_start` … `message_stop`' }),
        },
      },
    },
  ],
  errors: [...streamedErrors, 'missing_messages', 'invalid_message', 'too_many_messages'],
  errorFrame: 'messages',
}

/** Anthropic's Messages, for its official clients and its coding CLI. */
export const messages: ApiRoute = {
  method: 'POST',
  path: '/v1/messages',
  doc,
  serve: (parts, inbound) => runCall(parts, endpoint, inbound),
}
