import type { Brand } from './brand'

/** Milliseconds since 1970. */
export type Ms = Brand<number, 'Ms'>

/** The time, handed in so that tests own it. */
export interface Clock {
  now(): Ms
}

/** Clock of the system. */
export const systemClock: Clock = { now: () => Date.now() as Ms }

/**
 * Instant of a clock that never jumps, in milliseconds: only the difference of two means anything. Durations are
 * measured by it alone, for a wall clock is set forward and back while calls run.
 */
export type Ticks = Brand<number, 'Ticks'>

/** A clock that never jumps, handed in so that tests own it. */
export interface Monotonic {
  ticks(): Ticks
}

/** Monotonic clock of the system. */
export const systemMonotonic: Monotonic = { ticks: () => performance.now() as Ticks }

/** The instant some milliseconds after another. */
export const ticksAfter = (from: Ticks, ms: number): Ticks => (from + ms) as Ticks

/** Wall clock and monotonic clock, read together. */
export interface Moment {
  /** To show and to keep. */
  readonly at: Ms
  /** To measure by. */
  readonly ticks: Ticks
}

/** Seconds since 1970, as the wire writes times. */
export const unixSeconds = (time: Ms): number => Math.floor(time / 1000)

/** Milliseconds of Unix seconds. */
export const unixMs = (seconds: number): Ms => (Math.floor(seconds) * 1000) as Ms

export const hourMs = 3_600_000

/** Length of a UTC day. */
export const dayMs = 86_400_000

/** Number of a UTC day, counted from 1970-01-01. */
export const dayNumber = (time: number): number => Math.floor(time / dayMs)

/** The UTC day a time falls in, `YYYY-MM-DD`. */
export const dayOf = (time: Ms): string => new Date(time).toISOString().slice(0, 10)

/** The UTC calendar month a time falls in, `YYYY-MM`. */
export const monthOf = (time: Ms): string => new Date(time).toISOString().slice(0, 7)

/** Chance, handed in so that tests own it: a number from 0 (included) to 1 (excluded). */
export type Random = () => number

/** Random numbers of the system. */
export const systemRandom: Random = () => Math.random()

/** First day of the UTC month of a day, both in days since 1970. */
export function monthStart(day: number): number {
  const date = new Date(day * dayMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / dayMs
}

/** First day of the UTC month after the one of a day, both in days since 1970. */
export function nextMonthStart(day: number): number {
  const date = new Date(day * dayMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / dayMs
}

/** A row may be a little newer than now: clocks are slewed. */
export const newestSlackMs = 60_000

/** A moment in ISO 8601, UTC; null stays null. */
export const isoOf = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString()
