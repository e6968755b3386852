import { Type } from '@sinclair/typebox'
import { textEndpoint } from '../endpoints/text/endpoint'
import { completionsFormat } from '../endpoints/text/completions-format'
import { runCall } from '../call/run'
import { CompletionsBody } from '../formats/completions/schema'
import { textHeaders, streamedErrors, type RouteDoc } from './reference/doc'
import { CompletionReply, DryRunReply } from './reference/generation-schemas'
import type { ApiRoute } from './route'

const endpoint = textEndpoint(completionsFormat)

const doc: RouteDoc = {
  group: 'Generation',
  summary: 'The old format that completes a text.',
  description:
    'Any chat model of any vendor: the prompt is what a user says. One text; `suffix`, `best_of` and `logprobs` cannot be had.',
  keyed: true,
  request: {
    schema: CompletionsBody,
    notes: {
      model: 'what answers: an `id` of `GET /v1/models`',
      max_tokens: 'the most the answer may have; no default of 16',
      echo: 'whether the prompt stands before the answer',
    },
    example: { model: 'sandbox/echo', prompt: 'سلام', max_tokens: 100 },
  },
  answers: [
    {
      status: 200,
      description: 'The text; with `X-Dry-Run`, the estimate.',
      headers: textHeaders,
      content: {
        'application/json': { schema: Type.Union([CompletionReply, DryRunReply]) },
        'text/event-stream': {
          schema: Type.String({
            contentMediaType: 'application/json',
            contentSchema: CompletionReply,
            description: 'each `data:` line is a piece',
          }),
        },
      },
    },
  ],
  errors: [...streamedErrors, 'missing_prompt'],
}

/** Route of the legacy completions format, for clients of before chat. */
export const completions: ApiRoute = {
  method: 'POST',
  path: '/v1/completions',
  doc,
  serve: (parts, inbound) => runCall(parts, endpoint, inbound),
}
