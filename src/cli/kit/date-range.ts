import { InvalidArgumentError } from 'commander'
import { dayMs, systemClock, type Ms } from '../../domain/clock'

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
