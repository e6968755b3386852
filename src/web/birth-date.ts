import {
  CalendarDate,
  GregorianCalendar,
  PersianCalendar,
  toCalendar,
  today,
} from '@internationalized/date'

const persian = new PersianCalendar()
const gregorian = new GregorianCalendar()
const oldestYears = 110
const monthsInYear = 12

/** Years of the Solar Hijri calendar that somebody may be born in, the last one first. */
export function birthYears(): readonly number[] {
  const { year } = toCalendar(today('UTC'), persian)
  return Array.from({ length: oldestYears }, (_, at) => year - at)
}

/** Names of its months, as the language writes them. */
export const monthNames = (locale: string): readonly string[] => {
  const format = new Intl.DateTimeFormat(
    locale === 'fa' ? 'fa-IR-u-ca-persian' : 'en-u-ca-persian',
    { month: 'long', timeZone: 'UTC' },
  )
  return Array.from({ length: monthsInYear }, (_, at) =>
    format.format(new CalendarDate(persian, 1400, at + 1, 1).toDate('UTC')),
  )
}

/** Days of a month; the most that it can have where the year is not known yet. */
export const daysIn = (year: number | null, month: number | null): number =>
  month === null ? 31 : persian.getDaysInMonth(new CalendarDate(persian, year ?? 1399, month, 1))

/** `YYYY-MM-DD` of the Gregorian calendar. */
export const isoBirthDate = (year: number, month: number, day: number): string =>
  toCalendar(new CalendarDate(persian, year, month, day), gregorian).toString()
