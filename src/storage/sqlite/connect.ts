import { Database } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import * as schema from '../schema'
import type { Connection, Writing } from './database'

/** How long a write waits for another process's transaction; those are short. */
const busyTimeoutMs = 5000
const briefTimeoutMs = 50
/**
 * Pages of 4 KB. Copying the log back waits for the disk, and with it the event loop: seldom, in
 * large steps, is cheaper than often.
 */
const pagesToCheckpoint = 10_000
const cacheKb = 8192

/** Neither can change inside a transaction. */
const modes = {
  ordinary: null,
  durable: { before: 'PRAGMA synchronous = FULL', after: 'PRAGMA synchronous = NORMAL' },
  brief: {
    before: `PRAGMA busy_timeout = ${briefTimeoutMs}`,
    after: `PRAGMA busy_timeout = ${busyTimeoutMs}`,
  },
} as const satisfies Record<Writing, { before: string; after: string } | null>

/** @param file null keeps the database in memory */
export function connect(file: string | null): Connection {
  const raw = new Database(file ?? ':memory:', { create: true, strict: true })
  raw.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`)
  enterWal(raw)
  raw.run('PRAGMA synchronous = NORMAL')
  raw.run('PRAGMA foreign_keys = ON')
  raw.run(`PRAGMA wal_autocheckpoint = ${pagesToCheckpoint}`)
  raw.run(`PRAGMA journal_size_limit = ${pagesToCheckpoint * 4096}`)
  raw.run(`PRAGMA cache_size = -${cacheKb}`)
  const orm = drizzle(raw, { schema })
  const begin = raw.prepare('BEGIN IMMEDIATE')
  const commit = raw.prepare('COMMIT')
  const rollback = raw.prepare('ROLLBACK')
  return {
    raw,
    orm,
    transaction(work, writing = 'ordinary') {
      const mode = modes[writing]
      if (mode !== null) raw.run(mode.before)
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
        if (mode !== null) raw.run(mode.after)
      }
    },
    close: () => raw.close(true),
  }
}

/** Two processes that open a new database at once: SQLite lets one of them fail without waiting. */
function enterWal(raw: Database): void {
  const until = performance.now() + busyTimeoutMs
  for (;;)
    try {
      raw.run('PRAGMA journal_mode = WAL')
      return
    } catch (thrown) {
      if (!isBusy(thrown) || performance.now() > until) throw thrown
      Bun.sleepSync(5)
    }
}

/** Whether another connection was in the way. */
export const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('SQLITE_BUSY')
