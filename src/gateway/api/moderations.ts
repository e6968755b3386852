import { Type } from '@sinclair/typebox'
import { moderationsEndpoint } from '../endpoints/moderations/endpoint'
import { runCall } from '../call/run'
import { ModerationsBody } from '../formats/moderations/schema'
import { chargedHeaders, meteredErrors, type RouteDoc } from './reference/doc'
import { DryRunReply, ModerationsReply } from './reference/generation-schemas'
import type { ApiRoute } from './route'

const doc: RouteDoc = {
  group: 'Generation',
  summary: 'Whether texts and pictures are harmful.',
  description:
    'In the reference format. Without `model` the first moderation model on sale judges; 404 when there is none.',
  keyed: true,
  request: {
    schema: ModerationsBody,
    notes: { model: 'an `id` of `GET /v1/models?type=moderation`', input: 'what is judged' },
    example: { model: 'sandbox/moderate', input: 'a harmless text' },
  },
  answers: [
    {
      status: 200,
      description: 'The results; with `X-Dry-Run`, the estimate.',
      headers: chargedHeaders,
      content: { 'application/json': { schema: Type.Union([ModerationsReply, DryRunReply]) } },
    },
  ],
  errors: [...meteredErrors.filter((code) => code !== 'missing_model'), 'missing_input'],
}

/** Judging of any vendor that has the reference's endpoint. */
export const moderations: ApiRoute = {
  method: 'POST',
  path: '/v1/moderations',
  doc,
  serve: (parts, inbound) => runCall(parts, moderationsEndpoint, inbound),
}
