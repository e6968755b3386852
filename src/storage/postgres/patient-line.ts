import type { ReservedSQL, SQL } from 'bun'
import { openInLine } from '../../domain/in-line'
import { within } from '../../domain/within'
import type { DatabaseAddress } from '../database-address'
import type { SessionTurns } from './session-turns'
import { leavesConnection, openDatabase } from './connect'

interface LineOptions {
  readonly address: DatabaseAddress
  /** Seen in `pg_stat_activity`. */
  readonly name: string
  /** For so long work may take, unless it says otherwise; then its connection counts as lost. */
  readonly patienceMs: number
  /** Where another session of this process is to wait while this one works; waiting for it counts nowhere. */
  readonly turns?: SessionTurns
}

/** Connection of a line, with the lock of that line. */
interface Connected {
  readonly pool: SQL
  readonly connection: ReservedSQL
}

/** The server ends a statement by itself before its client gives up: an answer leaves the connection as it is. */
const serverShare = 0.8
const minBackoffMs = 20
const maxBackoffMs = 1000

/**
 * One connection on which work is done one after the other. One that hangs is dropped: a machine that is gone says
 * nothing for a quarter of an hour.
 *
 * The server may go on with a statement whose client has given up. So each connection takes a lock of the line's own,
 * which goes with its session, and is used from then on: a session that was given up is terminated, and work goes on
 * when that is gone. At most one session of a line works at any moment.
 */
export class PatientLine {
  readonly #options: LineOptions
  /** Advisory lock of this line: a random number, other than that of any line of any process. */
  readonly #lock = (crypto.getRandomValues(new BigInt64Array(1))[0] ?? 0n) | 1n
  readonly #inLine = openInLine()
  #connected: Connected | null = null
  /** Connections of the one that is used or being opened. */
  #pool: SQL | null = null
  #connecting: Promise<Connected> | null = null
  #isClosed = false

  constructor(options: LineOptions) {
    this.#options = options
  }

  /**
   * Does work behind what was asked for before.
   * @param patienceMs of this work, where it is not the line's
   * @throws Error where no answer comes in time, and what `work` throws
   */
  ask<Answer>(
    work: (sql: SQL) => Promise<Answer>,
    patienceMs = this.#options.patienceMs,
  ): Promise<Answer> {
    const { turns } = this.#options
    return this.#inLine(async () => {
      await turns?.taken()
      try {
        return await this.#work(work, patienceMs)
      } finally {
        turns?.give()
      }
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#options.turns?.end()
    await this.#pool?.close({ timeout: 0 }).catch(() => {})
  }

  async #work<Answer>(work: (sql: SQL) => Promise<Answer>, patienceMs: number): Promise<Answer> {
    const connected = this.#connected ?? (await patiently(patienceMs, this.#connect()))
    try {
      return await patiently(patienceMs, work(connected.connection))
    } catch (thrown) {
      if (!leavesConnection(thrown)) this.#drop(connected)
      throw thrown
    }
  }

  #drop(connected: Connected): void {
    if (this.#connected === connected) this.#connected = null
    void connected.pool.close({ timeout: 0 }).catch(() => {})
  }

  /** One at a time, which goes on when those who wait for it have given up. */
  #connect(): Promise<Connected> {
    return (this.#connecting ??= this.#open().finally(() => {
      this.#connecting = null
    }))
  }

  async #open(): Promise<Connected> {
    if (this.#isClosed) throw new Error('the connection is closed')
    const { address, name, patienceMs } = this.#options
    const statementTimeoutMs = Math.ceil(serverShare * patienceMs)
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
    const ask = (text: string): Promise<{ taken: boolean }[]> =>
      patiently(this.#options.patienceMs, connection.unsafe(text, [this.#lock]))
    for (let backoffMs = minBackoffMs; ; backoffMs = Math.min(2 * backoffMs, maxBackoffMs)) {
      const [row] = await ask('SELECT pg_try_advisory_lock($1) AS taken')
      if (row?.taken === true) return
      await ask(endHolderSql)
      await Bun.sleep(backoffMs)
    }
  }
}

async function patiently<Answer>(ms: number, work: Promise<Answer>): Promise<Answer> {
  const answer = await within(ms, work)
  if (answer === 'late') throw new Error(`the database did not answer within ${ms} ms`)
  return answer.result
}

/** An advisory lock by one number is written in two halves. https://www.postgresql.org/docs/18/view-pg-locks.html */
const endHolderSql = `
SELECT pg_terminate_backend(pid) AS taken FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 1 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (classid::bigint << 32) | objid::bigint = $1`
