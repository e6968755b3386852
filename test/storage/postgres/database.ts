import type { SQL } from 'bun'
import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Caller } from '../../../src/domain/caller'
import type { Engine } from '../../../src/ledger/leased/exchange'
import { readDatabaseAddress } from '../../../src/storage/database-address'
import { openDatabase } from '../../../src/storage/postgres/connect'
import { columnsOf, tablesOf } from '../../../src/business/data/migrate/copy-in'
import { openPostgresEngine } from '../../../src/ledger/postgres/exchange'
import { migratePostgres } from '../../../src/storage/postgres/migrate'
import type { NodeLife } from '../../../src/ledger/postgres/nodes'

/** Connections to a new database that has our schema. */
export async function openTestDatabase(url: string, max = 1): Promise<SQL> {
  const sql = openDatabase({ address: readDatabaseAddress(url), max, name: 'test' })
  await migratePostgres(sql)
  return sql
}

/** Lease of nodes in tests. */
export const ttlMs = 10_000

/** Engine of a node that is registered there. */
export const engineOn = (
  sql: SQL,
  { started }: Pick<NodeLife, 'started'>,
  parts: Partial<Parameters<typeof openPostgresEngine>[0]> = {},
): Engine =>
  openPostgresEngine({
    ask: (work) => work(sql),
    started,
    ttlMs,
    zoneDay: () => 0,
    onVersion() {},
    ...parts,
  })

/** @returns the number of a new account with that balance */
export async function newAccount(sql: SQL, balance: number): Promise<number> {
  const [row] = (await sql.unsafe(
    `INSERT INTO accounts (name, status, verified, concurrency, requests_per_minute, max_request_kb, balance, created)
      VALUES ('customer', 'active', 1, 100, 100, 100, $1, 0) RETURNING id`,
    [balance],
  )) as { id: bigint }[]
  return Number(row?.id)
}

/** An account that paid in, with a project and a key. */
export async function newCaller(
  sql: SQL,
  paid: number,
  caps: { readonly spendLimit?: number; readonly dailyCap?: number } = {},
): Promise<Caller> {
  const { spendLimit = null, dailyCap = null } = caps
  const account = await newAccount(sql, paid)
  await sql.unsafe('UPDATE accounts SET daily_cap = $2 WHERE id = $1', [account, dailyCap])
  await sql.unsafe('UPDATE accounts SET balance = balance - $1 WHERE id = -2', [paid])
  await sql.unsafe(
    `INSERT INTO transfers (debit, credit, amount, kind, reference, created, told)
      VALUES (-2, $1, $2, 'topup', 'first-' || $1::bigint, 0, 0)`,
    [account, paid],
  )
  const idOf = (rows: unknown) => Number((rows as { id: bigint }[])[0]?.id)
  const project = idOf(
    await sql.unsafe(
      `INSERT INTO projects (account, name, active, created) VALUES ($1, 'main', 1, 0) RETURNING id`,
      [account],
    ),
  )
  const key = idOf(
    await sql.unsafe(
      `INSERT INTO keys (project, name, hash, prefix, state, spend_limit, created)
        VALUES ($1, 'key', 'hash-' || $1::bigint, 'sk', 'active', $2, 0) RETURNING id`,
      [project, spendLimit],
    ),
  )
  return {
    account: {
      id: account,
      name: 'customer',
      status: 'active',
      verified: true,
      dailyCap,
      concurrency: 100,
      requestsPerMinute: 100,
      maxRequestKb: 100,
      noticeFloor: null,
      closed: null,
    },
    project: {
      id: project,
      account,
      name: 'main',
      active: true,
      allowedModels: null,
      monthlyBudget: null,
    },
    key: {
      id: key,
      project,
      name: 'key',
      prefix: 'sk',
      state: 'active',
      requestsPerMinute: null,
      spendLimit,
      allowedModels: null,
      allowedAddresses: null,
      expiresAt: null,
    },
  } as unknown as Caller
}

/** Every row of a folder, but which database it is. */
export function rowsOf(folder: string): Record<string, unknown[]> {
  const lite = new Database(join(folder, 'chapar.db'), { readonly: true })
  try {
    return Object.fromEntries(
      tablesOf(lite).map((table) => [
        table,
        lite
          .prepare(
            `SELECT ${columnsOf(lite, table)
              .map((name) => `"${name}"`)
              .join(', ')} FROM "${table}"
            ${table === 'settings' ? `WHERE key <> 'database_id'` : ''} ORDER BY 1, 2`,
          )
          .all(),
      ]),
    )
  } finally {
    lite.close()
  }
}
