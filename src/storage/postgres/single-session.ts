import type { ReservedSQL, SQL } from 'bun'
import { within } from '../../domain/with-timeout'
import type { DatabaseAddress } from '../database-address'
import { openDatabase } from './connect'
import { DatabaseFault } from './database-fault'

interface SessionOptions {
  readonly address: DatabaseAddress
  /** Seen in `pg_stat_activity`. */
  readonly name: string
  /** The server ends a statement that lasts longer. */
  readonly statementTimeoutMs: number
  /** For so long each answer is waited for while it connects. */
  readonly patienceMs: number
  /** Lock of this session, and of those after it in its place. */
  readonly lock: bigint
}

/** Connection of a session, with its lock. */
interface Connected {
  readonly pool: SQL
  readonly connection: ReservedSQL
}

const minBackoffMs = 20
const maxBackoffMs = 1000

/** An advisory lock that no session of any process has: a random number. */
export const newSessionLock = (): bigint =>
  (crypto.getRandomValues(new BigInt64Array(1))[0] ?? 0n) | 1n

/**
 * One session of the server at a time, however often its connection is lost.
 *
 * The server may go on with a statement whose client has given up. So each connection takes a lock, which goes with its
 * session, and is used from then on: a session that was given up is terminated, and work goes on when that is gone.
 */
export class SingleSession {
  readonly #options: SessionOptions
  #connected: Connected | null = null
  /** Connections of the one that is used or being opened. */
  #pool: SQL | null = null
  #connecting: Promise<Connected> | null = null
  #isClosed = false

  constructor(options: SessionOptions) {
    this.#options = options
  }

  /** One attempt at a time, which goes on when those who wait for it have given up. @throws DatabaseFault */
  async connection(): Promise<ReservedSQL> {
    if (this.#connected !== null) return this.#connected.connection
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = null
    })
    return (await this.#connecting).connection
  }

  /** Has the next work wait for another session. */
  drop(connection: ReservedSQL): void {
    const connected = this.#connected
    if (connected?.connection !== connection) return
    this.#connected = null
    void connected.pool.close({ timeout: 0 }).catch(() => {})
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#pool?.close({ timeout: 0 }).catch(() => {})
  }

  async #open(): Promise<Connected> {
    if (this.#isClosed) throw new DatabaseFault('closed', 'the connection is closed')
    const { address, name, statementTimeoutMs, patienceMs } = this.#options
    const pool = (this.#pool = openDatabase({ address, name, statementTimeoutMs, max: 1 }))
    try {
      const connection = await patiently(patienceMs, pool.reserve())
      await this.#takeLock(connection)
      return (this.#connected = { pool, connection })
    } catch (thrown) {
      void pool.close({ timeout: 0 }).catch(() => {})
      throw thrown
    }
  }

  /** Returns once the session before is gone, however long its server takes to end it. */
  async #takeLock(connection: SQL): Promise<void> {
    const { patienceMs, lock } = this.#options
    const ask = (text: string): Promise<{ taken: boolean }[]> =>
      patiently(patienceMs, connection.unsafe(text, [lock]))
    for (let backoffMs = minBackoffMs; ; backoffMs = Math.min(2 * backoffMs, maxBackoffMs)) {
      const [row] = await ask('SELECT pg_try_advisory_lock($1) AS taken')
      if (row?.taken === true) return
      await ask(endHolderSql)
      await Bun.sleep(backoffMs)
    }
  }
}

/** @throws DatabaseFault where no answer comes in time, and what `work` throws */
export async function patiently<Answer>(ms: number, work: Promise<Answer>): Promise<Answer> {
  const answer = await within(ms, work)
  if (answer === 'late')
    throw new DatabaseFault('away', `the database did not answer within ${ms} ms`)
  return answer.result
}

/** An advisory lock by one number is written in two halves. https://www.postgresql.org/docs/18/view-pg-locks.html */
const endHolderSql = `
SELECT pg_terminate_backend(pid) AS taken FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 1 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (classid::bigint << 32) | objid::bigint = $1`
