import { drizzle } from 'drizzle-orm/bun-sqlite'
import * as schema from '../schema'
import type { Connection } from '../sqlite/connection'
import type { DatabaseAddress } from '../database-address'
import type { SessionTurns } from './session-turns'
import { newSessionLock } from './single-session'
import { DatabaseFault } from './database-fault'
import { StatementThread } from './blocking-statement'
import { SyncDatabase } from './blocking-database'

interface SyncConnectionOptions {
  readonly address: DatabaseAddress
  readonly name: string
  readonly statementTimeoutMs?: number
  /** Its connection is given back after so long without a statement; kept unless told. */
  readonly idleMs?: number | null
  /** Lock of its session, where threads before it had it too. */
  readonly lock?: bigint
  /** Where another session of this process is to wait while this one works. */
  readonly turns?: SessionTurns | null
}

const usualStatementTimeoutMs = 30_000
/** How often a transaction is done again that another one was in the way of. */
const maxAttempts = 20

/** serialization_failure, deadlock_detected. */
const isConflict = (thrown: unknown): boolean =>
  thrown instanceof DatabaseFault && (thrown.code === '40001' || thrown.code === '40P01')

/** One writer at a time among stores, as SQLite has it. The ledger's exchanges do not wait for it. */
const beginSql = 'BEGIN; SELECT 1 FROM world WHERE id = 1 FOR UPDATE'
/** Every process sees by the version that something has changed. */
const commitSql = `
  UPDATE world SET version = version + 1 WHERE id = 1;
  NOTIFY chapar_world;
  COMMIT`

/** A connection to PostgreSQL on which the stores of SQLite run; whoever asks waits. */
export function connectPostgres(options: SyncConnectionOptions): Connection {
  const { address, name, statementTimeoutMs = usualStatementTimeoutMs, idleMs = null } = options
  const { turns = null, lock = newSessionLock() } = options
  const database = new SyncDatabase(
    new StatementThread({ address, name, statementTimeoutMs, idleMs, lock }),
    turns,
  )
  const raw = database.asSqlite
  const version = raw.prepare<{ version: number }, []>('SELECT version FROM world WHERE id = 1')

  const attempt = <T>(work: () => T): T => {
    database.begin(beginSql)
    try {
      const result = work()
      database.commit(database.hasWritten ? commitSql : 'COMMIT')
      return result
    } catch (thrown) {
      database.rollback()
      throw thrown
    }
  }

  return {
    raw,
    orm: drizzle(raw, { schema }),
    numbersRows: false,
    transaction(work) {
      // Part of a larger change, which commits it.
      if (database.inTransaction) return work()
      for (let attempts = 1; ; attempts++)
        try {
          return attempt(work)
        } catch (thrown) {
          if (attempts === maxAttempts || !isConflict(thrown)) throw thrown
        }
    },
    version: () => version.get()?.version ?? 0,
    close: () => database.close(),
  }
}
