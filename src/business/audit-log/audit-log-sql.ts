import { sql } from 'drizzle-orm'
import type { Clock } from '../../domain/clock'
import { once } from '../../domain/memoize'
import type { StaffAllowance, Grant } from '../operators/allowance'
import { changedFields } from './changed-fields'
import type { Actor, TrailFields } from '../../domain/audit-log'
import { trail } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openOperatorDays } from '../operators/allowance-store'

/** A change, and how the trail tells of it. */
interface Change<T> {
  /** Such as `key.set`. */
  readonly what: string
  work(): T
  /** Such as `key:7`. */
  subject(result: T): string
  /** Read in the same transaction; null where there is nothing yet. */
  before(): TrailFields | null
  /** Null where nothing is left. */
  after(result: T): TrailFields | null
  /** What it gives away, which an operator's allowance bounds; null for nothing. */
  gives?(result: T): Grant | null
}

/** Does a change and writes its line of the trail: both or neither, on disk before it returns. */
export type WriteAudit = <T>(change: Change<T>) => T

/** Changes of one actor or another. */
export type RecordBy = (who: Actor) => WriteAudit

/**
 * @param who whose changes these are
 * @param allowance what they may give away; null for no bound
 */
export function openRecorder(
  connection: Connection,
  clock: Clock,
  who: Actor,
  allowance: StaffAllowance | null = null,
): WriteAudit {
  const { orm } = connection
  // Thousands of proposals may be decided at once, with a line for each.
  const insert = once(() =>
    orm
      .insert(trail)
      .values({
        at: sql.placeholder('at'),
        who,
        what: sql.placeholder('what'),
        subject: sql.placeholder('subject'),
        before: sql`${sql.placeholder('before')}`,
        after: sql`${sql.placeholder('after')}`,
      })
      .prepare(),
  )
  const take = allowance === null ? null : openOperatorDays(connection, clock, allowance)
  const run = <T>({ what, work, subject, before, after, gives }: Change<T>): T => {
    const earlier = before()
    const result = work()
    const grant = take === null ? null : (gives?.(result) ?? null)
    if (grant !== null) take?.(grant)
    const changed = changedFields(earlier, after(result))
    if (changed !== null)
      insert().run({
        at: clock.now(),
        what,
        subject: subject(result),
        before: jsonOf(changed.before),
        after: jsonOf(changed.after),
      })
    return result
  }
  return <T>(change: Change<T>): T =>
    connection.transaction<{ readonly result: T }>(() => ({ result: run(change) }), 'durable')
      .result
}

const jsonOf = (fields: TrailFields | null): string | null =>
  fields === null ? null : JSON.stringify(fields)
