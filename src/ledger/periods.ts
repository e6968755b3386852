import { dayMs, dayOf, monthOf, type Ms } from '../domain/clock'

/** The UTC day and month that the charge of a call opened then is counted in. */
export interface Period {
  readonly day: string
  readonly month: string
}

/** First instant after a UTC day. */
export const endOfDay = (day: string): Ms => (Date.parse(day) + dayMs) as Ms

/** First instant after a UTC month. */
export function endOfMonth(month: string): Ms {
  const first = new Date(`${month}-01`)
  return first.setUTCMonth(first.getUTCMonth() + 1) as Ms
}

export const periodOf = (time: Ms): Period => ({ day: dayOf(time), month: monthOf(time) })

/**
 * Dates are written once a day, not once a call: every time of the newest day has the same object.
 * A call that was opened before midnight and comes after it gets an object of its own.
 */
export function openPeriods(): (time: Ms) => Period {
  let from = Number.NEGATIVE_INFINITY
  let until = Number.NEGATIVE_INFINITY
  let newest: Period = { day: '', month: '' }
  return (time) => {
    if (time >= from && time < until) return newest
    const period = periodOf(time)
    if (time < from) return period
    from = Math.floor(time / dayMs) * dayMs
    until = from + dayMs
    newest = period
    return period
  }
}
