import type { SQL } from 'bun'
import { dayNumber } from '../../../domain/clock'
import { houseAccounts } from '../../../ledger/system-accounts'
import { openUsageWriter } from '../../../ledger/sums/usage-sums'
import type { Connection } from '../../../storage/sqlite/connection'
import { countedError } from '../../../ledger/sums/unaggregated'
import {
  openProfitWriter,
  recordOfRequest,
  type RefundedRecord,
} from '../../../ledger/sums/profit-sums'
import { columnsOf, namesSql, tablesOf } from './copy-in'
import { openSumWriter } from '../../../ledger/postgres/aggregate'

const piece = 5000
const maxSumUps = 50

/**
 * Copies everything of a database on PostgreSQL, as of one moment, into a new one of SQLite; nodes may
 * go on serving.
 */
export async function copyOut(sql: SQL, lite: Connection): Promise<void> {
  await sumUp(sql)
  const { raw } = lite
  const tables = tablesOf(raw)
  // Rows come table by table, not parents first.
  raw.run('PRAGMA foreign_keys = OFF')
  const free: FreeCall[] = []
  await sql.begin('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (connection) => {
    raw.run('BEGIN')
    for (const table of tables) await copyTable(connection, lite, table)
    const found: FreeCall[] = await connection.unsafe('SELECT request, undone FROM free_calls')
    free.push(...found)
    raw.run('COMMIT')
  })
  lite.transaction(() => {
    countFree(lite, free)
    // Kept behind the charges where several processes make them.
    raw
      .prepare(
        `UPDATE accounts SET balance =
           (SELECT coalesce(sum(amount), 0) FROM transfers WHERE credit = accounts.id)
           - (SELECT coalesce(sum(amount), 0) FROM transfers WHERE debit = accounts.id)
         WHERE id = ${houseAccounts.revenue}`,
      )
      .run()
  })
  raw.run('PRAGMA foreign_keys = ON')
}

/** Brings sums up, as far as nobody else does: what is left is counted in the copy. */
async function sumUp(sql: SQL): Promise<void> {
  const sums = openSumWriter()
  for (let tries = 0; tries < maxSumUps; tries++)
    if ((await sums.write(sql))?.isOver === true) return
}

type CopiedRow = (string | number | bigint | null)[]

async function copyTable(sql: SQL, { raw }: Connection, table: string): Promise<void> {
  const columns = columnsOf(raw, table)
  // What the schema begins with comes with the rest.
  raw.run(`DELETE FROM "${table}"`)
  const put = raw.prepare(
    `INSERT INTO "${table}" (${namesSql(columns)}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  await sql.unsafe(`DECLARE copied CURSOR FOR SELECT ${namesSql(columns)} FROM "${table}"`)
  for (;;) {
    const found = (await sql.unsafe(`FETCH ${piece} FROM copied`).values()) as CopiedRow[]
    if (found.length === 0) break
    for (const row of found) put.run(...row)
  }
  await sql.unsafe('CLOSE copied')
}

interface FreeCall {
  readonly request: string
  /** It was counted as one, and is charged after all. */
  readonly undone: boolean
}

interface FreeRow extends RefundedRecord {
  readonly account: number
  readonly project: number
  readonly key: number
  readonly failed: number
  readonly created: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly vendorCost: number | null
  readonly answered: number
}

/** Calls without a cost that no sum has yet. */
function countFree(lite: Connection, calls: readonly FreeCall[]): void {
  if (calls.length === 0) return
  const { raw } = lite
  const usage = openUsageWriter(lite, 'utc')
  const zoneUsage = openUsageWriter(lite, 'zone')
  const profits = openProfitWriter(lite)
  const list = raw.prepare(
    'INSERT INTO account_calls (account, request) VALUES (?, ?) ON CONFLICT (account, request) DO NOTHING',
  )
  const record = raw.prepare<RefundedRecord, [string]>(recordOfRequest)
  const find = raw.prepare<Omit<FreeRow, keyof RefundedRecord>, [string]>(
    `SELECT account, project, key, created,
       ${countedError('1 = 0')} AS failed, input_tokens AS "inputTokens",
       output_tokens AS "outputTokens", cached_tokens AS "cachedTokens", vendor_cost AS "vendorCost",
       vendor IS NOT NULL AS answered
     FROM requests r WHERE id = ?`,
  )
  for (const { request, undone } of calls) {
    const found = find.get(request)
    const about = record.get(request)
    if (found === null || about === null) continue
    const day = dayNumber(found.created)
    const { project, key, account } = found
    const isError = undone ? 1 : found.failed
    const sign = undone ? -1 : 1
    const { inputTokens, outputTokens, cachedTokens, vendorCost } = found
    const tokens = undone ? [0, 0, 0] : [inputTokens, outputTokens, cachedTokens]
    const [input = 0, output = 0, cached = 0] = tokens
    const counted = [sign, sign * isError, input, output, cached, 0] as const
    usage.add([project, day, key, about.model], [...counted])
    zoneUsage.add([project, about.zoneDay, key, about.model], [...counted])
    const uncosted = !undone && found.answered === 1 && vendorCost === null ? 1 : 0
    const cost = undone ? 0 : (vendorCost ?? 0)
    profits.ofModel(day, about.model, undone ? '' : about.vendor, [sign, 0, 0, cost, uncosted])
    profits.ofAccount(day, account, [sign, 0, 0, cost, uncosted])
    if (!undone) list.run(account, request)
  }
}
