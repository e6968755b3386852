import { countTokens as count } from '../call/count-tokens'
import { answerKeyed } from '../call/keyed'
import { checkOpen } from '../call/switches'
import type { Route } from './route'

/** How many tokens a prompt of the Messages format has. Costs nothing, and has a bucket of its own. */
export const countTokens: Route = {
  method: 'POST',
  path: '/v1/messages/count_tokens',
  serve: (parts, inbound) =>
    answerKeyed(
      parts,
      inbound,
      async (caller) => ({ input_tokens: await count(parts, inbound, caller) }),
      (limits, caller) => {
        checkOpen(parts.settings)
        limits.takeCount(caller)
      },
    ),
}
