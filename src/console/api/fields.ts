import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { parseUsd, showUsd, type NanoUsd } from '../../domain/money'
import { namePattern } from '../../domain/name-pattern'

/*
 * Fields that several routes have. Elysia reads numbers of query parameters by its own `t` only, and
 * takes them for texts by TypeBox's; in bodies it is the other way round.
 */

const maxListed = 100

export const Name = Type.String({ minLength: 1, maxLength: 60, pattern: namePattern })
/** Dollars as a decimal string; null for none. */
export const Usd = Type.Union([Type.String({ pattern: '^\\d{1,6}(\\.\\d{1,9})?$' }), Type.Null()])
/** Null for all. */
export const Listed = Type.Union([
  Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: maxListed }),
  Type.Null(),
])

export const IdParams = t.Object({ id: t.Integer({ minimum: 1 }) })
export const max = t.Integer({ minimum: 1, maximum: 100, default: 25 })
export const OptionalId = t.Optional(t.Integer({ minimum: 1 }))
export const ModelName = t.Optional(t.String({ maxLength: 256 }))

export const usdOf = (text: string | null): NanoUsd | null =>
  text === null ? null : parseUsd(text)
export const usdText = (amount: NanoUsd | null): string | null =>
  amount === null ? null : showUsd(amount)

/** Fields under other names, without those that nobody sent: they stay as they are. */
export const sent = <T extends object>(fields: T): Sent<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Sent<T>

type Sent<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }
