import type { Database } from 'bun:sqlite'
import type { ReservedSQL, SQL } from 'bun'
import type { AuditReport } from '../../../ledger/store'
import type { DatabaseAddress } from '../../../storage/database-address'
import { auditEnd, auditFirst, moveTimeoutMs } from './audit-copy'
import {
  hasSchema,
  movingSchema,
  openDatabase,
  schemaName,
  searchPath,
} from '../../../storage/postgres/connect'
import { columnsOf, copyRows, namesSql, countRows, tablesOf, wholeTable } from './copy-in'
import { GrowingRows, type RowMark } from './growing-rows'
import { stepsTable } from '../../../storage/postgres/migrate'
import { baseSums, moveTables, sinceTables } from './move-audit'
import { addRows, beginRows } from './move-rows'
import { failedVideoCalls, tablesThat } from './moved-tables'
import { changedIn, MovingSums, unchangedIn } from './moving-sums'
import { examined } from '../../../storage/postgres/examine-server'
import { mayNotCreate, reachable } from '../../../storage/postgres/reachable'
import { checkSame } from './verify'
import { schemaParts } from './schema-parts'

/** How far a move is. */
export type MoveStage =
  | { readonly stage: 'copying'; readonly rows: number; readonly of: number }
  | { readonly stage: 'indexing' | 'finishing' | 'checking' }

/** Result of a move. */
export interface MovedIn {
  readonly tables: number
  readonly rows: number
  readonly audit: AuditReport
}

/** All that a database of SQLite has, on its way into a new one on PostgreSQL. */
export interface Move extends AsyncDisposable {
  /**
   * Copies rows that were added and have settled since the last time; somebody may go on writing.
   * @returns how many
   */
  catchUp(): Promise<number>
  /**
   * Copies what is left, now that nobody writes, compares both sides and audits the copy.
   * @throws RangeError where it does not add up
   */
  finish(): Promise<MovedIn>
  /**
   * Makes of what is finished the database that gateways serve from.
   * @param note where from is left that it moved: before, so that never both are served
   */
  publish(note?: () => void): Promise<void>
}

/** Connections that are still at work are cut then. */
const closeSeconds = 1
/** One move into a database at a time: an arbitrary number of our own. */
const moveLock = 7_240_113

/** Where a move is at work. Sums of many rows are made in memory, not in files of the server. */
const inMove = (address: DatabaseAddress): DatabaseAddress => ({
  ...address,
  settings: {
    search_path: searchPath(movingSchema),
    work_mem: '64MB',
    maintenance_work_mem: '256MB',
    max_parallel_workers_per_gather: '2',
  },
})

/**
 * Begins a move; nobody serves from what it makes until it is published. What an earlier move left is
 * removed.
 * @throws RangeError where there is a database of ours already, or another move is at work
 */
export async function openMove(
  lite: Database,
  named: DatabaseAddress,
  tell: (stage: MoveStage) => void = () => {},
): Promise<Move> {
  const address = await examined(named)
  const moving = inMove(address)
  const sql = openDatabase({
    address: moving,
    max: 2,
    name: 'chapar migrate',
    statementTimeoutMs: moveTimeoutMs,
  })
  try {
    const guard = await reachable(address, () => takeTarget(sql, address))
    const parts = schemaParts()
    await guard.unsafe(`DROP SCHEMA IF EXISTS ${movingSchema} CASCADE`)
    await sql.begin(async (connection) => {
      await connection.unsafe(`CREATE SCHEMA ${movingSchema}`)
      await connection.unsafe(stepsTable)
      for (const statement of [...parts.tables, ...sinceTables]) await connection.unsafe(statement)
    })
    return moveInto(moving, { lite, sql, guard, parts, tell })
  } catch (thrown) {
    await sql.close({ timeout: closeSeconds })
    throw thrown
  }
}

/** Nobody else moves into the database for as long as this process has it. @throws RangeError */
async function takeTarget(sql: SQL, address: DatabaseAddress): Promise<ReservedSQL> {
  const guard = await sql.reserve()
  const [lock]: { taken: boolean }[] = await guard.unsafe(
    `SELECT pg_try_advisory_lock(${moveLock}) AS taken`,
  )
  if (lock?.taken !== true)
    throw new RangeError(`another move into ${address.shown} is at work: wait for it`)
  await refuseTaken(guard, address)
  return guard
}

/** @throws RangeError where there is a database of ours already, or none can be made */
export async function refuseTaken(sql: SQL, address: DatabaseAddress): Promise<void> {
  if (await hasSchema(sql, schemaName))
    throw new RangeError(`${address.shown} holds data of this program already: name a new database`)
  const [may]: { create: boolean }[] = await sql.unsafe(
    `SELECT has_database_privilege(current_database(), 'CREATE') AS create`,
  )
  if (may?.create !== true) throw new RangeError(`${address.shown} ${mayNotCreate(address)}`)
}

interface MoveParts {
  readonly lite: Database
  readonly sql: SQL
  /** Keeps others from the database for as long as it is open. */
  readonly guard: ReservedSQL
  readonly parts: ReturnType<typeof schemaParts>
  readonly tell: (stage: MoveStage) => void
}

function moveInto(moving: DatabaseAddress, given: MoveParts): Move {
  const { lite, sql, guard, parts, tell } = given
  const growing = tablesThat('grows').map((table) => new GrowingRows(lite, table))
  const sums = new MovingSums(lite)
  const progress = { rows: 0, of: 0 }
  const onRows = (rows: number) => {
    progress.rows += rows
    tell({ stage: 'copying', ...progress })
  }
  let isBegun = false
  /** Rows that were found the same on both sides, and have not changed since. */
  let same = 0
  let isKept = false

  const catchUp = async (): Promise<number> => {
    const marks = lite.transaction(() => {
      if (!isBegun) sums.look()
      return growing.map((rows) => ({ rows, mark: rows.look() }))
    })()
    const before = progress.rows
    progress.of += marks.reduce((sum, { rows, mark }) => sum + rows.waiting(mark), 0)
    if (!isBegun) progress.of += sums.count()
    if (isBegun) for (const { rows, mark } of marks) await addRows(sql, rows, mark, onRows)
    else same = await begin(moving, given, { marks, sums, onRows })
    isBegun = true
    return progress.rows - before
  }

  return {
    catchUp,
    async finish() {
      await catchUp()
      tell({ stage: 'finishing' })
      const tables = tablesOf(lite)
      const changed = await sql.begin(async (connection) => {
        const periods = await sums.finish(connection)
        await copyRest(lite, connection, parts)
        return periods
      })
      // The others have been, and have hardly changed.
      await sql.unsafe(`ANALYZE ${namesSql(tablesThat('whole'))}`)
      tell({ stage: 'checking' })
      const rest = tables.filter((table) => !sums.tables.includes(table))
      same += await checkSame(lite, sql, sums.tables, (table) => changedIn(table, changed))
      same += await checkSame(lite, sql, rest)
      const report = auditEnd(moving, changed)
      return { tables: tables.length, rows: same, audit: report }
    },
    async publish(note = () => {}) {
      note()
      isKept = true
      await giveName(sql)
    },
    async [Symbol.asyncDispose]() {
      if (!isKept) await sql.unsafe(`DROP SCHEMA IF EXISTS ${movingSchema} CASCADE`).catch(() => {})
      // Closing would wait for a connection that is reserved, without an end.
      await guard.release().catch(() => {})
      await sql.close({ timeout: closeSeconds })
    },
  }
}

interface MarkedRows {
  readonly rows: GrowingRows
  readonly mark: RowMark
}

interface FirstCopy {
  readonly marks: readonly MarkedRows[]
  readonly sums: MovingSums
  onRows(rows: number): void
}

/**
 * Copies, adds up, compares and audits what is there, so that little of it is left for the end.
 * @returns how many rows of sums are the same on both sides, and did not change meanwhile
 */
async function begin(
  moving: DatabaseAddress,
  { lite, sql, parts, tell }: MoveParts,
  { marks, sums, onRows }: FirstCopy,
): Promise<number> {
  for (const { rows, mark } of marks) await beginRows(sql, rows, mark, onRows)
  await sums.begin(sql, onRows)
  tell({ stage: 'indexing' })
  for (const table of (['grows', 'sums', 'derived'] as const).flatMap(tablesThat))
    for (const statement of parts.indexesOf(table)) await sql.unsafe(statement)
  for (const statement of [...baseSums, 'ANALYZE']) await sql.unsafe(statement)
  const changed = sums.changed()
  const same = await checkSame(lite, sql, sums.tables, (table) => unchangedIn(table, changed))
  auditFirst(moving, changed)
  return same
}

/** Copies what changes, and ties all tables together. */
async function copyRest(lite: Database, sql: SQL, parts: MoveParts['parts']): Promise<void> {
  const whole = tablesThat('whole')
  for (const table of whole) await copyWhole(lite, sql, table)
  await sql.unsafe(
    `UPDATE requests r SET status = 'error', error = f.error
     FROM json_to_recordset(($1::text)::json) AS f (id text, error text) WHERE r.id = f.id AND r.status = 'success'`,
    [JSON.stringify(lite.prepare(failedVideoCalls).all())],
  )
  for (const table of tablesOf(lite)) await numberOn(sql, table, columnsOf(lite, table))
  for (const table of [...whole, ...parts.ownTables])
    for (const statement of parts.indexesOf(table)) await sql.unsafe(statement)
  for (const statement of parts.ties) await sql.unsafe(statement)
  for (const step of parts.steps) await sql.unsafe('INSERT INTO steps (name) VALUES ($1)', [step])
}

/** The database that gateways serve from. */
const giveName = (sql: SQL): Promise<void> =>
  sql.begin(async (connection) => {
    await connection.unsafe(`DROP TABLE ${moveTables.join(', ')}`)
    await connection.unsafe(`ALTER SCHEMA ${movingSchema} RENAME TO ${schemaName}`)
  })

/**
 * Publishes what was finished and never got its name.
 * @param id identity of the database that it is of
 * @returns null where there is nothing of that kind
 */
export async function endMove(
  lite: Database,
  id: string,
  address: DatabaseAddress,
): Promise<MovedIn | null> {
  const moving = inMove(await examined(address))
  await using sql = openDatabase({ address: moving, max: 1, name: 'chapar migrate' })
  if (!(await hasSchema(sql, movingSchema)) || (await hasSchema(sql, schemaName))) return null
  const [made]: { value: string }[] = await sql.unsafe(
    `SELECT value FROM settings WHERE key = 'database_id'`,
  )
  if (made?.value !== id) return null
  const report = auditEnd(moving, null)
  await giveName(sql)
  return { tables: tablesOf(lite).length, rows: countRows(lite), audit: report }
}

async function copyWhole(lite: Database, sql: SQL, table: string): Promise<void> {
  // What the schema begins with comes with the rest.
  await sql.unsafe(`TRUNCATE "${table}"`)
  const place = { table: `"${table}"`, columns: columnsOf(lite, table), isNew: true }
  await copyRows(sql, place, wholeTable(lite, table))
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
