import { monthStart, nextMonthStart } from '../../domain/clock'

/** Days, both ends included. */
interface DayRange {
  readonly from: number
  readonly to: number
}

/** Named parameters of a range of days, as whole months and days that correct them. */
interface MonthCover extends Record<string, number> {
  /** Months from the one to the other, by their first days; none where they cross. */
  readonly firstMonth: number
  readonly lastMonth: number
  /** 1 counts the days along, -1 takes them out of their month. */
  readonly startSign: number
  readonly startFrom: number
  readonly startTo: number
  readonly endSign: number
  readonly endFrom: number
  readonly endTo: number
}

/**
 * Covers a range by months, with the fewest days to add or to take out again.
 * @param kept the days that have rows, null for none: they decide what is cheaper and never what the
 *   sum comes to, so a day that begins meanwhile is no harm
 */
export function monthCover({ from, to }: DayRange, kept: DayRange | null): MonthCover {
  const daysRead = (range: DayRange) =>
    kept === null
      ? 0
      : Math.max(0, Math.min(range.to, kept.to) - Math.max(range.from, kept.from) + 1)
  const first = monthStart(from)
  const last = monthStart(to)
  const before = { from: first, to: from - 1 }
  const after = { from: to + 1, to: nextMonthStart(to) - 1 }
  if (first === last) {
    const days = { from, to }
    return daysRead(days) < daysRead(before) + daysRead(after)
      ? coverOf(last + 1, last, [1, days], [1, noDays])
      : coverOf(first, last, [-1, before], [-1, after])
  }
  const head = { from, to: nextMonthStart(from) - 1 }
  const tail = { from: last, to }
  const addsHead = daysRead(head) < daysRead(before)
  const addsTail = daysRead(tail) < daysRead(after)
  return coverOf(
    addsHead ? head.to + 1 : first,
    addsTail ? last - 1 : last,
    addsHead ? [1, head] : [-1, before],
    addsTail ? [1, tail] : [-1, after],
  )
}

const noDays: DayRange = { from: 0, to: -1 }

const coverOf = (
  firstMonth: number,
  lastMonth: number,
  [startSign, start]: readonly [number, DayRange],
  [endSign, end]: readonly [number, DayRange],
): MonthCover => ({
  firstMonth,
  lastMonth,
  startSign,
  startFrom: start.from,
  startTo: start.to,
  endSign,
  endFrom: end.from,
  endTo: end.to,
})

/** SQL of the first day of the month of a day. */
export const monthSql = (day: string): string =>
  `unixepoch(${day} * 86400, 'unixepoch', 'start of month') / 86400`

/** SQL of the rows of a cover, with their sign. */
export const coveredRows = (columns: string, months: string, days: string, where = ''): string => `
  SELECT 1 AS sign, ${columns} FROM ${months}
  WHERE ${where} month BETWEEN $firstMonth AND $lastMonth
  UNION ALL SELECT $startSign, ${columns} FROM ${days}
  WHERE ${where} day BETWEEN $startFrom AND $startTo
  UNION ALL SELECT $endSign, ${columns} FROM ${days}
  WHERE ${where} day BETWEEN $endFrom AND $endTo`

/** SQL of the first and last day of any profit: those of all calls. */
export const keptProfitDays = `
  SELECT (SELECT min(day) FROM profit_days) AS "from", (SELECT max(day) FROM profit_days) AS "to"`
