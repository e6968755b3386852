import { Database } from 'bun:sqlite'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import * as schema from '../schema'
import { checkpointByCommits, cutLog } from './checkpoints'
import { isBusy, type Connection, type Writing } from './connection'

/** How long a write waits for another process's transaction; those are short. */
const busyTimeoutMs = 5000
const briefTimeoutMs = 50
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
  raw.run(checkpointByCommits)
  raw.run(cutLog)
  raw.run(`PRAGMA cache_size = -${cacheKb}`)
  const orm = drizzle(raw, { schema })
  const begin = raw.prepare('BEGIN IMMEDIATE')
  const commit = raw.prepare('COMMIT')
  const rollback = raw.prepare('ROLLBACK')
  const version = raw.prepare<{ data_version: number }, []>('PRAGMA data_version')
  return {
    raw,
    orm,
    numbersRows: true,
    transaction(work, writing = 'ordinary') {
      // Part of a larger change, which commits it.
      if (raw.inTransaction) return work()
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
    version: () => version.get()?.data_version ?? 0,
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
