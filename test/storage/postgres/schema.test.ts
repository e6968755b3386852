import { SQL as Database, type SQL } from 'bun'
import { join } from 'node:path'
import { postgresStep } from '../../../scripts/postgres-step'
import { thrownBy } from '../../support/thrown-by'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from '../../../src/storage/sqlite/connect'
import { migrate } from '../../../src/storage/sqlite/migrate'
import { readDatabaseAddress } from '../../../src/storage/database-address'
import { openDatabase, schemaName } from '../../../src/storage/postgres/connect'
import { postgresSteps, statementsIn } from '../../../src/storage/postgres-steps.macro'
import { migratePostgres, refuseNewer } from '../../../src/storage/postgres/migrate'
import { describeOn, startPostgres, type PostgresServer } from '../../support/postgres'

// Databases are made in each.
describeOn('distribution', 'the schema on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' }, 'distribution')
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

  const schemaStatements = async (): Promise<readonly string[]> =>
    statementsIn(
      await Bun.file(join(import.meta.dir, '../../../drizzle/postgres/meta/schema.sql')).text(),
    )

  const objects = async (sql: SQL): Promise<readonly string[]> => {
    const rows: { object: string }[] = await sql.unsafe(
      `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable ||
         coalesce(' ' || column_default, '') AS object
       FROM information_schema.columns WHERE table_schema = '${schemaName}'
       UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = '${schemaName}'
       UNION ALL SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
         WHERE connamespace = '${schemaName}'::regnamespace AND contype <> 'n'
       UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal`,
    )
    return rows.map(({ object }) => object).toSorted()
  }

  test('the steps come to what the schema says: tables, indexes, constraints, triggers', async () => {
    await using stepped = await open()
    await migratePostgres(stepped)
    await using whole = await open()
    await whole.unsafe(`CREATE SCHEMA ${schemaName}`)
    for (const statement of await schemaStatements()) await whole.unsafe(statement)
    const made = new Set(await objects(stepped))
    const wanted = await objects(whole)
    expect(wanted.length).toBeGreaterThan(500)
    expect(wanted.filter((object) => !made.has(object))).toEqual([])
  })

  test('a step is written for columns, checks, indexes and tables, and comes to the schema', async () => {
    await using stepped = await open()
    await migratePostgres(stepped)
    const before = await schemaStatements()
    const edits = [
      [
        '"created" bigint NOT NULL, "made_by" bigint\n)',
        '"created" bigint NOT NULL, "made_by" bigint, "note" text COLLATE "C",\n\tCONSTRAINT "keys_note" CHECK(length("note") < 200)\n)',
      ],
      ["in ('active', 'suspended')", "in ('active', 'suspended', 'asleep')"],
      [
        'CREATE INDEX "sent_codes_sent" ON "sent_codes" ("sent")',
        'CREATE INDEX "sent_codes_sent" ON "sent_codes" ("sent","phone")',
      ],
    ] as const
    const after = before.map((statement) =>
      edits.reduce((text, [from, to]) => text.replace(from, to), statement),
    )
    after.push('CREATE TABLE "hats" (\n\t"id" bigint PRIMARY KEY,\n\t"size" bigint NOT NULL\n)')
    const { statements, byHand } = postgresStep(before, after)
    expect({ byHand, count: statements.length }).toEqual({ byHand: [], count: 7 })
    for (const statement of statements) await stepped.unsafe(statement)
    await using whole = await open()
    await whole.unsafe(`CREATE SCHEMA ${schemaName}`)
    for (const statement of after) await whole.unsafe(statement)
    const made = new Set(await objects(stepped))
    const wanted = await objects(whole)
    expect(wanted.filter((object) => !made.has(object))).toEqual([])
  })

  test.each([
    [
      'a column that rows need',
      '"made_by" bigint',
      '"made_by" bigint, "kind" text NOT NULL',
      'keys.kind has no value',
    ],
    ['a column that is gone', ', "made_by" bigint', '', 'keys.made_by is gone'],
    [
      'a column of another type',
      '"spend_limit" bigint',
      '"spend_limit" text',
      'keys.spend_limit was',
    ],
  ])('%s is for people to write', async (_, from, to, said) => {
    const before = await schemaStatements()
    const after = before.map((each) =>
      each.startsWith('CREATE TABLE "keys"') ? each.replace(from, to) : each,
    )
    expect(postgresStep(before, after).byHand.join()).toContain(said)
  })

  test.each(['0005_data_format', '0003_node_lives'])(
    'a database from before %s is refused, and left as it is',
    async (name) => {
      await using sql = await open()
      await migratePostgres(sql)
      await sql.unsafe('DELETE FROM steps WHERE name >= $1', [name])
      for (const mayMigrate of [true, false])
        expect(String(await thrownBy(migratePostgres(sql, mayMigrate)))).toContain(
          'the program of commit f6524a40',
        )
      expect(await sql.unsafe('SELECT 1 FROM steps WHERE name >= $1', [name])).toHaveLength(0)
    },
  )

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
    await sql.unsafe('UPDATE world SET format = 9999')
    expect(String(await thrownBy(migratePostgres(sql)))).toContain('another format')
  })

  test('a newer program that begins no other format leaves the database to older ones', async () => {
    await using sql = await open()
    await migratePostgres(sql)
    await sql.unsafe(`INSERT INTO steps (name) VALUES ('9999_later')`)
    expect(await migratePostgres(sql)).toEqual([])
    // A copy by this program would lack what that step added.
    expect(String(await thrownBy(refuseNewer(sql)))).toContain('newer release')
    // Of another branch: what it has and what is missing may not go together.
    await sql.unsafe(`DELETE FROM steps WHERE name = '0005_data_format'`)
    expect(String(await thrownBy(migratePostgres(sql)))).toContain('another format')
  })

  describe('another format', () => {
    const next = [
      ...postgresSteps(),
      { name: '9000_next', statements: ['UPDATE world SET format = 9000'], format: 9000 },
    ]
    const olderNode = async (sql: SQL, leaseMs: number): Promise<number> => {
      const rows: { id: bigint }[] = await sql.unsafe(
        `INSERT INTO nodes (started, renewed, expires, version, address, batch)
          VALUES (0, 0, now_ms() + $1, '0.0.9', 'http://there', 7) RETURNING id`,
        [leaseMs],
      )
      return Number(rows[0]?.id)
    }
    const batchOf = async (sql: SQL, node: number) => {
      const rows: { batch: bigint }[] = await sql.unsafe('SELECT batch FROM nodes WHERE id = $1', [
        node,
      ])
      return Number(rows[0]?.batch)
    }

    test('does not begin while a node of before serves: it is named, and serves on', async () => {
      await using sql = await open()
      await migratePostgres(sql)
      const node = await olderNode(sql, 1000)
      const beats = setInterval(
        () => void sql.unsafe('UPDATE nodes SET expires = now_ms() + 1000').execute(),
        100,
      )
      try {
        const refusal = String(await thrownBy(migratePostgres(sql, true, next)))
        expect(refusal).toContain(
          `node ${node} (0.0.9 at http://there) of an earlier release serves`,
        )
      } finally {
        clearInterval(beats)
      }
      expect(await batchOf(sql, node)).toBe(7)
      const steps: { name: string }[] = await sql.unsafe('SELECT name FROM steps')
      expect(steps.map(({ name }) => name)).not.toContain('9000_next')
    })

    test('waits for the lease of a node that was killed, which has no next exchange then', async () => {
      await using sql = await open()
      await migratePostgres(sql)
      const node = await olderNode(sql, 800)
      expect(await migratePostgres(sql, true, next)).toEqual(['9000_next'])
      expect(await batchOf(sql, node)).toBe(-1)
    })

    test('programs without it write no sums and no changes, and begin no node', async () => {
      const url = await server.newDatabase()
      await using sql = await open(url)
      await migratePostgres(sql)
      await using before = new Database(url, { max: 1, connection: { search_path: 'chapar' } })
      for (const write of [
        'UPDATE summed SET transfer = transfer',
        'UPDATE world SET version = version + 1',
        `INSERT INTO nodes (started, expires, version, address) VALUES (0, 0, '', '')`,
      ]) {
        expect(String(await thrownBy(before.unsafe(write).execute()))).toContain('another format')
        await sql.unsafe(write)
      }
    })
  })
})
