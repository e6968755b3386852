import { join } from 'node:path'
import { migrations } from '../migrations.macro' with { type: 'macro' }
import type { Connection } from './database'

/** What drizzle's own migrator calls; absent from its public types. */
interface Migrator {
  migrate(list: ReturnType<typeof migrations>, session: unknown, config: undefined): void
}

const takesAway = /\bDROP\b|\b__new_/i

/**
 * Brings the schema up to this program. A database that loses or rebuilds a table is copied first.
 * @param folder null when the database is in memory
 * @throws RangeError when the database was made by a newer program
 */
export function migrate(connection: Connection, folder: string | null): void {
  const { raw } = connection
  const all = migrations()
  const applied = appliedCount(connection)
  if (applied > all.length)
    throw new RangeError(
      'the database was made by a newer version of this program: use that one, or another data folder',
    )
  if (applied === all.length) return
  const pending = all.slice(applied)
  const destructive = pending.some(({ sql }) => sql.some((statement) => takesAway.test(statement)))
  if (folder !== null && applied > 0 && destructive)
    raw.prepare('VACUUM INTO ?').run(join(folder, `before-migration-${all.length}.db`))
  // A migration cannot switch this itself: all of them run in one transaction.
  raw.run('PRAGMA foreign_keys = OFF')
  try {
    const { dialect, session } = connection.orm as unknown as {
      readonly dialect: Migrator
      readonly session: unknown
    }
    dialect.migrate(all, session, undefined)
  } finally {
    raw.run('PRAGMA foreign_keys = ON')
  }
}

function appliedCount({ raw }: Connection): number {
  const table = raw
    .prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '__drizzle_migrations'`)
    .get()
  if (table === null) return 0
  const row = raw
    .prepare<{ count: number }, []>('SELECT count(*) AS count FROM __drizzle_migrations')
    .get()
  return row?.count ?? 0
}
