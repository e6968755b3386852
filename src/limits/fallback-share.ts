import type { Ticks } from '../domain/clock'
import { openBuckets, take } from './token-bucket'

/** What one of several processes may go on with while nobody can say what all of them use. */
export interface FallbackShare {
  /** This process's part of a limit; at least one. */
  of(limit: number): number
  /** Takes one of its part of a limit a minute. @returns false where none is left */
  take(name: string, limit: number, now: Ticks): boolean
}

/** @param nodes processes that share the limits, as they were counted last */
export function openFallbackShare(nodes: () => number): FallbackShare {
  const buckets = openBuckets<string>()
  const of = (limit: number): number => Math.max(1, Math.floor(limit / nodes()))
  return {
    of,
    take(name, limit, now) {
      const part = of(limit)
      return take(buckets.of(name, part, now), part, now) === 0
    },
  }
}
