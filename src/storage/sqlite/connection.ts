import type { Database } from 'bun:sqlite'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import { errorCode } from '../../domain/error-code'
import { storageFault } from '../../domain/storage-fault'
import type * as schema from '../schema'

/**
 * How a transaction is written. `durable`: on disk before it returns. `brief`: on its way to disk,
 * and it waits for another process's transaction only a moment, since waiting stops the event
 * loop: for one who tries again.
 */
export type Writing = 'ordinary' | 'durable' | 'brief'

/** One open database: the raw connection for hot statements, drizzle for the rest. */
export interface Connection {
  readonly raw: Database
  readonly orm: BunSQLiteDatabase<typeof schema>
  /** Whether every row has a number by the order in which it was written: `rowid`. */
  readonly numbersRows: boolean
  /**
   * Everything in `work` or nothing. The only way to a transaction: an async callback, which
   * would commit before its first await, does not compile. Inside of another it is a part of that
   * one, and is written as that one is.
   */
  transaction<T>(work: () => T extends PromiseLike<unknown> ? never : T, writing?: Writing): T
  /** A number that changes when another connection has committed. */
  version(): number
  /** Gives back every file and lock at once. */
  close(): void
}

/** Enough to read by: a thread that only reads has nothing else. */
export type ReadConnection = Pick<Connection, 'raw' | 'orm'>

/** Whether the file is no sound database. */
export const isDamage = (thrown: unknown): boolean =>
  /^SQLITE_(?:CORRUPT|NOTADB)/.test(storageFault(thrown) ?? '')

/** Whether another connection was in the way. */
export const isBusy = (thrown: unknown): boolean =>
  errorCode(thrown)?.startsWith('SQLITE_BUSY') === true
