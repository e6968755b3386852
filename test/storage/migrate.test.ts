import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../src/storage/sqlite/connect'
import { DataFolderBusy } from '../../src/storage/sqlite/folder-lock'
import { migrate, type Migration } from '../../src/storage/sqlite/migrate'
import { migrations } from '../../src/storage/migrations.macro'
import { testFolder, type TestFolder } from './folder'

const step = (folderMillis: number, ...sql: string[]): Migration => ({
  sql,
  folderMillis,
  hash: `hash ${folderMillis}`,
})

const first = step(1, 'CREATE TABLE a (x)', 'INSERT INTO a VALUES (7)')
const adds = step(2, 'CREATE TABLE b (y)')
const loses = step(3, 'DROP TABLE a')
const fails = step(4, 'CREATE TABLE c (z)', 'INSERT INTO nowhere VALUES (1)')

/** Opens, migrates, and tells which tables there are then. */
function run(folder: TestFolder, ...steps: Migration[]): string[] {
  const connection = connect(join(folder.path, 'chapar.db'))
  try {
    migrate(connection, { folder: folder.path, locked: false, migrations: steps })
  } finally {
    connection.close()
  }
  return tables(join(folder.path, 'chapar.db'))
}

function tables(file: string): string[] {
  using raw = new Database(file)
  return raw
    .prepare<{ name: string }, []>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .all()
    .map(({ name }) => name)
}

const copies = (folder: TestFolder): string[] =>
  readdirSync(folder.path).filter((name) => name.startsWith('before-'))

describe('migrations', () => {
  test('each is applied once, in order', () => {
    using folder = testFolder()
    expect(run(folder, first)).toEqual(['a'])
    expect(run(folder, first, adds)).toEqual(['a', 'b'])
    expect(run(folder, first, adds)).toEqual(['a', 'b'])
  })

  test('that only add make no copy, and neither does a new database', () => {
    using folder = testFolder()
    run(folder, first)
    run(folder, first, adds)
    expect(copies(folder)).toEqual([])
    using fresh = testFolder()
    expect(run(fresh, first, loses)).toEqual([])
    expect(copies(fresh)).toEqual([])
  })

  test('that lose something copy the database first, for its owner only', () => {
    using folder = testFolder()
    run(folder, first)
    expect(run(folder, first, adds, loses)).toEqual(['b'])
    expect(copies(folder)).toEqual(['before-migration-3.db'])
    const copy = join(folder.path, 'before-migration-3.db')
    expect(tables(copy)).toEqual(['a'])
    expect((statSync(copy).mode & 0o777).toString(8)).toBe('600')
  })

  test.each([
    'ALTER TABLE a DROP COLUMN x',
    'drop table a',
    'CREATE TABLE `__new_a` (x); ALTER TABLE `__new_a` RENAME TO `b`',
  ])('%p counts as losing something', (sql) => {
    using folder = testFolder()
    run(folder, step(1, 'CREATE TABLE a (x, y)'))
    run(folder, step(1, ''), step(2, ...sql.split('; ')))
    expect(copies(folder)).toHaveLength(1)
  })

  test('never write over an earlier copy', () => {
    using folder = testFolder()
    run(folder, first)
    const broken = step(3, 'DROP TABLE a', 'INSERT INTO nowhere VALUES (1)')
    expect(() => run(folder, first, broken)).toThrow()
    run(folder, first, loses)
    expect(copies(folder).toSorted()).toEqual(['before-migration-2.1.db', 'before-migration-2.db'])
    expect(tables(join(folder.path, 'before-migration-2.1.db'))).toEqual(['a'])
  })

  test('that lose something wait for no gateway to serve the folder', () => {
    using folder = testFolder()
    const serving = folder.open(true)
    expect(() => run(folder, ...migrations(), step(9e15, 'DROP TABLE calibrations'))).toThrow(
      DataFolderBusy,
    )
    serving.close()
    run(folder, ...migrations(), step(9e15, 'DROP TABLE calibrations'))
  })

  test('leave everything as it was when one of them fails', () => {
    using folder = testFolder()
    run(folder, first)
    expect(() => run(folder, first, adds, fails)).toThrow('nowhere')
    expect(tables(join(folder.path, 'chapar.db'))).toEqual(['a'])
    expect(run(folder, first, adds)).toEqual(['a', 'b'])
  })

  test('leave no row without its parent', () => {
    using folder = testFolder()
    run(folder, step(1, 'CREATE TABLE p (id PRIMARY KEY)', 'CREATE TABLE c (p REFERENCES p (id))'))
    const orphans = step(2, 'INSERT INTO c VALUES (1)')
    expect(() => run(folder, step(1, ''), orphans)).toThrow('without parent')
  })

  test('of a newer program are not touched', () => {
    using folder = testFolder()
    run(folder, first, adds)
    expect(() => run(folder, first)).toThrow(/made by a newer version of this program/)
    expect(run(folder, first, adds)).toEqual(['a', 'b'])
    using other = testFolder()
    other.open().close()
    other.raw().run(`INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('new', 9e15)`)
    expect(() => other.open(true)).toThrow(/newer version/)
    // The refusal holds no lock.
    expect(() => other.open(true)).toThrow(/newer version/)
  })

  test('give every database the same schema as a new one', () => {
    using folder = testFolder()
    const steps = migrations()
    for (let count = 1; count <= steps.length; count++) run(folder, ...steps.slice(0, count))
    using fresh = testFolder()
    fresh.open().close()
    const schema = (of: TestFolder) =>
      of.raw().prepare('SELECT type, name, sql FROM sqlite_master ORDER BY name').all()
    expect(schema(folder)).toEqual(schema(fresh))
  })
})
