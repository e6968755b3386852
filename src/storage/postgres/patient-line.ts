import type { SQL } from 'bun'
import type { DatabaseAddress } from '../database-address'
import { openDatabase } from './connect'

interface LineOptions {
  readonly address: DatabaseAddress
  /** Seen in `pg_stat_activity`. */
  readonly name: string
  /** For so long what is asked may take; then its connection counts as lost. */
  readonly patienceMs: number
}

/** One connection. One that hangs is dropped: a machine that is gone says nothing for a quarter of an hour. */
export class PatientLine {
  #sql: SQL
  readonly #options: LineOptions

  constructor(options: LineOptions) {
    this.#options = options
    this.#sql = this.#open()
  }

  get sql(): SQL {
    return this.#sql
  }

  /** @throws Error where no answer comes in time, and what `work` throws */
  async ask<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const sql = this.#sql
    const { patienceMs } = this.#options
    let timer: ReturnType<typeof setTimeout> | null = null
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (this.#sql === sql) this.#sql = this.#open()
        void sql.close({ timeout: 0 }).catch(() => {})
        reject(new Error(`the database did not answer within ${patienceMs} ms`))
      }, patienceMs)
    })
    const asked = work()
    // Its end is nobody's concern where it is late.
    asked.catch(() => {})
    try {
      return await Promise.race([asked, late])
    } finally {
      if (timer !== null) clearTimeout(timer)
    }
  }

  close(): Promise<void> {
    return this.#sql.close({ timeout: 0 })
  }

  #open(): SQL {
    const { patienceMs, ...options } = this.#options
    return openDatabase({ ...options, max: 1, statementTimeoutMs: Math.ceil(patienceMs) })
  }
}
