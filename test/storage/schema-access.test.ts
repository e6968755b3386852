import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../../src/storage/migrations.macro'
import { connect } from '../../src/storage/sqlite/connect'
import type { Migration } from '../../src/storage/sqlite/migration'
import { isSchemaFault, openSchema } from '../../src/business/data/sqlite/schema-access'
import { floorOf, isAdditive } from '../../src/storage/sqlite/schema-floor'
import { testFolder, type TestFolder } from './folder'

const step = (folderMillis: number, ...sql: string[]): Migration => ({
  sql,
  folderMillis,
  hash: `hash ${folderMillis}`,
})

const first = step(1, 'CREATE TABLE a (x)', 'INSERT INTO a VALUES (7)')
const adds = step(2, 'ALTER TABLE a ADD y integer', 'CREATE INDEX i ON a (y)')
const closes = step(2, '-- older programs may not write beside this\nALTER TABLE a ADD y integer')
const changes = step(2, 'UPDATE a SET x = 8')

/** What a program with these steps may do there. */
function opened(folder: TestFolder, mayMigrate: boolean, ...steps: Migration[]) {
  const connection = connect(join(folder.path, 'chapar.db'))
  try {
    const parts = { folder: folder.path, locked: false, migrations: steps, mayMigrate }
    const { readOnly, migrated } = openSchema(connection, parts)
    return { readOnly, steps: migrated?.steps ?? 0 }
  } finally {
    connection.close()
  }
}

describe('a step', () => {
  test.each([
    'CREATE TABLE b (x)',
    'CREATE TABLE IF NOT EXISTS `b` (x)',
    'CREATE INDEX i ON a (x)',
    'ALTER TABLE `a` ADD `y` text DEFAULT "" NOT NULL',
    'CREATE TABLE b (x);CREATE UNIQUE INDEX i ON b (x);INSERT INTO b SELECT x FROM a;UPDATE b SET x = 1',
    '-- why\nCREATE TABLE b (x)',
  ])('only adds: %s', (sql) => {
    expect(isAdditive({ sql: sql.split(';') })).toBe(true)
  })

  test.each([
    'CREATE UNIQUE INDEX i ON a (x)',
    'CREATE TABLE `__new_a` (x)',
    'ALTER TABLE a DROP COLUMN x',
    'ALTER TABLE a RENAME TO b',
    'ALTER TABLE a RENAME COLUMN x TO y',
    'DROP TABLE a',
    'DROP INDEX i',
    'INSERT INTO a VALUES (1)',
    'UPDATE `a` SET x = 1',
    'DELETE FROM a',
    'PRAGMA foreign_keys=OFF',
    'CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END',
    'WITH b AS (SELECT 1) INSERT INTO a SELECT * FROM b',
  ])('changes what is there: %s', (sql) => {
    expect(isAdditive({ sql: [sql] })).toBe(false)
  })

  /**
   * The program of the release before serves on a database of this one. Whoever must change what is there writes here
   * why, and which release has made it possible by adding what it needs.
   */
  test('of a release only adds', () => {
    const firstOfRule = 39
    const others = migrations().flatMap((each, at) =>
      at < firstOfRule || isAdditive(each) ? [] : [at + 1],
    )
    expect(others).toEqual([])
    expect(floorOf(migrations())).toEqual({ reader: firstOfRule, writer: firstOfRule })
  })
})

describe('a database of an older program', () => {
  test('is brought up by who may, and else read as it is', () => {
    using folder = testFolder()
    expect(opened(folder, false, first)).toEqual({ readOnly: null, steps: 0 })
    const { readOnly, steps } = opened(folder, false, first, adds)
    expect({ steps, why: readOnly }).toMatchObject({ steps: 0 })
    expect(readOnly).toContain('are of an earlier release')
    using raw = new Database(join(folder.path, 'chapar.db'))
    expect(raw.prepare('SELECT * FROM a').all()).toEqual([{ x: 7 }])
    expect(opened(folder, true, first, adds)).toEqual({ readOnly: null, steps: 1 })
  })

  test('gives its rows to commands, writes nothing, and says why', async () => {
    using folder = testFolder()
    const made = folder.open(true)
    const { id } = await made.directory.createAccount({ name: 'mina' })
    await made.close()
    const raw = folder.raw()
    const last = migrations().at(-1)?.folderMillis ?? 0
    raw.run('DELETE FROM __drizzle_migrations WHERE created_at = ?', [last])
    const before = raw.prepare('SELECT count(*) AS count FROM __drizzle_migrations').get()
    const storage = folder.open(false, false)
    expect(storage.readOnly).toContain('are of an earlier release')
    expect(await storage.directory.findAccount(id)).toMatchObject({ name: 'mina' })
    const refused = await storage.directory.createAccount({ name: 'other' }).catch(String)
    expect(refused).toContain('readonly database')
    await storage.close()
    expect(raw.prepare('SELECT count(*) AS count FROM __drizzle_migrations').get()).toEqual(before)
    expect(existsSync(join(folder.path, 'before-migration-42.db'))).toBe(false)
  })
})

describe('a database of a newer program', () => {
  test('that only added something is served', () => {
    using folder = testFolder()
    opened(folder, true, first, adds)
    expect(opened(folder, true, first)).toEqual({ readOnly: null, steps: 0 })
    expect(opened(folder, false, first)).toEqual({ readOnly: null, steps: 0 })
    // It does not take back what the newer one said.
    expect(opened(folder, true, first, adds)).toEqual({ readOnly: null, steps: 0 })
  })

  test('that writes more is only read', () => {
    using folder = testFolder()
    opened(folder, true, first, closes)
    expect(opened(folder, true, first).readOnly).toContain('this program may only read it')
  })

  test.each([
    ['that changed what is there', [first, changes], [first]],
    ['of another branch', [first, adds], [first, step(3, 'CREATE TABLE c (x)')]],
  ] as const)('%s is refused', (_, newer, own) => {
    using folder = testFolder()
    opened(folder, true, ...newer)
    for (const mayMigrate of [true, false])
      expect(() => opened(folder, mayMigrate, ...own)).toThrow('newer version')
  })

  test('that never said what it asks for is refused', () => {
    using folder = testFolder()
    opened(folder, true, first, adds)
    folder.raw().run('DROP TABLE __schema_floor')
    expect(() => opened(folder, true, first)).toThrow('newer version')
  })
})

test('a missing column or a refused write is a fault of the schema, however deep it lies', () => {
  const deep = (message: string) => new Error('query', { cause: new Error(message) })
  expect(isSchemaFault(deep('no such column: y'))).toBe(true)
  expect(isSchemaFault(deep('attempt to write a readonly database'))).toBe(true)
  expect(isSchemaFault(deep('database is locked'))).toBe(false)
})
