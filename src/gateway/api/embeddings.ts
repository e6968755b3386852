import { Type } from '@sinclair/typebox'
import { embeddingsEndpoint } from '../endpoints/embeddings/endpoint'
import { runCall } from '../call/run'
import { EmbeddingsBody } from '../formats/embeddings/schema'
import { chargedHeaders, meteredErrors, type RouteDoc } from './reference/doc'
import { DryRunReply, EmbeddingsListReply } from './reference/generation-schemas'
import type { ApiRoute } from './route'

const doc: RouteDoc = {
  group: 'Generation',
  summary: 'Vectors of texts.',
  description:
    'In the order of the input, as numbers or as base64 of little-endian floats of 32 bits, whatever the vendor gives.',
  keyed: true,
  request: {
    schema: EmbeddingsBody,
    notes: {
      model: 'an `id` of `GET /v1/models?type=embedding`',
      input: 'one text or many',
      dimensions: 'shortens the vectors, of models that can',
      encoding_format: '`float` unless told',
    },
    example: { model: 'sandbox/embed', input: ['سلام', 'hello'] },
  },
  answers: [
    {
      status: 200,
      description: 'The vectors; with `X-Dry-Run`, the estimate.',
      headers: chargedHeaders,
      content: {
        'application/json': { schema: Type.Union([EmbeddingsListReply, DryRunReply]) },
      },
    },
  ],
  errors: [...meteredErrors, 'missing_input'],
}

/** Vectors of any vendor. */
export const embeddings: ApiRoute = {
  method: 'POST',
  path: '/v1/embeddings',
  doc,
  serve: (parts, inbound) => runCall(parts, embeddingsEndpoint, inbound),
}
