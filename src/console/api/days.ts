import { t } from 'elysia'
import { AdminError } from '../../business/operations/admin-error'
import { textForms } from '../../business/operations/refusals/text-forms'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import { Refusal } from '../refusal'

const maxDays = 366

export const DayText = t.String({ pattern: textForms.day })

/** UTC days since 1970, both included. */
interface DayRange {
  readonly fromDay: number
  readonly toDay: number
}

/**
 * Range of days of a query.
 * @throws AdminError input_invalid for days that are none
 * @throws Refusal for too many of them
 */
export function dayRange({ from, to }: { readonly from: string; readonly to: string }): DayRange {
  const [fromDay, toDay] = [readDay(from, 'from'), readDay(to, 'to')]
  if (fromDay > toDay) throw new Refusal(400, 'range_turned')
  if (toDay - fromDay >= maxDays) throw new Refusal(400, 'range_too_long', { max: maxDays })
  return { fromDay, toDay }
}

/** `YYYY-MM-DD` of a day. @param day since 1970 */
export const showDay = (day: number): string => dayOf((day * dayMs) as Ms)

function readDay(text: string, field: string): number {
  const day = Date.parse(text) / dayMs
  // Some engines take a 31st of any month.
  if (Number.isNaN(day) || showDay(day) !== text)
    throw new AdminError('input_invalid', { field, rule: 'bad_form', form: 'day' })
  return day
}
