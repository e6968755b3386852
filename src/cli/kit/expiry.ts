import { InvalidArgumentError } from 'commander'
import { systemClock, type Ms } from '../../domain/clock'

const spanMs = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** A date, or a span from now; whether it may be one that has passed is no question of how it is typed. */
export function readMoment(text: string): Ms {
  const [, count, unit] = /^(\d+)([hdw])$/.exec(text) ?? []
  if (unit === 'h' || unit === 'd' || unit === 'w')
    return (systemClock.now() + Number(count) * spanMs[unit]) as Ms
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new InvalidArgumentError('A date such as 2027-01-31 or a span such as 30d is needed.')
  return at as Ms
}
