import { and, desc, eq, gte, lt, sql, type SQL } from 'drizzle-orm'
import type { CallsPage } from '../../domain/reports/account-reader'
import type { CallFilter, RecordedCall } from '../../domain/reports/report'
import { yieldToLoop } from '../../domain/yield-to-loop'
import { requests } from '../../storage/schema'
import { callsGoOn, type CallDays } from './call-day-filter'
import type { ReadConnection } from '../../storage/sqlite/connection'
import type { ReadDeadline } from '../../storage/sqlite/read-deadline'
import { recordOf } from './reports'

/** Calls looked at in one read: a few milliseconds. */
export const callsInRead = 2000
/** A page that is not full by then is told as it is: whoever asks goes on from where it ended. */
const maxPageMs = 60

/** Calls of one read, and where the next one begins; null where nothing is left. */
export interface CallsRead {
  readonly rows: readonly RecordedCall[]
  readonly next: string | null
}

interface PageParts {
  readonly filter: CallFilter
  /** Ids from here on, and below. */
  readonly earliest: string
  readonly before: string
  readonly max: number
  /** @param left rows that are wanted at most */
  read(before: string, left: number): CallsRead
  readonly days: CallDays
  readonly deadline: ReadDeadline
}

/** Reads until there is a page, and leaves out the days that have none of its calls. */
export async function readCallsPage(parts: PageParts): Promise<CallsPage> {
  const { filter, earliest, max, read, deadline } = parts
  const began = performance.now()
  const calls: RecordedCall[] = []
  let days: readonly number[] | null | undefined
  for (let before = parts.before; ;) {
    const { rows, next } = read(before, max - calls.length)
    calls.push(...rows)
    if (calls.length >= max) return { calls, next: calls.at(-1)?.id ?? null }
    if (next === null) return { calls, next: null }
    days ??= parts.days(filter)
    const goesOn = days === null ? next : callsGoOn(days, next)
    if (goesOn === null || goesOn <= earliest) return { calls, next: null }
    before = goesOn
    if (performance.now() - began > maxPageMs || deadline.isNear()) return { calls, next: before }
    await yieldToLoop()
  }
}

/** Conditions of a filter, without the account; a status as a literal, which indexes of one are found by. */
export const callConditions = ({ project, key, model, status }: CallFilter) => [
  project === null ? undefined : eq(requests.project, project),
  key === null ? undefined : eq(requests.key, key),
  model === null ? undefined : eq(requests.model, model),
  status === null ? undefined : isOfStatus(status),
]

export const isOfStatus = (status: RecordedCall['status']): SQL =>
  sql`${requests.status} = ${sql.raw(`'${status}'`)}`

type CallRows = (where: readonly (SQL | undefined)[], max: number) => RecordedCall[]

/** Newest first, with what went back of them. */
export function openCallRows({ orm, raw }: ReadConnection): CallRows {
  const refund = raw.prepare<{ amount: number }, [string]>(
    `SELECT amount FROM transfers WHERE kind = 'refund' AND reference = ?`,
  )
  return (where, max) =>
    orm
      .select()
      .from(requests)
      .where(and(...where))
      .orderBy(desc(requests.id))
      .limit(max)
      .all()
      .map((row) => recordOf(row, refund.get(row.id)?.amount ?? 0))
}

/**
 * The last id of the read that begins below `before`; null where it is the last read.
 * @param where of the rows that are looked at
 */
export const openReadEnd =
  ({ orm }: ReadConnection) =>
  (before: string, earliest: string, where?: SQL): string | null =>
    orm
      .select({ id: requests.id })
      .from(requests)
      .where(and(lt(requests.id, before), gte(requests.id, earliest), where))
      .orderBy(desc(requests.id))
      .limit(1)
      .offset(callsInRead - 1)
      .get()?.id ?? null
