import { dayMs, dayOf, type Ms } from '../../domain/clock'

/** A day of a bill, and the time that it spans. */
export interface BillDay {
  /** `YYYY-MM-DD` in the zone of the bill. */
  readonly day: string
  readonly from: Ms
  readonly to: Ms
}

/** Whether this runtime knows a time zone of that name. */
export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== ''
  } catch {
    return false
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone)
  if (clock === undefined) {
    const [date, time] = ['2-digit', '2-digit'] as const
    clock = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: date,
      day: date,
      hour: time,
      minute: time,
      second: time,
    })
    clocks.set(zone, clock)
  }
  return clock
}

/** Wall clock time of a zone at a moment, as if it were UTC. */
function shownAt(time: number, zone: string): number {
  const part = Object.fromEntries(
    clockOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
  return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second)
}

/** The day of a moment in a zone. */
export const dayIn = (time: Ms, zone: string): string =>
  dayOf(zone === 'UTC' ? time : (shownAt(time, zone) as Ms))

/** The moment at which a day begins in a zone, whatever its clocks do in that month. */
function beginningOf(day: string, zone: string): Ms {
  const midnight = Date.parse(day)
  if (zone === 'UTC') return midnight as Ms
  const guess = midnight - (shownAt(midnight, zone) - midnight)
  return (midnight - (shownAt(guess, zone) - guess)) as Ms
}

/** Days of a month (`YYYY-MM`) in their order that are over by a moment. */
export function daysOfMonth(month: string, zone: string, now: Ms): readonly BillDay[] {
  const days: BillDay[] = []
  const first = Date.parse(`${month}-01`)
  for (let at = first; dayOf(at as Ms).startsWith(month); at += dayMs) {
    const day = dayOf(at as Ms)
    const to = beginningOf(dayOf((at + dayMs) as Ms), zone)
    if (to > now) break
    days.push({ day, from: beginningOf(day, zone), to })
  }
  return days
}
