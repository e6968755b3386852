/** Looks into the database of a service that runs: nothing is overspent, and every answer is paid once. */
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { systemClock } from '../../../src/domain/clock'
import { openStorage } from '../../../src/storage/sqlite/open-storage'

/** What a client was told of a whole answer. */
export interface Told {
  /** Null for a stream, whose head is sent before anybody knows. */
  readonly usd: number | null
  /** The money of its caller ends before the test does. */
  readonly isLimited: boolean
}

export interface Books {
  /** @throws Error where balances are no sums of their transfers, or something is overspent */
  check(): Promise<void>
  /**
   * Waits until every answer that was told is on record with its cost.
   * @throws Error where one is not in time, or with another cost
   */
  paid(told: ReadonlyMap<string, Told>): Promise<void>
  close(): Promise<void>
}

/** Beyond the few milliseconds of a front's exchanges: a front that died is buried first. */
const paidMs = 15_000
const nanosPerUsd = 1e9

/** @param usualNanos price of every stream */
export function openBooks(data: string, usualNanos: number): Books {
  const storage = openStorage({ folder: data, exclusive: false, clock: systemClock })
  const database = new Database(join(data, 'chapar.db'), { readonly: true })
  const overdrawn = database.query<{ id: number; balance: number }, []>(
    'SELECT id, balance FROM accounts WHERE id > 0 AND balance < 0',
  )
  // What is charged beyond a balance the service bears: nobody lowers one here, so there is none.
  const borne = database.query<{ reference: string; amount: number }, []>(
    `SELECT reference, amount FROM transfers WHERE kind = 'adjustment' AND reference LIKE 'uncovered-%'`,
  )
  const overLimit = database.query<{ id: number; spent: number }, []>(`
    SELECT keys.id, sum(requests.cost) AS spent FROM keys JOIN requests ON requests.key = keys.id
    WHERE keys.spend_limit IS NOT NULL GROUP BY keys.id HAVING spent > keys.spend_limit`)
  const find = database.query<{ status: string; cost: number; unpaid: string | null }, [string]>(
    'SELECT status, cost, unpaid FROM requests WHERE id = ?',
  )
  const isPaid = ([id, { usd, isLimited }]: readonly [string, Told]): boolean => {
    const row = find.get(id)
    if (row === null || row.status === 'pending') return false
    const expected = usd === null ? usualNanos : Math.round(usd * nanosPerUsd)
    // A stream on the last cents costs what there is; the rest is on record as unpaid.
    const isRest = isLimited && usd === null && row.cost < expected && row.unpaid !== null
    if (row.status === 'success' && (row.cost === expected || isRest)) return true
    throw new Error(`${id} was told as ${expected} nano-dollars: ${JSON.stringify(row)}`)
  }
  return {
    async check() {
      const { ok, differences } = await storage.audit()
      const over = [...overdrawn.all(), ...borne.all(), ...overLimit.all()]
      if (!ok || over.length > 0) throw new Error(JSON.stringify({ differences, over }))
    },
    async paid(told) {
      const limit = performance.now() + paidMs
      let open = [...told]
      for (;;) {
        open = open.filter((each) => !isPaid(each))
        if (open.length === 0) return
        if (performance.now() > limit) throw new Error(`not paid: ${JSON.stringify(open)}`)
        await Bun.sleep(5)
      }
    },
    async close() {
      database.close()
      await storage.close()
    },
  }
}
