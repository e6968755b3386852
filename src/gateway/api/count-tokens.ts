import { countPromptTokens } from '../endpoints/text/count-tokens'
import { answerAuthenticated } from '../call/authenticated'
import { checkOpen } from '../call/admit'
import { MessagesBody } from '../formats/messages/schema'
import { keyedErrors, keyedHeaders, type RouteDoc } from './reference/doc'
import { TokenCountReply } from './reference/generation-schemas'
import type { ApiRoute } from './route'

const doc: RouteDoc = {
  group: 'Generation',
  summary: 'How many tokens a prompt of the Messages format has.',
  description: 'Estimated by us unless the operator lets vendors count. Costs nothing.',
  keyed: true,
  request: {
    schema: MessagesBody,
    example: { model: 'sandbox/echo', messages: [{ role: 'user', content: 'سلام' }] },
  },
  answers: [
    {
      status: 200,
      description: 'The count.',
      headers: keyedHeaders,
      content: { 'application/json': { schema: TokenCountReply } },
    },
  ],
  errors: [
    ...keyedErrors,
    'invalid_json',
    'invalid_field',
    'missing_model',
    'invalid_model',
    'missing_messages',
    'invalid_message',
    'too_many_messages',
    'model_not_found',
    'model_discontinued',
    'model_endpoint_mismatch',
    'model_not_allowed',
    'request_timeout',
    'request_too_large',
    'unsupported_encoding',
    'gateway_disabled',
  ],
  errorFrame: 'messages',
}

/** Route that counts a prompt of the Messages format. It costs nothing, and has a bucket of its own. */
export const countTokens: ApiRoute = {
  method: 'POST',
  path: '/v1/messages/count_tokens',
  doc,
  serve: (parts, inbound) =>
    answerAuthenticated(
      parts,
      inbound,
      async (caller) => ({ input_tokens: await countPromptTokens(parts, inbound, caller) }),
      {
        async take(limits, caller) {
          checkOpen(parts.settings)
          await limits.takeCount(caller)
        },
      },
    ),
}
