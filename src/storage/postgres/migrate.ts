import { SQL } from 'bun'
import { postgresSteps } from '../postgres-steps.macro' with { type: 'macro' }
import { schemaName } from './connect'

/** What slows rows that are copied down, and cannot be kept until all are there. */
const isConstraint = (statement: string): boolean =>
  /^(?:CREATE (?:UNIQUE )?INDEX|CREATE TRIGGER|ALTER TABLE "\w+" ADD CONSTRAINT)/.test(statement)

/**
 * Brings the schema up to this program, all or nothing.
 * @param fill puts rows into a new database, before its constraints are made
 * @returns names of the steps that were made
 * @throws RangeError when the database was made by a newer program
 */
export async function migratePostgres(
  sql: SQL,
  fill: (connection: SQL) => Promise<void> = async () => {},
): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt++)
    try {
      return await makeSteps(sql, fill)
    } catch (thrown) {
      if (attempt === maxAttempts || !isRace(thrown)) throw thrown
    }
}

const maxAttempts = 5

/** Another process was making the same: unique_violation, duplicate_schema, duplicate_table, serialization_failure. */
const isRace = (thrown: unknown): boolean =>
  thrown instanceof SQL.PostgresError &&
  ['23505', '42P06', '42P07', '40001'].includes(String(thrown.errno))

async function makeSteps(
  sql: SQL,
  fill: (connection: SQL) => Promise<void>,
): Promise<readonly string[]> {
  const steps = postgresSteps()
  return sql.begin(async (connection) => {
    await connection.unsafe(`CREATE SCHEMA IF NOT EXISTS ${schemaName}`)
    await connection.unsafe(
      'CREATE TABLE IF NOT EXISTS steps (name text COLLATE "C" PRIMARY KEY, made timestamptz NOT NULL DEFAULT now())',
    )
    // One process makes them, others wait and find them made.
    await connection.unsafe('LOCK TABLE steps IN EXCLUSIVE MODE')
    const rows: { name: string }[] = await connection.unsafe('SELECT name FROM steps')
    const made = new Set(rows.map(({ name }) => name))
    const known = new Set(steps.map(({ name }) => name))
    if (!made.isSubsetOf(known))
      throw new RangeError('the database was made by a newer version of this program: use that one')
    const pending = steps.filter(({ name }) => !made.has(name))
    const statements = pending.flatMap(({ statements: all }) => all)
    for (const statement of statements)
      if (!isConstraint(statement)) await connection.unsafe(statement)
    if (made.size === 0) await fill(connection)
    for (const statement of statements)
      if (isConstraint(statement)) await connection.unsafe(statement)
    for (const { name } of pending)
      await connection.unsafe('INSERT INTO steps (name) VALUES ($1)', [name])
    return pending.map(({ name }) => name)
  })
}
