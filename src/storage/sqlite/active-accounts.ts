import { and, gte, lte, sum } from 'drizzle-orm'
import type { UtcDayRange } from '../../domain/operator-reader'
import { profitDays } from '../schema'
import type { ReadConnection } from './database'

/** Accounts of a day, a bit for each number. */
interface ActiveDay {
  /** Calls of the day when its accounts were read. */
  readonly calls: number
  readonly bits: Uint8Array
}

/** More than any report asks for at once. */
const maxDays = 128

/**
 * Counts the accounts with calls in ranges of days. Each day's are read once and kept as long as the
 * day has as many calls, since a month of a large service has a million pairs of them.
 */
export function openActiveAccounts({ orm, raw }: ReadConnection): (range: UtcDayRange) => number {
  const accountsOf = raw.prepare<unknown, [number]>(
    'SELECT account FROM profit_accounts WHERE day = ? ORDER BY account',
  )
  const kept = new Map<number, ActiveDay>()
  const bitsOf = (day: number, calls: number): Uint8Array => {
    const known = kept.get(day)
    if (known?.calls === calls) return known.bits
    const accounts = accountsOf.values(day) as [number][]
    const bits = new Uint8Array(((accounts.at(-1)?.[0] ?? 0) >> 3) + 1)
    for (const [account] of accounts)
      bits[account >> 3] = (bits[account >> 3] ?? 0) | (1 << (account & 7))
    if (kept.size >= maxDays) kept.clear()
    kept.set(day, { calls, bits })
    return bits
  }
  return ({ fromDay, toDay }) => {
    const days = orm
      .select({ day: profitDays.day, calls: sum(profitDays.calls) })
      .from(profitDays)
      .where(and(gte(profitDays.day, fromDay), lte(profitDays.day, toDay)))
      .groupBy(profitDays.day)
      .all()
    return countOf(days.map(({ day, calls }) => bitsOf(day, Number(calls))))
  }
}

/** Bits that are set in any. */
function countOf(sets: readonly Uint8Array[]): number {
  const all = new Uint8Array(Math.max(0, ...sets.map(({ length }) => length)))
  for (const set of sets) for (const [at, byte] of set.entries()) all[at] = (all[at] ?? 0) | byte
  let count = 0
  for (let byte of all) for (; byte > 0; byte &= byte - 1) count++
  return count
}
