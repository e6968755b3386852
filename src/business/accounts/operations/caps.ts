import { Type, type Static } from '@sinclair/typebox'
import { showUsd } from '../../../domain/money'
import type { CapUse } from '../caps'
import { orNull } from '../../operations/fields'

/** One cap, and what is spent of it. */
export const CapView = Type.Object({
  name: Type.String(),
  /** The UTC day or month, or `lifetime`. */
  period: Type.String(),
  spent_usd: Type.String(),
  limit_usd: orNull(Type.String()),
  left_usd: orNull(Type.String()),
})

export const capView = ({ name, period, limit, spent, left }: CapUse): Static<typeof CapView> => ({
  name,
  period: period === '' ? 'lifetime' : period,
  spent_usd: showUsd(spent),
  limit_usd: limit === null ? null : showUsd(limit),
  left_usd: left === null ? null : showUsd(left),
})
