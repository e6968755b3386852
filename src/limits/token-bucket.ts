import type { Ms } from '../domain/clock'

/** Token bucket of a rate limit, refilled continuously. Plain data: there is one for each key and address. */
export interface Bucket {
  tokens: number
  limit: number
  at: Ms
}

const minuteMs = 60_000

/** A full bucket. @param limit requests per minute, and how many may come at once */
export const openBucket = (limit: number, now: Ms): Bucket => ({ tokens: limit, limit, at: now })

/** Takes in the time that passed, and a limit that changed. A clock that goes back refills nothing. */
export function refill(bucket: Bucket, limit: number, now: Ms): void {
  if (limit !== bucket.limit) {
    bucket.tokens = Math.min(limit, bucket.tokens + Math.max(0, limit - bucket.limit))
    bucket.limit = limit
  }
  const passedMs = now - bucket.at
  bucket.at = now
  if (passedMs > 0) bucket.tokens = Math.min(limit, bucket.tokens + (passedMs / minuteMs) * limit)
}

/** Takes a token. @returns whole seconds until there is a token; 0 when one was taken */
export function take(bucket: Bucket, limit: number, now: Ms): number {
  refill(bucket, limit, now)
  if (bucket.tokens >= 1) {
    bucket.tokens -= 1
    return 0
  }
  const missingMs = ((1 - bucket.tokens) / Math.max(limit, 1e-9)) * minuteMs
  return Math.max(1, Math.min(3600, Math.ceil(missingMs / 1000)))
}

/** Subtracts what other processes took of the same limit; may go below zero. */
export function takeAway(bucket: Bucket, count: number): void {
  bucket.tokens = Math.max(-bucket.limit, bucket.tokens - count)
}

/** Whether it would be full by now: nothing is lost when it is forgotten. */
export const isFull = (bucket: Bucket, now: Ms): boolean =>
  bucket.tokens + ((now - bucket.at) / minuteMs) * bucket.limit >= bucket.limit
