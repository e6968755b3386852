import { thrownBy } from '../../support/thrown-by'
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from '../../../src/storage/sqlite/connect'
import { migrate } from '../../../src/storage/sqlite/migrate'
import { readDatabaseAddress } from '../../../src/storage/database-address'
import { openDatabase } from '../../../src/storage/postgres/connect'
import { postgresSteps } from '../../../src/storage/postgres-steps.macro'
import { migratePostgres } from '../../../src/storage/postgres/migrate'
import { postgresBinaries, startPostgres, type PostgresServer } from '../../support/postgres'

// Databases are made in each.
setDefaultTimeout(60_000)

describe.skipIf(postgresBinaries() === null)('the schema on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server.remove())

  const open = async (url?: string) =>
    openDatabase({
      address: readDatabaseAddress(url ?? (await server.newDatabase())),
      max: 4,
      name: 'test',
    })

  test('it has every column that SQLite has, and of its type', async () => {
    await using sql = await open()
    await migratePostgres(sql)
    const lite = connect(null)
    migrate(lite, { folder: null, locked: false })
    const expected = lite.raw
      .prepare<{ place: string; type: string; required: number }, []>(
        `SELECT m.name || '.' || c.name AS place, lower(c.type) AS type, c."notnull" AS required
         FROM sqlite_master m JOIN pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE '\\_\\_%' ESCAPE '\\'
         ORDER BY 1`,
      )
      .all()
    const types: Readonly<Record<string, string>> = {
      integer: 'bigint',
      text: 'text',
      real: 'double precision',
    }
    const found: { place: string; type: string; required: bigint }[] = await sql.unsafe(
      `SELECT table_name || '.' || column_name COLLATE "C" AS place, data_type AS type,
         CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS required
       FROM information_schema.columns WHERE table_schema = 'chapar'`,
    )
    const byPlace = new Map(found.map((column) => [column.place, column]))
    for (const { place, type, required } of expected)
      expect(byPlace.get(place)).toMatchObject({ type: types[type] ?? '?', required })
    lite.close()
  })

  test('transfers, payments, rates and the trail cannot be changed', async () => {
    await using sql = await open()
    await migratePostgres(sql)
    await sql.unsafe(
      `INSERT INTO transfers (debit, credit, amount, kind, reference, created) VALUES (-2, -1, 1, 'topup', 'a', 0)`,
    )
    expect(
      String(await thrownBy(sql.unsafe('UPDATE transfers SET amount = 2').execute())),
    ).toContain('append-only')
    expect(String(await thrownBy(sql.unsafe('DELETE FROM transfers').execute()))).toContain(
      'append-only',
    )
  })

  test('processes that open a new database at once make it once', async () => {
    const url = await server.newDatabase()
    await using one = await open(url)
    await using other = await open(url)
    const made = await Promise.all([migratePostgres(one), migratePostgres(other)])
    expect(made.flat().toSorted()).toEqual(postgresSteps().map(({ name }) => name))
  })

  test('a database of a newer program is refused', async () => {
    await using sql = await open()
    await migratePostgres(sql)
    await sql.unsafe(`INSERT INTO steps (name) VALUES ('9999_later')`)
    expect(String(await thrownBy(migratePostgres(sql)))).toContain('newer version')
  })
})
