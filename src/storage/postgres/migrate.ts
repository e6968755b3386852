import { SQL } from 'bun'
import { postgresSteps } from '../postgres-steps.macro' with { type: 'macro' }
import { hasSchema, movingSchema, schemaName } from './connect'

/**
 * Brings the schema up to this program, all or nothing.
 * @returns names of the steps that were made
 * @throws RangeError when the database was made by a newer program, or a move into it is not over
 */
export async function migratePostgres(sql: SQL): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt++)
    try {
      return await makeSteps(sql)
    } catch (thrown) {
      if (attempt === maxAttempts || !isRace(thrown)) throw thrown
    }
}

/** Which steps a database has. */
export const stepsTable =
  'CREATE TABLE IF NOT EXISTS steps (name text COLLATE "C" PRIMARY KEY, made timestamptz NOT NULL DEFAULT now())'

const steps = postgresSteps()
const maxAttempts = 5

/** Another process was making the same: unique_violation, duplicate_schema, duplicate_table, serialization_failure. */
const isRace = (thrown: unknown): boolean =>
  thrown instanceof SQL.PostgresError &&
  ['23505', '42P06', '42P07', '40001'].includes(String(thrown.errno))

async function makeSteps(sql: SQL): Promise<readonly string[]> {
  return sql.begin(async (connection) => {
    await connection.unsafe(`CREATE SCHEMA IF NOT EXISTS ${schemaName}`)
    await connection.unsafe(stepsTable)
    // One process makes them, others wait and find them made.
    await connection.unsafe('LOCK TABLE steps IN EXCLUSIVE MODE')
    const made = await refuseNewer(connection)
    const pending = steps.filter(({ name }) => !made.has(name))
    // A new database beside the one that is being filled would be taken for it.
    if (made.size === 0 && (await hasSchema(connection, movingSchema)))
      throw new RangeError(
        `a data folder is being moved into this database, or was: end that with chapar migrate, or remove what is there with DROP SCHEMA ${movingSchema} CASCADE`,
      )
    for (const { name, statements } of pending) {
      for (const statement of statements) await connection.unsafe(statement)
      await connection.unsafe('INSERT INTO steps (name) VALUES ($1)', [name])
    }
    return pending.map(({ name }) => name)
  })
}

/**
 * Refuses what this program does not know whole.
 * @returns names of the steps that were made
 * @throws RangeError when the database was made by a newer program
 */
export async function refuseNewer(sql: SQL): Promise<ReadonlySet<string>> {
  const rows: { name: string }[] = await sql.unsafe('SELECT name FROM steps')
  const made = new Set(rows.map(({ name }) => name))
  const known = new Set(steps.map(({ name }) => name))
  if (!made.isSubsetOf(known))
    throw new RangeError('the database was made by a newer version of this program: use that one')
  return made
}
