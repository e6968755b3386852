import { dayOf, monthOf, type Ms } from '../domain/clock'

/** The UTC day and month that the charge of a call opened then is counted in. */
export interface Period {
  readonly day: string
  readonly month: string
}

const dayMs = 86_400_000

/** Dates are written once a day, not once a call. */
export function openPeriods(): (time: Ms) => Period {
  let from = Number.POSITIVE_INFINITY
  let until = Number.NEGATIVE_INFINITY
  let current: Period = { day: '', month: '' }
  return (time) => {
    if (time >= from && time < until) return current
    from = Math.floor(time / dayMs) * dayMs
    until = from + dayMs
    current = { day: dayOf(time), month: monthOf(time) }
    return current
  }
}
