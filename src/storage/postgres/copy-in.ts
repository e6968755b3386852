import type { Database } from 'bun:sqlite'
import type { SQL } from 'bun'

/** Money that must come to the same on both sides. */
const moneyColumns: Readonly<Record<string, string>> = {
  accounts: 'balance',
  transfers: 'amount',
  requests: 'cost',
  spent: 'amount',
  usage_days: 'cost',
  profit_days: 'charged',
  payments: 'amount',
}

export interface Copied {
  readonly tables: number
  readonly rows: number
}

/** Names of the tables of a database of ours, none of SQLite's and drizzle's. */
export const tablesOf = (lite: Database): readonly string[] =>
  lite
    .prepare<{ name: string }, []>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND name NOT LIKE '\\_\\_%' ESCAPE '\\' AND name <> 'backup' ORDER BY name`,
    )
    .all()
    .map(({ name }) => name)

export const columnsOf = (lite: Database, table: string): readonly string[] =>
  lite
    .prepare<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name)

/** Names in quotes, with commas. */
export const namesSql = (names: readonly string[]): string =>
  names.map((name) => `"${name}"`).join(', ')

const piece = 2000

/**
 * Copies every row of a SQLite database into the tables of a new one on PostgreSQL, as of one moment,
 * inside of the caller's transaction there.
 * @throws Error where the two do not come to the same
 */
export async function copyIn(lite: Database, sql: SQL): Promise<Copied> {
  lite.run('BEGIN')
  try {
    const tables = tablesOf(lite)
    let rows = 0
    for (const table of tables) rows += await copyTable(lite, sql, table)
    // What caps are checked against, for nodes.
    await sql.unsafe(
      `INSERT INTO scopes (name, sum) SELECT kind || ' ' || id || ' ' || period, amount FROM spent`,
    )
    return { tables: tables.length, rows }
  } finally {
    lite.run('ROLLBACK')
  }
}

async function copyTable(lite: Database, sql: SQL, table: string): Promise<number> {
  const columns = columnsOf(lite, table)
  // What the schema begins with comes with the rest.
  await sql.unsafe(`DELETE FROM "${table}"`)
  const rows = await copyRows(lite, sql, { from: table, to: `"${table}"`, columns })
  await checkSame(lite, sql, table, rows)
  await numberOn(sql, table, columns)
  return rows
}

async function copyRows(
  lite: Database,
  sql: SQL,
  {
    from,
    to,
    columns,
  }: { readonly from: string; readonly to: string; readonly columns: readonly string[] },
  max = -1,
): Promise<number> {
  const copy = sql.unsafe(`COPY ${to} (${namesSql(columns)}) FROM STDIN`)
  const writer = copyWriter(copy)
  const found = lite.prepare<Readonly<Record<string, string | number | bigint | null>>, [number]>(
    `SELECT ${namesSql(columns)} FROM "${from}" LIMIT ?`,
  )
  found.safeIntegers(true)
  let rows = 0
  let text = ''
  for (const row of found.iterate(max)) {
    text += `${columns.map((name) => copyText(row[name])).join('\t')}\n`
    if (++rows % piece !== 0) continue
    await writer.write(text)
    text = ''
  }
  await writer.write(text)
  await writer.end()
  await copy
  return rows
}

/** Rows that are copied to tell how fast that is. */
const triedRows = 20_000
/** Indexes and checks come on top of the rows; measured on a copy of 600,000. */
const shareOfRows = 0.6

/** Rows that a move copies in a second, all in all. */
export async function copySpeed(lite: Database, sql: SQL): Promise<number> {
  const columns = columnsOf(lite, 'requests')
  const began = performance.now()
  const rows = await sql.begin(async (connection) => {
    const types = columns.map((name) => `"${name}" text`).join(', ')
    await connection.unsafe(`CREATE TEMPORARY TABLE tried_rows (${types}) ON COMMIT DROP`)
    return await copyRows(
      lite,
      connection,
      { from: 'requests', to: 'pg_temp.tried_rows', columns },
      triedRows,
    )
  })
  const usualSpeed = 50_000
  return rows < 1000 ? usualSpeed : (rows / (performance.now() - began)) * 1000 * shareOfRows
}

interface CopyWriter {
  write(text: string): Promise<unknown>
  end(): Promise<unknown>
}

/** Bun (1.4.5) has no type for what takes the rows of `COPY … FROM STDIN`. */
function copyWriter(copy: SQL.Query<unknown>): CopyWriter {
  const stream = (copy as unknown as { writable(): WritableStream<Uint8Array> }).writable()
  const writer = stream.getWriter()
  const encoder = new TextEncoder()
  return {
    write: (text) => (text === '' ? Promise.resolve() : writer.write(encoder.encode(text))),
    end: () => writer.close(),
  }
}

/** PostgreSQL has no NUL in texts. */
const nul = '\0'

/** Value as `COPY` reads it. */
function copyText(value: string | number | bigint | null | undefined): string {
  if (value === null || value === undefined) return String.raw`\N`
  if (typeof value !== 'string') return String(value)
  return /[\\\t\n\r\0]/.test(value)
    ? value
        .replaceAll('\\', String.raw`\\`)
        .replaceAll('\t', String.raw`\t`)
        .replaceAll('\n', String.raw`\n`)
        .replaceAll('\r', String.raw`\r`)
        .replaceAll(nul, '\u{fffd}')
    : value
}

async function checkSame(lite: Database, sql: SQL, table: string, rows: number): Promise<void> {
  const column = moneyColumns[table]
  const sums = `SELECT count(*) AS count, coalesce(sum(${column ?? '0'}), 0) AS sum FROM "${table}"`
  const there: { count: bigint; sum: bigint }[] = await sql.unsafe(sums)
  const here = lite.prepare<{ count: bigint; sum: bigint }, []>(sums).safeIntegers(true).get()
  const [found] = there
  if (found?.count !== BigInt(rows) || found.count !== here?.count || found.sum !== here.sum)
    throw new Error(`${table} is not the same on both sides`)
}

/** Numbers that are given from now on come after those that are there. */
async function numberOn(sql: SQL, table: string, columns: readonly string[]): Promise<void> {
  if (!columns.includes('id')) return
  const found: { name: string | null }[] = await sql.unsafe(
    `SELECT pg_get_serial_sequence('${table}', 'id') AS name`,
  )
  if (typeof found[0]?.name !== 'string') return
  await sql.unsafe(
    `SELECT setval(pg_get_serial_sequence('${table}', 'id'), greatest(coalesce(max(id), 0), 1), coalesce(max(id), 0) > 0)
     FROM "${table}"`,
  )
}
