import { Database } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import * as schema from '../schema'
import type { Connection } from './database'

/** How long a write waits for another process's transaction; those are short. */
const busyTimeoutMs = 5000

/** @param file null keeps the database in memory */
export function connect(file: string | null): Connection {
  const raw = new Database(file ?? ':memory:', { create: true, strict: true })
  raw.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  raw.run('PRAGMA journal_mode = WAL')
  // Copying the log back waits for the disk: seldom, in large steps, is cheaper than often.
  raw.run('PRAGMA wal_autocheckpoint = 10000')
  raw.run('PRAGMA synchronous = NORMAL')
  raw.run('PRAGMA foreign_keys = ON')
  const orm = drizzle(raw, { schema })
  const begin = raw.prepare('BEGIN IMMEDIATE')
  const commit = raw.prepare('COMMIT')
  const rollback = raw.prepare('ROLLBACK')
  return {
    raw,
    orm,
    transaction(work, durable = false) {
      // Cannot change inside a transaction.
      if (durable) raw.run('PRAGMA synchronous = FULL')
      try {
        begin.run()
        try {
          const result = work()
          commit.run()
          return result
        } catch (thrown) {
          if (raw.inTransaction) rollback.run()
          throw thrown
        }
      } finally {
        if (durable) raw.run('PRAGMA synchronous = NORMAL')
      }
    },
  }
}
