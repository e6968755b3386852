import { Type } from '@sinclair/typebox'
import { musicEndpoint } from '../endpoints/music/endpoint'
import { runCall } from '../call/run'
import { MusicBody } from '../formats/music/schema'
import { chargedHeaders, meteredErrors, type RouteDoc } from './reference/doc'
import { DryRunReply, MusicReply } from './reference/generation-schemas'
import type { ApiRoute } from './route'

const doc: RouteDoc = {
  group: 'Generation',
  summary: 'A piece of music.',
  description: `One whole piece at once, which may take a minute; charged by the piece. For songs the words
that are sung go into the prompt.`,
  keyed: true,
  request: {
    schema: MusicBody,
    notes: {
      model: 'an `id` of `GET /v1/models?type=music`',
      prompt: 'what is to be heard, 4000 characters at most',
    },
    example: { model: 'sandbox/compose', prompt: 'آهنگی آرام با تار' },
  },
  answers: [
    {
      status: 200,
      description: 'The piece; with `X-Dry-Run`, the estimate.',
      headers: chargedHeaders,
      content: { 'application/json': { schema: Type.Union([MusicReply, DryRunReply]) } },
    },
  ],
  errors: [...meteredErrors, 'missing_prompt', 'prompt_too_long'],
}

/** Music of any vendor that composes. */
export const music: ApiRoute = {
  method: 'POST',
  path: '/v1/audio/music',
  doc,
  serve: (parts, inbound) => runCall(parts, musicEndpoint, inbound),
}
