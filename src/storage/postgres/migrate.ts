import { SQL } from 'bun'
import type { PostgresStep } from '../postgres-steps.macro'
import { postgresSteps } from '../postgres-steps.macro' with { type: 'macro' }
import type { DatabaseAddress } from '../database-address'
import { lacksSquashed, tooOldToMigrate } from '../squashed'
import { hasSchema, movingSchema, openDatabase, schemaName } from './connect'
import { dataFormat } from './data-format'
import { examined } from './examine-server'
import { reachable } from './reachable'
import { fenceOlder, servingOlder, servesOlder, type OlderNode } from './older-nodes'

/**
 * Brings the schema up to this program, all or nothing. A step that begins another format of data waits for nodes of
 * before that were killed to be silent for their lease; those that still serve then are in its way.
 * @param mayMigrate whether a schema of an earlier release is brought up; else it is refused
 * @returns names of the steps that were made
 * @throws RangeError when a newer program has begun another format, the database is too old, older nodes serve, or a
 *   move into it is not over
 */
export async function migratePostgres(
  sql: SQL,
  mayMigrate = true,
  steps: readonly PostgresStep[] = known,
): Promise<readonly string[]> {
  let races = 0
  let until: number | null = null
  for (;;)
    try {
      return await makeSteps(sql, mayMigrate, steps)
    } catch (thrown) {
      if (thrown instanceof OlderServe) {
        until ??= performance.now() + thrown.leaseMs + lateMs
        if (performance.now() >= until) throw new RangeError(servesOlder(thrown.nodes))
        await Bun.sleep(Math.min(lookAgainMs, Math.max(0, until - performance.now())))
      } else if (++races === maxAttempts || !isRace(thrown)) throw thrown
    }
}

/** Nodes whose program would leave out what a step begins serve still. */
class OlderServe extends Error {
  /** Of the one that has the longest: whoever has not spoken again by then is gone. */
  readonly leaseMs: number

  constructor(readonly nodes: readonly OlderNode[]) {
    super('older nodes serve')
    this.leaseMs = Math.max(...nodes.map(({ leftMs }) => leftMs))
  }
}

const lookAgainMs = 500
/** A node that lives speaks before its lease is over; its word may be on the way. */
const lateMs = 500

/** Which steps a database has. */
export const stepsTable =
  'CREATE TABLE IF NOT EXISTS steps (name text COLLATE "C" PRIMARY KEY, made timestamptz NOT NULL DEFAULT now())'

const known: readonly PostgresStep[] = postgresSteps()
const maxAttempts = 5

/** Another process was making the same: unique_violation, duplicate_schema, duplicate_table, serialization_failure. */
const isRace = (thrown: unknown): boolean =>
  thrown instanceof SQL.PostgresError &&
  ['23505', '42P06', '42P07', '40001'].includes(String(thrown.errno))

async function makeSteps(
  sql: SQL,
  mayMigrate: boolean,
  steps: readonly PostgresStep[],
): Promise<readonly string[]> {
  return sql.begin(async (connection) => {
    await connection.unsafe(`CREATE SCHEMA IF NOT EXISTS ${schemaName}`)
    await connection.unsafe(stepsTable)
    // One process makes them, others wait and find them made.
    await connection.unsafe('LOCK TABLE steps IN EXCLUSIVE MODE')
    const { made, pending, begins, isNewer } = await stateOf(connection, steps)
    if (isNewer) throw new RangeError(newer)
    if (!mayMigrate && made.size > 0 && pending.length > 0) throw new RangeError(older)
    // A new database beside the one that is being filled would be taken for it.
    if (made.size === 0 && (await hasSchema(connection, movingSchema)))
      throw new RangeError(
        `a data folder is being moved into this database, or was: end that with chapar migrate, or remove what is there with DROP SCHEMA ${movingSchema} CASCADE`,
      )
    if (made.size > 0) await refuseWhileOlderServe(connection, begins)
    for (const { name, statements } of pending) {
      for (const statement of statements) await connection.unsafe(statement)
      await connection.unsafe('INSERT INTO steps (name) VALUES ($1)', [name])
    }
    return pending.map(({ name }) => name)
  })
}

/** Nodes that are silent for their lease will be refused when they wake. @throws OlderServe */
async function refuseWhileOlderServe(connection: SQL, format: number): Promise<void> {
  const older = await servingOlder(connection, format, true)
  if (older.length > 0) throw new OlderServe(older)
  if (format > 0) await fenceOlder(connection, format)
}

async function madeSteps(sql: SQL): Promise<ReadonlySet<string>> {
  const rows: { name: string }[] = await sql.unsafe('SELECT name FROM steps')
  return new Set(rows.map(({ name }) => name))
}

const isKnown = (made: ReadonlySet<string>, steps = known): boolean =>
  made.isSubsetOf(new Set(steps.map(({ name }) => name)))

/** Steps of a database beside those of this program. */
interface SchemaState {
  readonly made: ReadonlySet<string>
  readonly pending: readonly PostgresStep[]
  /** Format of data that those begin; 0 for none. */
  readonly begins: number
  /**
   * This program would leave something out. Steps of a newer release that begin no other format do not matter, unless
   * some of this program are missing beside them: it is of another branch.
   */
  readonly isNewer: boolean
}

/** @throws RangeError when the database is too old */
async function stateOf(sql: SQL, steps = known): Promise<SchemaState> {
  const made = await madeSteps(sql)
  const pending = steps.filter(({ name }) => !made.has(name))
  const begins = Math.max(0, ...pending.map(({ format }) => format))
  const isNewer =
    !isKnown(made, steps) && (pending.length > 0 || (await formatThere(sql)) > dataFormat)
  if (!isNewer && made.size > 0 && lacksSquashed(steps, pending, ({ statements }) => statements))
    throw new RangeError(tooOldToMigrate)
  return { made, pending, begins, isNewer }
}

const newer =
  'a newer release of this program has brought this database to another format: use that one'

const older =
  'the database is of an earlier release: use the program of its nodes, or bring it up to this one with chapar serve'

/** Nodes of before, or a newer release, that keep this program from a database. */
interface OtherFormat {
  readonly older: readonly OlderNode[]
  readonly isNewer: boolean
}

/** Looks without a change. @throws RangeError as of `reachable` */
export async function readOtherFormat(named: DatabaseAddress): Promise<OtherFormat> {
  const address = await examined(named)
  return await reachable(address, async () => {
    await using sql = openDatabase({ address, max: 1, name: 'chapar doctor' })
    if (!(await hasSchema(sql, schemaName))) return { older: [], isNewer: false }
    const { made, begins, isNewer } = await stateOf(sql)
    const older = made.size > 0 && begins > 0 ? await servingOlder(sql, begins, false) : []
    return { older, isNewer }
  })
}

/** Format of what is written there; 0 where it was made before there were any. */
async function formatThere(sql: SQL): Promise<number> {
  const rows: { format: bigint }[] = await sql.unsafe(
    `SELECT coalesce((to_jsonb(w) ->> 'format')::bigint, 0) AS format FROM world w`,
  )
  return Number(rows[0]?.format ?? 0)
}

/**
 * Refuses what this program does not know whole, as a copy would lack the rest.
 * @throws RangeError when a newer program has added to the database
 */
export async function refuseNewer(sql: SQL): Promise<void> {
  if (!isKnown(await madeSteps(sql)))
    throw new RangeError('a newer release of this program has added to this database: use that one')
}
