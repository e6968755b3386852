import { InvalidArgumentError, type Command } from 'commander'
import { dayMs, systemClock, type Ms } from '../../domain/clock'
import type { Span } from '../../domain/report'

export interface SpanOptions {
  readonly since?: Ms
  readonly until?: Ms
}

const daysUnlessTold = 30

/** Options for a span of time. */
export const withSpan = (command: Command): Command =>
  command
    .option(
      '--since <when>',
      `a day or time, or a span such as 7d or 2h (default: 30d ago)`,
      readPast,
    )
    .option('--until <when>', 'same forms; until then (default: now)', readPast)

/** Range of time by `--from` and `--to`. @throws RangeError when it ends before it begins */
export function spanOf({ since, until }: SpanOptions): Span {
  // What came this very moment is in it.
  const to = until ?? ((systemClock.now() + 1) as Ms)
  const from = since ?? ((to - daysUnlessTold * dayMs) as Ms)
  if (from > to) throw new RangeError('--since is after --until')
  return { from, to }
}

const spans: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: dayMs }

/** `2026-01-31` (UTC), `2026-01-31T12:00:00Z`, or `7d` for a week ago. */
export function readPast(text: string): Ms {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(text) ?? []
  if (count !== undefined)
    return Math.max(0, systemClock.now() - Number(count) * (spans[unit ?? ''] ?? 0)) as Ms
  const time = /^\d{4}-\d{2}-\d{2}(T|$)/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time) || time < 0)
    throw new InvalidArgumentError('A day (2026-01-31), a time, or a span (7d, 2h, 30m) is needed.')
  return time as Ms
}
