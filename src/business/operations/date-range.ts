import { Type } from '@sinclair/typebox'
import { dayMs, type Ms } from '../../domain/clock'
import type { Span } from '../../domain/reports/report'
import { AdminError } from './admin-error'
import { Instant, instantOf } from './fields'
import { asOption } from './from-fields'

const moment = (description: string) => Type.Optional({ ...Instant, description })

/** Query fields of a span of time. */
export const spanFields = {
  from: asOption(
    moment('beginning, included'),
    'a day or time, or a span such as 7d or 2h (default: 30d ago)',
    { option: 'since <when>', isPast: true },
  ),
  to: asOption(
    moment('end, not included; now unless told'),
    'same forms; until then (default: now)',
    {
      option: 'until <when>',
      isPast: true,
    },
  ),
}

const daysUnlessReported = 30

/**
 * The span that a query asks for; until now, and so many days unless told.
 * @throws AdminError input_invalid where it ends before it begins, or a moment is in no calendar
 */
export function requestedSpan(
  {
    from: first,
    to: last,
  }: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Ms,
  days = daysUnlessReported,
): Span {
  // What came this very moment is in it.
  const to = last === undefined ? ((now + 1) as Ms) : instantOf(last, 'to')
  const from = first === undefined ? ((to - days * dayMs) as Ms) : instantOf(first, 'from')
  if (from > to)
    throw new AdminError('input_invalid', {
      field: 'from',
      rule: 'later_than',
      fields: ['to'],
    })
  return { from, to }
}
