import { Type } from '@sinclair/typebox'
import { imagesEndpoint } from '../call/images-endpoint'
import { runCall } from '../call/run'
import { ImagesBody } from '../formats/images/schema'
import { chargedHeaders, meteredErrors, type RouteDoc } from '../reference/doc'
import { DryRunReply, ImagesReply } from '../reference/generation-schemas'
import type { Route } from './route'

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
      n: 'how many',
    },
    example: { model: 'sandbox/draw', prompt: 'سیب سرخ', size: '512x512' },
  },
  answers: [
    {
      status: 200,
      description: 'The pictures; with `X-Dry-Run`, the estimate.',
      headers: chargedHeaders,
      content: { 'application/json': { schema: Type.Union([ImagesReply, DryRunReply]) } },
    },
  ],
  errors: [...meteredErrors, 'missing_prompt', 'invalid_size'],
}

/** Pictures of any vendor that has the reference's endpoint. */
export const images: Route = {
  method: 'POST',
  path: '/v1/images/generations',
  doc,
  serve: (parts, inbound) => runCall(parts, imagesEndpoint, inbound),
}
