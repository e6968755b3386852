import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../migrations.macro' with { type: 'macro' }
import type { Connection } from './connection'
import { lockFolder } from '../files/folder-lock'
import { lacksSquashed, tooOldToMigrate } from '../squashed'
import type { Migration } from './migration'
import { hasTable, isAdditive, readFloor } from './schema-floor'

export interface MigrateParts {
  /** Null when the database is in memory. */
  readonly folder: string | null
  /** This process holds the folder's lock already. */
  readonly locked: boolean
  readonly migrations?: readonly Migration[]
}

/** What became of a database of an older program. */
export interface Migrated {
  readonly steps: number
  /** The file as it was; null where something was only added. */
  readonly copy: string | null
}

/**
 * Brings the schema up to this program, all or nothing. A database of which something is changed, lost or rebuilt
 * is copied first, and no gateway may be serving it.
 * @returns null where there was nothing to do, or nothing there before
 * @throws RangeError when a newer program has changed what is there
 * @throws DataFolderBusy
 */
export function migrate(connection: Connection, parts: MigrateParts): Migrated | null {
  const { folder, locked, migrations: all = migrations() } = parts
  const { applied, pending } = stepsOf(connection, all, folder)
  if (pending.length === 0) return null
  if (folder === null || applied === 0 || pending.every(isAdditive)) {
    apply(connection, all)
    return applied === 0 ? null : { steps: pending.length, copy: null }
  }
  const unlock = locked ? () => {} : lockFolder(folder)
  try {
    const kept = copy(connection, folder, all.length)
    apply(connection, all)
    return { steps: pending.length, copy: kept }
  } finally {
    unlock()
  }
}

function apply(connection: Connection, all: readonly Migration[]): void {
  const { raw } = connection
  // A migration cannot switch this itself: all of them run in one transaction.
  raw.run('PRAGMA foreign_keys = OFF')
  try {
    connection.transaction(() => {
      // The table is the one that drizzle's own tools read.
      raw.run(
        'CREATE TABLE IF NOT EXISTS __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)',
      )
      const remember = raw.prepare(
        'INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)',
      )
      // Another process may have done all this a moment ago.
      for (const { sql, hash, folderMillis } of stepsOf(connection, all, null).pending) {
        for (const statement of sql) raw.run(statement)
        remember.run(hash, folderMillis)
      }
      const broken = raw.prepare('PRAGMA foreign_key_check').all()
      if (broken.length > 0)
        throw new Error(`a migration left ${broken.length} rows without parent`)
    }, 'durable')
  } finally {
    raw.run('PRAGMA foreign_keys = ON')
  }
}

/** Steps of a database beside those of a program. */
interface SchemaSteps {
  /** How many it has. */
  readonly applied: number
  readonly pending: readonly Migration[]
  /** How many of a newer program it has. */
  readonly unknown: number
}

/**
 * Steps of a newer program do not matter where they only added something, unless some of this program are missing
 * beside them: the database is of another branch.
 * @throws RangeError when a newer program has changed what is there, or one that is too old has made it
 */
export function stepsOf(
  connection: Connection,
  all: readonly Migration[],
  folder: string | null,
): SchemaSteps {
  const applied = namesIn(connection)
  const pending = all.filter(({ folderMillis }) => !applied.has(folderMillis))
  const unknown = applied.size - (all.length - pending.length)
  const reader = readFloor(connection)?.reader ?? Number.POSITIVE_INFINITY
  if (unknown > 0 && (pending.length > 0 || reader > all.length))
    throw new RangeError(
      `the database was made by a newer version of this program: use that one, or another data folder${copiesIn(folder)}`,
    )
  if (applied.size > 0 && lacksSquashed(all, pending, ({ sql }) => sql))
    throw new RangeError(tooOldToMigrate)
  return { applied: applied.size, pending, unknown }
}

/** Steps that a database has. */
function namesIn(connection: Connection): ReadonlySet<number> {
  if (!hasTable(connection, '__drizzle_migrations')) return new Set()
  const rows = connection.raw
    .prepare<{ created_at: number }, []>('SELECT created_at FROM __drizzle_migrations')
    .all()
  return new Set(rows.map((row) => row.created_at))
}

/** The first free name: a copy is never written over. */
function copy({ raw }: Connection, folder: string, version: number): string {
  const name = (number: number) =>
    join(folder, `before-migration-${version}${number === 0 ? '' : `.${number}`}.db`)
  let number = 0
  while (existsSync(name(number))) number++
  raw.prepare('VACUUM INTO ?').run(name(number))
  chmodSync(name(number), 0o600)
  return name(number)
}

/** What an older program may go back to. */
function copiesIn(folder: string | null): string {
  const copies = folder === null ? [] : readdirSync(folder).filter((name) => copyName.test(name))
  return copies.length === 0 ? '' : `; kept from before an upgrade: ${copies.sort().join(', ')}`
}

const copyName = /^before-migration-.*\.db$/
