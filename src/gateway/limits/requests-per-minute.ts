import type { Caller } from '../../domain/caller'
import { GatewayError } from '../../errors/gateway-error'

/** A key's own limit, never above its account's ceiling. */
export const requestsPerMinute = ({ key, account }: Caller): number =>
  key.requestsPerMinute === null
    ? account.requestsPerMinute
    : Math.min(key.requestsPerMinute, account.requestsPerMinute)

/** A coding client counts its prompt a few times for each call that it makes. */
export const countsPerRequest = 10
/** Rate limit of each operator's key. */
export const operatorRequestsPerMinute = 600

/** Refusal of a request above a rate limit. */
export const tooManyRequests = (limit: number, by: 'key' | 'address', seconds: number) =>
  new GatewayError('rate_limit_exceeded', { limit, by, seconds }, { retryAfterSeconds: seconds })
