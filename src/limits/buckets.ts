import type { Ms } from '../domain/clock'
import { isFull, openBucket, type Bucket } from './token-bucket'

/** Buckets by name, in bounded memory: those that are full again are forgotten. */
interface Buckets<Name> {
  of(name: Name, limit: number, now: Ms): Bucket
}

const sweepAt = 50_000

export function openBuckets<Name>(): Buckets<Name> {
  const buckets = new Map<Name, Bucket>()
  let nextSweep = sweepAt
  const sweep = (now: Ms) => {
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
  }
}
