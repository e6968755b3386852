const dayMs = 86_400_000

/** Days that the server takes at once. */
export const maxDays = 366

/** Names of the usual ranges. */
export const rangeNames = ['today', 'week', 'month', 'quarter', 'this', 'last'] as const
/** 1, 7, 30 or 90 days; the month that runs by the reader's calendar, or the one before. */
export type RangeName = (typeof rangeNames)[number]

/** Range of days, both included. */
export interface DayRange {
  /** `YYYY-MM-DD`, both included. */
  readonly from: string
  readonly to: string
}

const lengths = { today: 1, week: 7, month: 30, quarter: 90 } as const

/** `YYYY-MM-DD` of a moment, in UTC. @param ms milliseconds since 1970 */
export const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/**
 * Today in a zone, as the beginning of that day in UTC (milliseconds): days are counted by names.
 * @param zone that of the service, not of the browser
 * @param now in milliseconds since 1970
 */
export const todayIn = (zone: string, now: number): number =>
  Date.parse(
    // The way of Sweden is ISO's.
    new Intl.DateTimeFormat('sv-SE-u-ca-gregory-nu-latn', { timeZone: zone }).format(now),
  )

/** Beginning of a day in a zone, in milliseconds since 1970. @param day `YYYY-MM-DD` */
export function startIn(zone: string, day: string): number {
  const clock = new Intl.DateTimeFormat('sv-SE-u-ca-gregory-nu-latn', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const aheadAt = (ms: number) => Date.parse(`${clock.format(ms).replace(' ', 'T')}Z`) - ms
  const guess = Date.parse(day)
  // A day that clocks are changed in begins by those of its beginning.
  return guess - aheadAt(guess - aheadAt(guess))
}

/** Day of the month by the calendar of a language. */
function dayOfMonth(ms: number, locale: string): number {
  const calendar = locale === 'fa' ? 'persian' : 'gregory'
  const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}-nu-latn`, {
    day: 'numeric',
    timeZone: 'UTC',
  })
  return Number(format.formatToParts(ms).find(({ type }) => type === 'day')?.value ?? 1)
}

/** Days of a named range. @param now beginning of the day that it is, as `todayIn` tells it */
export function rangeOf(name: RangeName, locale: string, now: number): DayRange {
  const firstOf = (ms: number) => ms - (dayOfMonth(ms, locale) - 1) * dayMs
  if (name === 'this') return { from: isoDay(firstOf(now)), to: isoDay(now) }
  if (name === 'last') {
    const to = firstOf(now) - dayMs
    return { from: isoDay(firstOf(to)), to: isoDay(to) }
  }
  return { from: isoDay(now - (lengths[name] - 1) * dayMs), to: isoDay(now) }
}

const isDay = (text: string): boolean => {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(ms) && isoDay(ms) === text
}

/** A range as an address has it: its name, or its days; null for neither. */
export type ChosenRange = RangeName | DayRange | null

/** A range from an address. @param text such as `month` or `2026-11-01..2026-11-20` */
export function readRange(text: string | null): ChosenRange {
  const named = rangeNames.find((name) => name === text)
  if (named !== undefined) return named
  const [from = '', to = '', ...rest] = (text ?? '').split('..')
  return rest.length === 0 && isDay(from) && isDay(to) && from <= to ? { from, to } : null
}

/** A chosen range as `readRange` reads it. */
export const rangeText = (chosen: ChosenRange): string | null =>
  chosen === null || typeof chosen === 'string' ? chosen : `${chosen.from}..${chosen.to}`

/** The days of a chosen range. @param now beginning of the day that it is, as `todayIn` tells it */
export const daysIn = (chosen: RangeName | DayRange, locale: string, now: number): DayRange =>
  typeof chosen === 'string' ? rangeOf(chosen, locale, now) : chosen

/** Every day of a range, also those without a call. */
export function daysOf({ from, to }: DayRange): readonly string[] {
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  return Array.from({ length: count }, (_, at) => isoDay(Date.parse(from) + at * dayMs))
}
