import {
  endOfMonth,
  getDayOfWeek,
  GregorianCalendar,
  parseDate,
  PersianCalendar,
  startOfMonth,
  toCalendar,
  type CalendarDate,
} from '@internationalized/date'

const gregorian = new GregorianCalendar()
const persian = new PersianCalendar()

const read = (day: string, locale: string): CalendarDate =>
  toCalendar(parseDate(day), locale === 'fa' ? persian : gregorian)

const show = (date: CalendarDate): string => toCalendar(date, gregorian).toString()

/** 0 for the day that a week of this language begins with. */
const placeInWeek = (date: CalendarDate, locale: string): number =>
  getDayOfWeek(date, locale === 'fa' ? 'fa-IR' : 'en-GB')

/**
 * The month of a day by the calendar of a language, as weeks; null where another month's days are.
 * @param day `YYYY-MM-DD`, as all of them
 */
export function weeksOf(day: string, locale: string): readonly (readonly (string | null)[])[] {
  const first = startOfMonth(read(day, locale))
  const { day: length } = endOfMonth(first)
  const before = placeInWeek(first, locale)
  const cells = Array.from({ length: Math.ceil((before + length) / 7) * 7 }, (_, at) =>
    at < before || at >= before + length ? null : show(first.add({ days: at - before })),
  )
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

/** A day that many days, months or years later. */
export const movedDay = (
  day: string,
  by: { readonly days?: number; readonly months?: number; readonly years?: number },
  locale: string,
): string => show(read(day, locale).add(by))

/** First or last day of the week of a day. */
export function weekEnd(day: string, end: 'first' | 'last', locale: string): string {
  const date = read(day, locale)
  const place = placeInWeek(date, locale)
  return show(date.add({ days: end === 'first' ? -place : 6 - place }))
}
