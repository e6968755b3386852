import type { Offer } from '../catalogue/catalogue'
import { endpoints } from '../catalogue/endpoints'
import type { Caller } from '../../domain/caller'
import { dayMs, type Clock } from '../../domain/clock'
import type { EndpointName } from '../../domain/model'
import type { ErrorCode } from '../../errors/codes'
import { exampleFacts } from '../../errors/example-facts'
import { GatewayError, type ErrorOptions } from '../../errors/gateway-error'
import type { Inbound } from '../http/inbound'
import type { Limits } from '../limits/limits'
import { ceilingFact } from './output-ceiling'

/** A call that asks for a refusal, by its model. */
interface StagedCall {
  readonly caller: Caller
  readonly inbound: Inbound
  readonly offer: Offer
  readonly endpoint: EndpointName
}

/** Fields that refusals name, where it is always the same one. */
const params: Readonly<Partial<Record<ErrorCode, string>>> = {
  invalid_field: 'temperature',
  missing_model: 'model',
  invalid_model: 'model',
  model_endpoint_mismatch: 'model',
  model_not_allowed: 'model',
  model_not_found: 'model',
  model_discontinued: 'model',
  missing_prompt: 'prompt',
  prompt_too_long: 'prompt',
  missing_input: 'input',
  input_too_long: 'input',
  missing_file: 'file',
  invalid_seconds: 'seconds',
  invalid_size: 'size',
  streaming_disabled: 'stream',
  request_not_found: 'id',
  video_not_found: 'id',
}

/**
 * A refusal as its client would get it, though nothing is wrong: with the caller's own limits in it
 * and the headers that belong to it. For tests of clients.
 */
export function stagedRefusal(
  code: ErrorCode,
  { limits, clock }: { readonly limits: Limits; readonly clock: Clock },
  call: StagedCall,
): GatewayError {
  const { caller, inbound, offer, endpoint } = call
  const rpm = limits.allowance(caller, inbound.address).limit
  const seconds = Math.max(1, Math.ceil(60 / rpm))
  const now = clock.now()
  const midnight = (Math.floor(now / dayMs) + 1) * dayMs
  const { path } = endpoints[endpoint]
  const own = {
    model: offer.model.id,
    endpoint: path,
    path: code === 'unknown_url' ? `${inbound.path}/nothing` : inbound.path,
    address: inbound.address,
    ceiling: undefined,
    ...ceilingFact(endpoint),
    project: caller.project.name,
    limitKb: caller.account.maxRequestKb,
    opens: `${new Date(midnight).toISOString().slice(0, 10)} 00:00 UTC`,
  }
  const staged = (facts: object, options: ErrorOptions = {}) =>
    new GatewayError(code, { ...exampleFacts(code), ...own, ...facts }, options)

  switch (code) {
    case 'rate_limit_exceeded':
      return staged(
        { limit: rpm, by: 'key', seconds },
        { retryAfterSeconds: seconds, headers: { 'x-ratelimit-remaining': '0' } },
      )
    case 'concurrency_limit':
      return staged({ limit: caller.account.concurrency })
    case 'too_many_failed_attempts':
      return staged({}, { retryAfterSeconds: exampleFacts('too_many_failed_attempts').seconds })
    case 'daily_capacity_reached':
      return staged({}, { retryAfterSeconds: Math.ceil((midnight - now) / 1000) })
    case 'method_not_allowed':
      return staged({}, { headers: { allow: 'POST' } })
    case 'upgrade_not_offered':
      return staged({}, { headers: { upgrade: 'HTTP/1.1' } })
    default:
      return staged({}, paramOf(code, endpoint))
  }
}

/** The list of messages has another name in the Responses format. */
function paramOf(code: ErrorCode, endpoint: EndpointName): ErrorOptions {
  const list = endpoint === 'responses' ? 'input' : 'messages'
  if (code === 'missing_messages' || code === 'too_many_messages') return { param: list }
  if (code === 'invalid_message') return { param: `${list}[0].role` }
  const param = params[code]
  return param === undefined ? {} : { param }
}
