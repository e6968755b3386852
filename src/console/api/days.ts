import { t } from 'elysia'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import { Refusal } from '../refusal'

const maxDays = 366

export const DayText = t.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

/** UTC days since 1970, both included. */
interface DayRange {
  readonly fromDay: number
  readonly toDay: number
}

/** Range of days of a query. @throws Refusal for days that are none, and for too many of them */
export function dayRange({ from, to }: { readonly from: string; readonly to: string }): DayRange {
  const [fromDay, toDay] = [readDay(from), readDay(to)]
  if (fromDay > toDay) throw new Refusal(400, 'range_turned')
  if (toDay - fromDay >= maxDays) throw new Refusal(400, 'range_too_long', { max: maxDays })
  return { fromDay, toDay }
}

/** `YYYY-MM-DD` of a day. @param day since 1970 */
export const showDay = (day: number): string => dayOf((day * dayMs) as Ms)

function readDay(text: string): number {
  const day = Date.parse(text) / dayMs
  // Some engines take a 31st of any month.
  if (Number.isNaN(day) || showDay(day) !== text) throw new Refusal(400, 'invalid')
  return day
}
