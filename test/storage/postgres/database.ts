import type { SQL } from 'bun'
import { readDatabaseAddress } from '../../../src/storage/postgres/address'
import { openDatabase } from '../../../src/storage/postgres/connect'
import { migratePostgres } from '../../../src/storage/postgres/migrate'

/** Connections to a new database that has our schema. */
export async function openTestDatabase(url: string, max = 1): Promise<SQL> {
  const sql = openDatabase({ address: readDatabaseAddress(url), max, name: 'test' })
  await migratePostgres(sql)
  return sql
}

/** @returns the number of a new account with that balance */
export async function newAccount(sql: SQL, balance: number): Promise<number> {
  const [row] = (await sql.unsafe(
    `INSERT INTO accounts (name, status, verified, concurrency, requests_per_minute, max_request_kb, balance, created)
      VALUES ('customer', 'active', 1, 100, 100, 100, $1, 0) RETURNING id`,
    [balance],
  )) as { id: bigint }[]
  return Number(row?.id)
}
