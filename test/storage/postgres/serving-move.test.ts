import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Database } from 'bun:sqlite'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDatabaseAddress, type DatabaseAddress } from '../../../src/storage/database-address'
import { writePostgresBackup } from '../../../src/business/data/backup/postgres-backup'
import { openDatabase } from '../../../src/storage/postgres/connect'
import { primaryKeyOf, tablesOf } from '../../../src/business/data/migrate/copy-in'
import { openMove } from '../../../src/business/data/migrate/move'
import { moveFolder, type FolderMoveStage } from '../../../src/business/data/migrate/move-folder'
import { tableMoves } from '../../../src/business/data/migrate/moved-tables'
import { openPostgresStorage } from '../../../src/business/data/postgres/open-storage'
import { sumKeys } from '../../../src/business/data/migrate/sum-keys'
import { connect } from '../../../src/storage/sqlite/connect'
import { openActiveDaySlices } from '../../../src/business/usage/active-day-backfill'
import { migrate } from '../../../src/storage/sqlite/migrate'
import { restoreBackup } from '../../../src/business/data/backup/restore'
import { describeOn, startPostgres, type PostgresServer } from '../../support/postgres'
import { thrownBy } from '../../support/thrown-by'
import { testFolder, type TestFolder } from '../folder'
import { rowsOf } from './database'
import { workIn } from './random-work'

// Databases are made in each.
test('every table says how it is moved, and sums are found by their keys', () => {
  const lite = connect(null)
  migrate(lite, { folder: null, locked: false })
  expect(Object.keys(tableMoves).toSorted()).toEqual([...tablesOf(lite.raw)])
  for (const [table, keys] of Object.entries(sumKeys))
    for (const key of keys)
      expect([table, Object.keys(key).toSorted()]).toEqual([
        table,
        [...primaryKeyOf(lite.raw, table)].toSorted(),
      ])
  lite.close()
})

describeOn('distribution', 'a move while a gateway serves', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' }, 'distribution')
  })
  afterAll(() => server.remove())
  const newAddress = async () => readDatabaseAddress(await server.newDatabase())

  test.each([1, 2, 3])('finds whatever is written between the copies (seed %p)', async (seed) => {
    using from = testFolder()
    const work = await workIn(from, seed)
    for (let step = 0; step < 40; step++) await work.step()
    await work.callOnce()
    const address = await newAddress()
    using lite = liteOf(from)
    await using move = await openMove(lite, address)
    for (let round = 0; round < 3; round++) {
      await move.catchUp()
      for (let step = 0; step < 25; step++) await work.step()
    }
    await work.storage.close()
    await recover(from)
    const moved = await move.finish()
    expect(moved.audit).toMatchObject({ ok: true, pending: 0, differences: [] })
    await move.publish()
    await expectSame(from, address)
  })

  test('a change to what was settled is no move at all', async () => {
    using from = testFolder()
    const work = await workIn(from, 4)
    for (let step = 0; step < 20; step++) await work.step()
    await work.storage.close()
    await recover(from)
    using lite = liteOf(from)
    const address = await newAddress()
    await using move = await openMove(lite, address)
    await move.catchUp()
    from.raw().run(`UPDATE requests SET held = held + 1 WHERE rowid = 1`)
    expect(String(await thrownBy(move.finish()))).toContain('both sides: requests')
  })

  test('sums that are off are found before the gateway ends, or else behind it', async () => {
    using from = testFolder()
    const work = await workIn(from, 8)
    for (let step = 0; step < 20; step++) await work.step()
    from.clock.set('2027-02-01T12:00:00Z')
    const call = () => work.callOnce()
    await call()
    await work.storage.close()
    await recover(from)
    const off = (by: number, when: string) =>
      from
        .raw()
        .run(
          `UPDATE profit_accounts SET charged = charged + ${by} WHERE day ${when} (SELECT max(day) FROM profit_accounts)`,
        )
    using lite = liteOf(from)
    const address = await newAddress()
    off(1, '<')
    await using early = await openMove(lite, address)
    expect(String(await thrownBy(early.catchUp()))).toContain('earned by account and day')
    await early[Symbol.asyncDispose]()
    off(-1, '<')
    await using late = await openMove(lite, address)
    await late.catchUp()
    from.raw().run('UPDATE summed SET transfer = transfer - 1')
    expect(String(await thrownBy(late.finish()))).toContain('does not add up')
  })

  test('waits for the end of the gateway, and charges what it left', async () => {
    using from = testFolder()
    const work = await workIn(from, 5)
    for (let step = 0; step < 30; step++) await work.step()
    const address = await newAddress()
    const told: FolderMoveStage['stage'][] = []
    const asked: number[] = []
    const moved = await moveFolder(from.path, address, {
      clock: from.clock,
      tell: ({ stage }) => void told.push(stage),
      stop(pid) {
        asked.push(pid)
        void work
          .step()
          .then(work.step)
          .then(() => work.storage.close())
        return true
      },
    })
    expect(asked).toEqual([process.pid])
    expect(told.indexOf('waiting')).toBeLessThan(told.indexOf('stopped'))
    expect(moved.stoppedMs).toBeGreaterThan(0)
    expect(moved.audit).toMatchObject({ ok: true, pending: 0 })
    await expectSame(from, address)
  })

  test('makes the schema of a new database', async () => {
    using from = testFolder()
    const work = await workIn(from, 9)
    for (let step = 0; step < 10; step++) await work.step()
    await work.storage.close()
    const [moved, made] = [await newAddress(), await newAddress()]
    await moveFolder(from.path, moved, from)
    await (await openPostgresStorage({ ...from, address: made, folder: from.path })).close()
    expect(await objectsOf(moved)).toEqual(await objectsOf(made))
    await expectSame(from, moved)
  })

  test('nobody serves from what is not whole, and the next move begins anew', async () => {
    using from = testFolder()
    const work = await workIn(from, 6)
    for (let step = 0; step < 10; step++) await work.step()
    await work.storage.close()
    const address = await newAddress()
    using lite = liteOf(from)
    const cut = await openMove(lite, address)
    await cut.catchUp()
    const served = openPostgresStorage({ address, folder: from.path, clock: from.clock })
    expect(String(await thrownBy(served))).toContain('is being moved into this database')
    expect(String(await thrownBy(openMove(lite, address)))).toContain('another move')
    await endConnections(address)
    const moved = await moveFolder(from.path, address, from)
    expect(moved).toMatchObject({ audit: { ok: true }, stoppedMs: null })
    await cut[Symbol.asyncDispose]()
    await expectSame(from, address)
  })

  test('a move that was cut short behind its note is ended by the next one', async () => {
    using from = testFolder()
    const work = await workIn(from, 7)
    for (let step = 0; step < 10; step++) await work.step()
    await work.storage.close()
    await recover(from)
    const address = await newAddress()
    using lite = liteOf(from)
    const move = await openMove(lite, address)
    await move.finish()
    const crash: Promise<void>[] = []
    await thrownBy(
      move.publish(() => {
        writeFileSync(join(from.path, 'moved-to'), `${address.shown}\n`)
        crash.push(server.crash())
      }),
    )
    await Promise.all(crash)
    await move[Symbol.asyncDispose]()
    await server.start()
    expect(() => from.open()).toThrow('moved to postgres://')
    const moved = await moveFolder(from.path, address, from)
    expect(moved.audit).toMatchObject({ ok: true })
    expect(readFileSync(join(from.path, 'moved-to'), 'utf8')).toContain(address.shown)
    await expectSame(from, address)
  })
})

async function recover(folder: TestFolder): Promise<void> {
  const storage = folder.open(true)
  await storage.ledger.recover()
  await storage.close()
  const connection = connect(join(folder.path, 'chapar.db'))
  const slice = openActiveDaySlices(connection)
  while (slice());
  connection.close()
}

const liteOf = (folder: TestFolder): Database & Disposable =>
  new Database(join(folder.path, 'chapar.db'), { readonly: true, strict: true })

/** Everything of the schema that is no row. */
async function objectsOf(address: DatabaseAddress): Promise<readonly string[]> {
  await using sql = openDatabase({ address, max: 1, name: 'test' })
  const found: { what: string }[] = await sql.unsafe(
    `SELECT indexdef AS what FROM pg_indexes WHERE schemaname = 'chapar'
     UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated
       FROM pg_constraint WHERE connamespace = 'chapar'::regnamespace
     UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
       WHERE c.relnamespace = 'chapar'::regnamespace AND NOT tgisinternal
     UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'chapar'::regnamespace
     UNION ALL SELECT relname || ' ' || relkind::text FROM pg_class WHERE relnamespace = 'chapar'::regnamespace
     UNION ALL SELECT table_name || ' ' || column_name || ' ' || data_type || ' ' || coalesce(column_default, '') || is_nullable
       FROM information_schema.columns WHERE table_schema = 'chapar' ORDER BY 1`,
  )
  return found.map(({ what }) => what)
}

/** As a process that is killed leaves it. */
async function endConnections(address: DatabaseAddress): Promise<void> {
  await using sql = openDatabase({ address, max: 1, name: 'test' })
  await sql.unsafe(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'chapar migrate %'`,
  )
}

/** What is in the database is what is in the folder. */
async function expectSame(from: TestFolder, address: DatabaseAddress): Promise<void> {
  using back = testFolder()
  const file = join(back.path, 'back.backup')
  await writePostgresBackup(address, from.path, file, from.clock)
  expect(restoreBackup(file, back.path, { replace: false, clock: from.clock }).audit.ok).toBe(true)
  expect(existsSync(join(back.path, 'chapar.db'))).toBe(true)
  expect(rowsOf(back.path)).toEqual(rowsOf(from.path))
}
