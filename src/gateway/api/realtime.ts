import { Type } from '@sinclair/typebox'
import { openRealtime } from '../endpoints/realtime/open-realtime'
import { keyedHeaders, streamedErrors, type RouteDoc } from './reference/doc'
import { DryRunReply } from './reference/generation-schemas'
import type { ApiRoute } from './route'

const doc: RouteDoc = {
  group: 'Generation',
  summary: 'A spoken conversation over a WebSocket.',
  description: `The reference's realtime channel in its released form. Events pass as they are in both
directions; \`session.model\`, \`tracing\`, \`prompt\` and tools that the vendor would run are taken out.

The key comes in \`Authorization\` or \`X-API-Key\`, or in a sub-protocol
\`openai-insecure-api-key.KEY\` beside \`realtime\` for clients that cannot send headers. Refusals come
before the socket as ordinary answers; with the key in a sub-protocol as an \`error\` event and a close
code of 4000 and the status (4401, 4402, 4403, 4404, 4429).

Each answer is charged when it is done. When the key may not go on, an \`error\` event says why and the
socket is closed; 1009 stands for an event above \`max_request_kb\`, 1011 for a vendor that is gone, 1012
for a gateway that stops. Each \`response.create\` is one of the key's requests per minute: an event that
is refused alone gets its \`error\`, and the conversation goes on.`,
  keyed: true,
  query: Type.Object({
    model: Type.String({ description: 'a model whose `capabilities.realtime` is true' }),
  }),
  headers: Type.Object({
    'Sec-WebSocket-Protocol': Type.Optional(
      Type.String({ description: '`realtime`, and the key where no header can hold it' }),
    ),
    'X-Dry-Run': Type.Optional(Type.String({ description: '`1`: only tell what it would hold' })),
    'Accept-Language': Type.Optional(
      Type.String({ description: '`en`: messages of errors in English instead of Persian' }),
    ),
  }),
  answers: [
    {
      status: 101,
      description: 'The socket.',
      headers: keyedHeaders,
      content: {},
    },
    {
      status: 200,
      description: 'With `X-Dry-Run`, what would be held.',
      headers: keyedHeaders,
      content: { 'application/json': { schema: DryRunReply } },
    },
  ],
  errors: streamedErrors.filter((code) => code !== 'invalid_model'),
}

export const realtime: ApiRoute = {
  method: 'GET',
  path: '/v1/realtime',
  doc,
  serve: openRealtime,
}
