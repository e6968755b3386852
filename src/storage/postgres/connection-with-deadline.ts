import type { SQL } from 'bun'
import { openInLine } from '../../domain/serial-queue'
import type { DatabaseAddress } from '../database-address'
import { leavesConnection } from './connect'
import type { SessionTurns } from './session-turns'
import { newSessionLock, patiently, SingleSession } from './single-session'

interface LineOptions {
  readonly address: DatabaseAddress
  /** Seen in `pg_stat_activity`. */
  readonly name: string
  /** For so long work may take, unless it says otherwise; then its connection counts as lost. */
  readonly patienceMs: number
  /** Where another session of this process is to wait while this one works; waiting for it counts nowhere. */
  readonly turns?: SessionTurns
}

/** The server ends a statement by itself before its client gives up: an answer leaves the connection as it is. */
const serverShare = 0.8

/**
 * One session on which work is done one after the other. A connection that hangs is dropped: a machine that is gone
 * says nothing for a quarter of an hour.
 */
export class PatientLine {
  readonly #options: LineOptions
  readonly #inLine = openInLine()
  readonly #session: SingleSession

  constructor(options: LineOptions) {
    this.#options = options
    const { address, name, patienceMs } = options
    const statementTimeoutMs = Math.ceil(serverShare * patienceMs)
    const lock = newSessionLock()
    this.#session = new SingleSession({ address, name, statementTimeoutMs, patienceMs, lock })
  }

  /**
   * Does work behind what was asked for before.
   * @param patienceMs of this work, where it is not the line's
   * @throws DatabaseFault where no answer comes in time, and what `work` throws
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
    this.#options.turns?.end()
    await this.#session.close()
  }

  async #work<Answer>(work: (sql: SQL) => Promise<Answer>, patienceMs: number): Promise<Answer> {
    const connection = await patiently(patienceMs, this.#session.connection())
    try {
      return await patiently(patienceMs, work(connection))
    } catch (thrown) {
      if (!leavesConnection(thrown)) this.#session.drop(connection)
      throw thrown
    }
  }
}
