import type { Caller } from '../domain/caller'
import { GatewayError } from '../errors/gateway-error'

/** A key's own limit, never above its account's ceiling. */
export const requestsPerMinute = ({ key, account }: Caller): number =>
  key.requestsPerMinute === null
    ? account.requestsPerMinute
    : Math.min(key.requestsPerMinute, account.requestsPerMinute)

/** Refusal of a request above a rate limit. */
export const tooManyRequests = (limit: number, by: 'key' | 'address', seconds: number) =>
  new GatewayError('rate_limit_exceeded', { limit, by, seconds }, { retryAfterSeconds: seconds })
