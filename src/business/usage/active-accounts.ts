import { and, gte, lte, sum } from 'drizzle-orm'
import type { UtcDayRange } from '../../domain/reports/operator-reader'
import { activeDays, profitDays } from '../../storage/schema'
import type { ReadConnection } from '../../storage/sqlite/connection'

/** Accounts of a day. */
interface ActiveDay {
  /** Calls of the day when its accounts were read. */
  readonly calls: number
  readonly bits: AccountBits
}

/** A bit for each number of an account, 32 in one. */
type AccountBits = Uint32Array<ArrayBuffer>

/** More than any report asks for at once. */
const maxDays = 128

/**
 * Counts the accounts with calls in ranges of days. Days that are over are kept in `active_days`, and
 * each is read once for as long as it has as many calls: a month of a large service has a million
 * pairs of day and account.
 * @returns a read of days, which tells of ranges of them
 */
export function openActiveAccounts(
  connection: ReadConnection,
): (all: UtcDayRange) => (range: UtcDayRange) => number {
  const { orm } = connection
  const bitsOfDay = openAccountBits(connection)
  const kept = new Map<number, ActiveDay>()
  const writtenIn = ({ fromDay, toDay }: UtcDayRange): ReadonlyMap<number, ActiveDay> =>
    new Map(
      orm
        .select()
        .from(activeDays)
        .where(and(gte(activeDays.day, fromDay), lte(activeDays.day, toDay)))
        .all()
        .map(({ day, calls, accounts }) => [day, { calls, bits: bitsOfText(accounts) }]),
    )
  return (all) => {
    const days = callsByDay(connection, all)
    const unknown = [...days].filter(([day, calls]) => kept.get(day)?.calls !== calls)
    if (kept.size + unknown.length > maxDays) kept.clear()
    // A day that goes on is not there.
    const written =
      unknown.length > 1 || kept.size === 0 ? writtenIn(all) : new Map<number, ActiveDay>()
    for (const [day, calls] of days) {
      if (kept.get(day)?.calls === calls) continue
      const found = written.get(day)
      kept.set(day, found?.calls === calls ? found : { calls, bits: bitsOfDay(day) })
    }
    return ({ fromDay, toDay }) =>
      countOf(
        [...days.keys()].flatMap((day) =>
          day >= fromDay && day <= toDay ? (kept.get(day)?.bits ?? []) : [],
        ),
      )
  }
}

/** Calls of the days that have any, as far as they are summed up. */
export function callsByDay(
  { orm }: ReadConnection,
  { fromDay, toDay }: UtcDayRange,
): ReadonlyMap<number, number> {
  const rows = orm
    .select({ day: profitDays.day, calls: sum(profitDays.calls) })
    .from(profitDays)
    .where(and(gte(profitDays.day, fromDay), lte(profitDays.day, toDay)))
    .groupBy(profitDays.day)
    .all()
  return new Map(rows.map(({ day, calls }) => [day, Number(calls)]))
}

/** A reader of the accounts of a day. */
export function openAccountBits({ raw }: ReadConnection): (day: number) => AccountBits {
  const accountsOf = raw.prepare<unknown, [number]>(
    'SELECT account FROM profit_accounts WHERE day = ? ORDER BY account',
  )
  return (day) => {
    const accounts = accountsOf.values(day) as [number][]
    const bits = new Uint32Array(((accounts.at(-1)?.[0] ?? -1) >> 5) + 1)
    for (const [account] of accounts) {
      const at = account >> 5
      bits[at] = (bits[at] ?? 0) | (1 << (account & 31))
    }
    return bits
  }
}

export const textOfBits = (bits: AccountBits): string => Buffer.from(bits.buffer).toString('base64')

const bitsOfText = (text: string): AccountBits =>
  new Uint32Array(Uint8Array.fromBase64(text).buffer)

/** Bits that are set in any. */
function countOf(sets: readonly AccountBits[]): number {
  const all = new Uint32Array(Math.max(0, ...sets.map(({ length }) => length)))
  for (const set of sets)
    for (let at = 0; at < set.length; at++) all[at] = (all[at] ?? 0) | (set[at] ?? 0)
  let count = 0
  for (let bits of all) for (; bits !== 0; bits &= bits - 1) count++
  return count
}
