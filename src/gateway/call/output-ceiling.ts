import type { EndpointName } from '../../domain/model'
import { GatewayError } from '../../errors/gateway-error'

/** The member by which a request has less output, which makes it cheaper. */
const members: Partial<Record<EndpointName, string>> = {
  chat: 'max_tokens',
  completions: 'max_tokens',
  messages: 'max_tokens',
  responses: 'max_output_tokens',
}

/** The member as a fact of refusals; none where output has no ceiling. */
export const ceilingFact = (endpoint: EndpointName): { readonly ceiling?: string } => {
  const ceiling = members[endpoint]
  return ceiling === undefined ? {} : { ceiling }
}

/** A refusal by money with advice that fits its endpoint. */
export const withCeiling = (thrown: unknown, endpoint: EndpointName): unknown =>
  isOfMoney(thrown)
    ? new GatewayError(thrown.code, { ...thrown.facts, ...ceilingFact(endpoint) })
    : thrown

const isOfMoney = (
  thrown: unknown,
): thrown is GatewayError<'insufficient_credit' | 'key_spend_limit_reached'> =>
  thrown instanceof GatewayError &&
  (thrown.code === 'insufficient_credit' || thrown.code === 'key_spend_limit_reached')
