import { t } from 'elysia'
import { showUsd, type NanoUsd } from '../../domain/money'

/*
 * Fields that several routes have, beside those of operations. Elysia reads numbers of query parameters by its own `t` only, and
 * takes them for texts by TypeBox's; in bodies it is the other way round.
 */

export const IdParams = t.Object({ id: t.Integer({ minimum: 1 }) })
export const max = t.Integer({ minimum: 1, maximum: 100, default: 25 })
export const OptionalId = t.Optional(t.Integer({ minimum: 1 }))
export const ModelName = t.Optional(t.String({ maxLength: 256 }))

export const usdText = (amount: NanoUsd | null): string | null =>
  amount === null ? null : showUsd(amount)
