import type { Database } from 'bun:sqlite'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type * as schema from '../schema'

/** One open database: the raw connection for hot statements, drizzle for the rest. */
export interface Connection {
  readonly raw: Database
  readonly orm: BunSQLiteDatabase<typeof schema>
  /**
   * Everything in `work` or nothing. The only way to a transaction: an async callback, which
   * would commit before its first await, does not compile.
   * @param durable on disk before this returns
   */
  transaction<T>(work: () => T extends PromiseLike<unknown> ? never : T, durable?: boolean): T
}
