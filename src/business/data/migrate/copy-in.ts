import type { Database } from 'bun:sqlite'
import type { SQL } from 'bun'

/** A row, in the order of the columns that were asked for; it may have more behind them. */
export type CopiedRow = readonly (string | number | bigint | null)[]

/** Names of the tables of a database of ours, none of SQLite's and drizzle's. */
export const tablesOf = (lite: Database): readonly string[] =>
  lite
    .prepare<{ name: string }, []>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND name NOT LIKE '\\_\\_%' ESCAPE '\\' AND name <> 'backup' ORDER BY name`,
    )
    .all()
    .map(({ name }) => name)

/** Rows of a table, or of all. */
export const countRows = (lite: Database, tables: readonly string[] = tablesOf(lite)): number =>
  tables.reduce((sum, table) => {
    const found = lite.prepare<{ count: number }, []>(`SELECT count(*) AS count FROM "${table}"`)
    return sum + (found.get()?.count ?? 0)
  }, 0)

export const columnsOf = (lite: Database, table: string): readonly string[] =>
  lite
    .prepare<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => name)

/** Names in quotes, with commas. */
export const namesSql = (names: readonly string[]): string =>
  names.map((name) => `"${name}"`).join(', ')

/** Names of the columns of a table's primary key, in its order. */
export const primaryKeyOf = (lite: Database, table: string): readonly string[] =>
  lite
    .prepare<{ name: string }, [string]>(
      'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk',
    )
    .all(table)
    .map(({ name }) => name)

const rowsInPiece = 5000

/**
 * All rows of a table, in pieces, as of one moment: until the last one the database keeps its log.
 * @param from SQL in the place of the table, which is `t` in it: some of its rows
 */
export function* wholeTable(
  lite: Database,
  table: string,
  from = `"${table}" t`,
): Generator<readonly CopiedRow[]> {
  const columns = columnsOf(lite, table)
  const names = columns.map((name) => `t."${name}"`).join(', ')
  const found = lite.prepare<Readonly<Record<string, CopiedRow[number]>>, []>(
    `SELECT ${names} FROM ${from}`,
  )
  let piece: CopiedRow[] = []
  for (const row of found.safeIntegers(true).iterate()) {
    piece.push(columns.map((name) => row[name] ?? null))
    if (piece.length < rowsInPiece) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

/**
 * All rows of a table in the order of its primary key, in pieces, each as of a moment of its own. Read in
 * a few hundredths of a second, for which the log of a gateway cannot begin anew.
 */
export function* pagedTable(lite: Database, table: string): Generator<readonly CopiedRow[]> {
  const columns = columnsOf(lite, table)
  const key = primaryKeyOf(lite, table)
  const page = (where: string) =>
    lite
      .prepare(
        `SELECT ${namesSql(columns)} FROM "${table}" ${where} ORDER BY ${namesSql(key)} LIMIT ${rowsInPiece}`,
      )
      .safeIntegers(true)
  const next = page(`WHERE (${namesSql(key)}) > (${key.map(() => '?').join(', ')})`)
  const places = key.map((name) => columns.indexOf(name))
  let rows = page('').values() as CopiedRow[]
  while (rows.length > 0) {
    yield rows
    const last = rows.at(-1)
    rows = next.values(...places.map((place) => last?.[place] ?? null)) as CopiedRow[]
  }
}

/** Where rows are copied to. */
export interface CopyPlace {
  readonly table: string
  readonly columns: readonly string[]
  /** The transaction made or emptied the table: rows count as old from their beginning, and are never written again. */
  readonly isNew?: boolean
}

/** Copies rows to PostgreSQL in one statement. @returns how many */
export async function copyRows(
  sql: SQL,
  { table, columns, isNew = false }: CopyPlace,
  pieces: Iterable<readonly CopiedRow[]>,
  onRows: (rows: number) => void = () => {},
): Promise<number> {
  const copy = sql.unsafe(
    `COPY ${table} (${namesSql(columns)}) FROM STDIN${isNew ? ' WITH (FREEZE)' : ''}`,
  )
  const writer = copyWriter(copy)
  let rows = 0
  for (const piece of pieces) {
    await writer.write(piece.map((row) => copyLine(row, columns.length)).join(''))
    rows += piece.length
    onRows(piece.length)
  }
  await writer.end()
  await copy
  return rows
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

function copyLine(row: CopiedRow, columns: number): string {
  let line = ''
  for (let at = 0; at < columns; at++) line += (at === 0 ? '' : '\t') + copyText(row[at])
  return `${line}\n`
}

/** PostgreSQL has no NUL in texts. */
const nul = '\0'

/** Value as `COPY` reads it. */
function copyText(value: CopiedRow[number] | undefined): string {
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
