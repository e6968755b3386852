import type { SQL } from 'bun'
import type { DatabaseAddress } from '../database-address'
import { openDatabase } from './connect'

/** An exchange that takes longer is asked for again on another connection; its number keeps it single. */
const patienceShare = 0.3

/** The one connection of exchanges. One that hangs is dropped: nothing may wait behind it. */
export class ExchangeLine {
  #sql: SQL
  readonly #address: DatabaseAddress
  readonly #patienceMs: number

  constructor(address: DatabaseAddress, ttlMs: number) {
    this.#address = address
    this.#patienceMs = patienceShare * ttlMs
    this.#sql = this.#open()
  }

  get sql(): SQL {
    return this.#sql
  }

  /** @throws Error where no answer comes in time, and what `work` throws */
  async ask<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const sql = this.#sql
    let timer: ReturnType<typeof setTimeout> | null = null
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (this.#sql === sql) this.#sql = this.#open()
        void sql.close({ timeout: 0 }).catch(() => {})
        reject(new Error(`the database did not answer within ${this.#patienceMs} ms`))
      }, this.#patienceMs)
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
    return openDatabase({
      address: this.#address,
      max: 1,
      name: 'chapar exchanges',
      statementTimeoutMs: Math.ceil(this.#patienceMs),
    })
  }
}
