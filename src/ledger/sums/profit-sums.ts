import { dayMs, dayNumber, monthStart, type Ms } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import type { Batch } from '../store'
import { addedTo } from '../../storage/sqlite/upsert-sql'
import type { Connection } from '../../storage/sqlite/connection'
import { countedError, zoneDayOf } from './unaggregated'
import { monthSql } from './month-cover'

/** Columns that are added up. */
type ProfitColumns = [
  calls: number,
  charged: number,
  refunded: number,
  vendorCost: number,
  uncosted: number,
]

/** A row of a day, by the rest of its key. A key put together as a text would be made at each call. */
type DayRows<Key> = Map<number, Map<Key, ProfitColumns>>

/** What goes back of a charge, and what its record says. */
export interface RefundOnRecord {
  readonly opened: Ms
  readonly account: AccountId
  readonly model: string
  readonly vendor: string
  readonly amount: number
}

/** What was earned by some calls that is not yet in the database. */
export class ProfitSums {
  readonly #models = new Map<string, DayRows<string>>()
  readonly #accounts: DayRows<AccountId> = new Map()
  #size = 0

  /** Rows of days that it adds to. */
  get size(): number {
    return this.#size
  }

  add({ opening, ending }: Batch['ended'][number]): void {
    const { vendor, vendorCost, cost } = ending
    const day = dayNumber(opening.created)
    const who = vendor ?? vendorCost?.vendor ?? ''
    for (const sums of [
      this.#ofModel(day, opening.model, who),
      this.#ofAccount(day, opening.account),
    ]) {
      sums[0]++
      sums[1] += cost
      sums[3] += vendorCost?.amount ?? 0
      if (vendor !== null && vendorCost === undefined) sums[4]++
    }
  }

  giveBack({ opened, account, model, vendor, amount }: RefundOnRecord): void {
    const day = dayNumber(opened)
    this.#ofModel(day, model, vendor)[2] += amount
    this.#ofAccount(day, account)[2] += amount
  }

  #ofModel(day: number, model: string, vendor: string): ProfitColumns {
    let ofVendor = this.#models.get(vendor)
    if (ofVendor === undefined) this.#models.set(vendor, (ofVendor = new Map()))
    return this.#columnsIn(ofVendor, day, model)
  }

  #ofAccount(day: number, account: AccountId): ProfitColumns {
    return this.#columnsIn(this.#accounts, day, account)
  }

  #columnsIn<Key>(days: DayRows<Key>, day: number, key: Key): ProfitColumns {
    let rows = days.get(day)
    if (rows === undefined) days.set(day, (rows = new Map()))
    let columns = rows.get(key)
    if (columns === undefined) {
      rows.set(key, (columns = [0, 0, 0, 0, 0]))
      this.#size++
    }
    return columns
  }

  write({ ofModel, ofAccount }: ProfitWriter): void {
    for (const [vendor, days] of this.#models)
      for (const [day, models] of days)
        for (const [model, columns] of models) ofModel(day, model, vendor, columns)
    for (const [day, accounts] of this.#accounts)
      for (const [account, columns] of accounts) ofAccount(day, account, columns)
  }
}

/** Adds to rows of days and of their months. */
export interface ProfitWriter {
  ofModel(day: number, model: string, vendor: string, columns: ProfitColumns): void
  ofAccount(day: number, account: number, columns: ProfitColumns): void
  /** Brings up what an earlier process left, its pending calls as errors, inside of a transaction. */
  recover(): void
}

/** The shard of these sums among the marks of how far sums have come: behind those of ids. */
export const profitShard = 64

const counted = 'calls, charged, refunded, vendor_cost, uncosted'
/** Whose sums, and over what. */
interface SumTable {
  readonly table: string
  readonly place: readonly string[]
  /** SQL of a row's period, from its day. */
  readonly period: string
}
const byModel: SumTable = { table: 'profit_days', place: ['day', 'model', 'vendor'], period: 'day' }
const byAccount: SumTable = { table: 'profit_accounts', place: ['day', 'account'], period: 'day' }
const month = monthSql('day')
const byModelMonth: SumTable = {
  table: 'profit_months',
  place: ['month', 'model', 'vendor'],
  period: month,
}
const byAccountMonth: SumTable = {
  table: 'profit_account_months',
  place: ['month', 'account'],
  period: month,
}
const addTo = ({ table, place }: SumTable, rows: string): string =>
  `INSERT INTO ${table} (${place.join()}, ${counted}) ${rows}
  ON CONFLICT (${place.join()}) DO UPDATE SET ${addedTo(table, counted)}`

/** Who answered a call `r`, or billed it without an answer. */
export const vendorOf = `coalesce(r.vendor, (SELECT c.vendor FROM cost_cards c WHERE c.id = r.cost_card), '')`
/** 1 for a call `r` that a vendor answered whose cost nobody knows. */
export const uncosted = 'CASE WHEN r.vendor IS NOT NULL AND r.vendor_cost IS NULL THEN 1 ELSE 0 END'

/** What the record of a refunded call says, and whether its refund by the service counts it as an error. */
export const recordOfRequest = `
  SELECT r.model AS model, ${vendorOf} AS vendor, ${zoneDayOf('r')} AS "zoneDay", ${countedError('1 = 1')} AS errors
  FROM requests r WHERE r.id = ?`

export interface RefundedRecord {
  readonly model: string
  readonly vendor: string
  readonly zoneDay: number
  readonly errors: number
}

/**
 * Rows of what was charged or went back and is not in the sums yet; there is little of it. A refund by
 * a person is in the sums from its beginning.
 */
export const freshProfit = `
  SELECT r.created / ${dayMs} AS day, r.model AS model, ${vendorOf} AS vendor, r.account AS account,
    CASE WHEN t.kind = 'refund' THEN 0 ELSE 1 END AS calls, CASE WHEN t.kind = 'refund' THEN 0 ELSE t.amount END AS charged,
    CASE WHEN t.kind = 'refund' THEN t.amount ELSE 0 END AS refunded,
    CASE WHEN t.kind = 'refund' THEN 0 ELSE coalesce(r.vendor_cost, 0) END AS vendor_cost,
    CASE WHEN t.kind = 'refund' THEN 0 ELSE ${uncosted} END AS uncosted
  FROM transfers t JOIN requests r ON r.id = t.reference
  WHERE t.id > (SELECT transfer FROM summed WHERE shard = ${profitShard})
    AND +t.kind IN ('charge', 'refund') AND t.by IS NULL`

/**
 * Rows of all calls that ended and of all refunds: what the sums must come to.
 * @param ended relation of the calls, as of `Audited`
 */
export const realProfit = (ended: string): string => `
  SELECT day, model, vendor, account, calls, cost AS charged, 0 AS refunded, vendor_cost, uncosted
  FROM ${ended} AS ended
  UNION ALL SELECT r.created / ${dayMs}, r.model, ${vendorOf}, r.account, 0, 0, t.amount, 0, 0
  FROM transfers t JOIN requests r ON r.id = t.reference WHERE t.kind = 'refund'`

const pendingAsErrors = `
  SELECT r.created / ${dayMs} AS day, r.model AS model, ${vendorOf} AS vendor, r.account AS account,
    1 AS calls, 0 AS charged, 0 AS refunded, coalesce(r.vendor_cost, 0) AS vendor_cost,
    ${uncosted} AS uncosted
  FROM requests r INDEXED BY requests_pending WHERE r.status = 'pending'`

const summed = 'sum(calls), sum(charged), sum(refunded), sum(vendor_cost), sum(uncosted)'

export function openProfitWriter({ raw }: Connection): ProfitWriter {
  const modelRow = 'VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  const modelDay = raw.prepare(addTo(byModel, modelRow))
  const modelMonth = raw.prepare(addTo(byModelMonth, modelRow))
  const accountRow = 'VALUES (?, ?, ?, ?, ?, ?, ?)'
  const accountDay = raw.prepare(addTo(byAccount, accountRow))
  const accountMonth = raw.prepare(addTo(byAccountMonth, accountRow))
  return {
    ofModel(day, model, vendor, columns) {
      modelDay.run(day, model, vendor, ...columns)
      modelMonth.run(monthStart(day), model, vendor, ...columns)
    },
    ofAccount(day, account, columns) {
      accountDay.run(day, account, ...columns)
      accountMonth.run(monthStart(day), account, ...columns)
    },
    recover() {
      for (const rows of [freshProfit, pendingAsErrors])
        for (const table of [byModel, byModelMonth, byAccount, byAccountMonth]) {
          const [, ...keys] = table.place
          raw.run(
            addTo(
              table,
              `SELECT ${[table.period, ...keys].join()}, ${summed} FROM (${rows}) AS found
              WHERE true GROUP BY ${table.place.map((_, at) => at + 1).join()}`,
            ),
          )
        }
    },
  }
}
