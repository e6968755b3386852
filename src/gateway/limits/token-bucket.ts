import type { Ticks } from '../../domain/clock'

/** Token bucket of a rate limit, refilled continuously. Plain data: there is one for each key and address. */
export interface Bucket {
  tokens: number
  limit: number
  at: Ticks
}

const minuteMs = 60_000

/** A full bucket. @param limit requests per minute, and how many may come at once */
export const openBucket = (limit: number, now: Ticks): Bucket => ({ tokens: limit, limit, at: now })

/** Takes in the time that passed, and a limit that changed. */
export function refill(bucket: Bucket, limit: number, now: Ticks): void {
  if (limit !== bucket.limit) {
    bucket.tokens = Math.min(limit, bucket.tokens + Math.max(0, limit - bucket.limit))
    bucket.limit = limit
  }
  const passedMs = now - bucket.at
  bucket.at = now
  if (passedMs > 0) bucket.tokens = Math.min(limit, bucket.tokens + (passedMs / minuteMs) * limit)
}

/** Takes a token. @returns whole seconds until there is a token; 0 when one was taken */
export function take(bucket: Bucket, limit: number, now: Ticks): number {
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
export const isFull = (bucket: Bucket, now: Ticks): boolean =>
  bucket.tokens + ((now - bucket.at) / minuteMs) * bucket.limit >= bucket.limit

/** Buckets by name, in bounded memory: those that are full again are forgotten. */
export interface Buckets<Name> {
  of(name: Name, limit: number, now: Ticks): Bucket
  /** Buckets that are not full, refilled up to now. */
  state(now: Ticks): BucketsState<Name>
  /** Takes over the buckets of another process. */
  adopt(state: BucketsState<Name>, now: Ticks): void
}

/** Buckets as plain data, which another process goes on with. */
export type BucketsState<Name> = readonly (readonly [name: Name, tokens: number, limit: number])[]

const sweepAt = 50_000

export function openBuckets<Name>(): Buckets<Name> {
  const buckets = new Map<Name, Bucket>()
  let nextSweep = sweepAt
  const sweep = (now: Ticks) => {
    for (const [name, bucket] of buckets) if (isFull(bucket, now)) buckets.delete(name)
    // Sweeping again only when it has doubled keeps the work per call constant.
    nextSweep = Math.max(sweepAt, buckets.size * 2)
  }
  return {
    of(name, limit, now) {
      let bucket = buckets.get(name)
      if (bucket === undefined) {
        if (buckets.size >= nextSweep) sweep(now)
        bucket = openBucket(limit, now)
        buckets.set(name, bucket)
      }
      return bucket
    },
    state(now) {
      sweep(now)
      return Array.from(buckets, ([name, bucket]) => {
        refill(bucket, bucket.limit, now)
        return [name, bucket.tokens, bucket.limit] as const
      })
    },
    adopt(state, at) {
      for (const [name, tokens, limit] of state) buckets.set(name, { tokens, limit, at })
    },
  }
}
