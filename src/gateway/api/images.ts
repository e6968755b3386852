import { Type } from '@sinclair/typebox'
import { imagesEndpoint } from '../endpoints/images/endpoint'
import { runCall } from '../call/run'
import { ImagesBody } from '../formats/images/schema'
import { chargedHeaders, streamedErrors, type RouteDoc } from './reference/doc'
import { DryRunReply, ImagesEvent, ImagesObject } from './reference/generation-schemas'
import type { ApiRoute } from './route'

const doc: RouteDoc = {
  group: 'Generation',
  summary: 'Pictures of a prompt.',
  description: `Always base64, whatever the vendor gives. Sizes and formats of a model stand in its
\`capabilities\`; size and quality change the price, and what has none is refused.`,
  keyed: true,
  request: {
    schema: ImagesBody,
    notes: {
      model: 'an `id` of `GET /v1/models?type=image`',
      prompt: 'what is to be seen',
      size: '`<width>x<height>` or `auto`',
      n: 'how many; 1 with `stream`',
      stream: 'whether the picture is shown while it is made, by vendors that do so',
      partial_images: 'how often, before it is done; each costs what it costs',
    },
    example: { model: 'sandbox/draw', prompt: 'سیب سرخ', size: '512x512' },
  },
  answers: [
    {
      status: 200,
      description: 'The pictures; with `X-Dry-Run`, the estimate.',
      headers: chargedHeaders,
      content: {
        'application/json': { schema: Type.Union([ImagesObject, DryRunReply]) },
        'text/event-stream': {
          schema: Type.String({
            contentMediaType: 'application/json',
            contentSchema: ImagesEvent,
            description:
              '`image_generation.partial_image`, then `image_generation.completed` with the cost',
          }),
        },
      },
    },
  ],
  errors: [...streamedErrors, 'missing_prompt', 'invalid_size'],
}

/** Pictures of any vendor that has the reference's endpoint. */
export const images: ApiRoute = {
  method: 'POST',
  path: '/v1/images/generations',
  doc,
  serve: (parts, inbound) => runCall(parts, imagesEndpoint, inbound),
}
