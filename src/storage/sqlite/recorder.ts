import type { Clock } from '../../domain/clock'
import { changedFields } from '../../trail/changed-fields'
import type { Actor, Fields } from '../../trail/trail'
import { trail } from '../schema'
import type { Connection } from './database'

/** A change, and how the trail tells of it. */
export interface Change<T> {
  /** Such as `key.set`. */
  readonly what: string
  work(): T
  /** Such as `key:7`. */
  subject(result: T): string
  /** Read in the same transaction; null where there is nothing yet. */
  before(): Fields | null
  /** Null where nothing is left. */
  after(result: T): Fields | null
}

/** Does a change and writes its line of the trail: both or neither, on disk before it returns. */
export type Record = <T>(change: Change<T>) => T

/** Changes of one actor or another. */
export type RecordBy = (who: Actor) => Record

/** @param who whose changes these are */
export function openRecorder(connection: Connection, clock: Clock, who: Actor): Record {
  const { orm } = connection
  const run = <T>({ what, work, subject, before, after }: Change<T>): T => {
    const earlier = before()
    const result = work()
    const changed = changedFields(earlier, after(result))
    if (changed !== null)
      orm
        .insert(trail)
        .values({ at: clock.now(), who, what, subject: subject(result), ...changed })
        .run()
    return result
  }
  return <T>(change: Change<T>): T =>
    connection.transaction<{ readonly result: T }>(() => ({ result: run(change) }), 'durable')
      .result
}
