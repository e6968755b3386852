import { dayMs, type Ms } from './clock'

/** Days of a time zone, counted from 1970-01-01 as those of UTC are. */
export type DayIn = (time: Ms) => number

/** Zones are a whole number of these away from UTC, so a day never changes within one. */
const quarterMs = 900_000

/**
 * Counts the days of a zone by the calendar that the runtime has of it.
 * @param zone as IANA names it: `Asia/Tehran`
 * @throws RangeError where there is no such zone
 */
export function openDayIn(zone: string): DayIn {
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  let quarter = Number.NaN
  let found = 0
  return (time) => {
    const asked = Math.floor(time / quarterMs)
    if (asked === quarter) return found
    const parts = new Map(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    )
    const { year = 1970, month = 1, day = 1 } = Object.fromEntries(parts)
    found = Date.UTC(year, month - 1, day) / dayMs
    quarter = asked
    return found
  }
}

/** Zone where nobody said otherwise, and in records of before anybody could. */
export const usualZone = 'Asia/Tehran'

/** Days that calls are counted in. */
interface CountedDays {
  /** The day of a call that began then, by the zone of that moment. */
  readonly dayOf: DayIn
  /**
   * The first zone is that of all calls, each later one that of calls that begin from then on.
   * @throws RangeError where there is no such zone
   */
  use(zone: string, from: Ms): void
}

export function openCountedDays(): CountedDays {
  let zone: string | null = null
  const first = { from: 0, dayIn: openDayIn(usualZone) }
  const later: (typeof first)[] = []
  return {
    dayOf: (time) => (later.findLast(({ from }) => from <= time) ?? first).dayIn(time),
    use(wanted, from) {
      if (wanted === zone) return
      later.push({ from: zone === null ? 0 : from, dayIn: openDayIn(wanted) })
      zone = wanted
    },
  }
}
