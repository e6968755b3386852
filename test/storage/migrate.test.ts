import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../src/storage/sqlite/connect'
import { DataFolderBusy } from '../../src/storage/files/folder-lock'
import { migrate } from '../../src/storage/sqlite/migrate'
import type { Migration } from '../../src/storage/sqlite/migration'
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

  test('that lose something wait for no gateway to serve the folder', async () => {
    using folder = testFolder()
    const serving = folder.open(true)
    expect(() => run(folder, ...migrations(), step(9e15, 'DROP TABLE calibrations'))).toThrow(
      DataFolderBusy,
    )
    await serving.close()
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

  test('tell what was done to a database that was there', () => {
    using folder = testFolder()
    const told = (...steps: Migration[]) => {
      const connection = connect(join(folder.path, 'chapar.db'))
      try {
        return migrate(connection, { folder: folder.path, locked: false, migrations: steps })
      } finally {
        connection.close()
      }
    }
    expect(told(first)).toBeNull()
    expect(told(first)).toBeNull()
    expect(told(first, adds)).toEqual({ steps: 1, copy: null })
    expect(told(first, adds, loses)).toEqual({
      steps: 1,
      copy: join(folder.path, 'before-migration-3.db'),
    })
  })

  test('of a newer program are not touched', async () => {
    using folder = testFolder()
    run(folder, first, adds)
    expect(() => run(folder, first)).toThrow(/made by a newer version of this program/)
    expect(run(folder, first, adds)).toEqual(['a', 'b'])
    using other = testFolder()
    await other.open().close()
    other.raw().run(`INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('new', 9e15)`)
    other.raw().run('UPDATE __schema_floor SET reader = 9000, writer = 9000')
    expect(() => other.open(true)).toThrow(/newer version/)
    // The refusal holds no lock, and names what may be gone back to.
    writeFileSync(join(other.path, 'before-migration-9.db'), '')
    expect(() => other.open(true)).toThrow(/newer version.*: before-migration-9\.db$/)
  })

  describe('of a folder of the first release that can be brought up', () => {
    const steps = migrations()
    const before = steps.slice(0, steps.findIndex(({ sql }) => sql.length > 0) + 1)

    function oldFolder(vendors: number): TestFolder {
      const folder = testFolder()
      writeFileSync(join(folder.path, 'secret.key'), randomBytes(64), { mode: 0o600 })
      run(folder, ...before)
      const raw = folder.raw()
      const insert = raw.prepare(
        `INSERT INTO vendors (name, kind, dialect, base_url, credential, timeout_ms, active)
         VALUES (?, 'openai', 'generic', 'http://127.0.0.1:1/v1', NULL, 90000, 1)`,
      )
      raw.transaction(() => {
        for (let number = 0; number < vendors; number++) insert.run(`v${number}`)
      })()
      return folder
    }

    const stepsIn = (folder: TestFolder): number =>
      folder.raw().prepare('SELECT 1 FROM __drizzle_migrations').all().length

    test('add what is new, without a copy', async () => {
      using folder = oldFolder(3)
      expect(stepsIn(folder)).toBe(39)
      const found = await folder.open(true).catalogue.vendors()
      expect(found.map(({ name, transport }) => `${name} ${transport}`)).toEqual([
        'v0 own',
        'v1 own',
        'v2 own',
      ])
      expect(stepsIn(folder)).toBe(steps.length)
      expect(copies(folder)).toEqual([])
    })

    // From before the program has begun to after it has ended.
    test.each([40, 90, 140, 250])(
      'are whole or not there where it is killed after %i ms',
      async (ms) => {
        using folder = oldFolder(2_000)
        const child = join(import.meta.dir, 'open-child.ts')
        const other = Bun.spawn([process.execPath, child, folder.path, 'once'], {
          stdout: 'ignore',
        })
        await Promise.race([Bun.sleep(ms), other.exited])
        other.kill('SIGKILL')
        await other.exited
        expect([before.length, steps.length]).toContain(stepsIn(folder))
        const storage = folder.open(true)
        expect(await storage.catalogue.vendors()).toHaveLength(2_000)
        expect(stepsIn(folder)).toBe(steps.length)
        expect((await storage.audit()).ok).toBe(true)
      },
    )

    test.each([1, 20, 38])('refuse one that has only %i of its steps', (count) => {
      using folder = oldFolder(0)
      const last = before[count - 1]?.folderMillis ?? 0
      folder.raw().run('DELETE FROM __drizzle_migrations WHERE created_at > ?', [last])
      folder.raw().run('DROP TABLE IF EXISTS __schema_floor')
      for (const mayMigrate of [true, false])
        expect(() => folder.open(mayMigrate, mayMigrate)).toThrow('the program of commit f6524a40')
      expect(stepsIn(folder)).toBe(count)
    })
  })

  test('give every database the same schema as a new one', async () => {
    using folder = testFolder()
    const steps = migrations()
    const start = steps.findIndex(({ sql }) => sql.length > 0) + 1
    for (let count = start; count <= steps.length; count++) run(folder, ...steps.slice(0, count))
    using fresh = testFolder()
    await fresh.open().close()
    const schema = (of: TestFolder) =>
      of
        .raw()
        .prepare(
          `SELECT type, name, sql FROM sqlite_master WHERE name <> '__schema_floor' ORDER BY name`,
        )
        .all()
    expect(schema(folder)).toEqual(schema(fresh))
  })
})
