import { thrownBy } from '../../support/thrown-by'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readDatabaseAddress } from '../../../src/storage/database-address'
import { writePostgresBackup } from '../../../src/business/data/backup/postgres-backup'
import { openDatabase } from '../../../src/storage/postgres/connect'
import { moveFolder } from '../../../src/business/data/migrate/move-folder'
import { moveIn } from '../../../src/business/data/migrate/move-in'
import { tryMove } from '../../../src/business/data/migrate/dry-run'
import { writeBackup } from '../../../src/business/data/backup/backup'
import { restoreBackup, restoreElsewhere } from '../../../src/business/data/backup/restore'
import { describeOn, startPostgres, type PostgresServer } from '../../support/postgres'
import { charge, customer, opening, testFolder, type TestFolder } from '../folder'
import { rowsOf } from './database'

// Databases are made in each.
describeOn('npm', 'a move to PostgreSQL and back', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server.remove())
  const newAddress = async () => readDatabaseAddress(await server.newDatabase())

  test('keeps every row, and adds up on both sides', async () => {
    using from = testFolder()
    await fill(from)
    const address = await newAddress()
    const tried = await tryMove(from.path, address)
    const moved = await moveFolder(from.path, address, from)
    expect(moved.audit).toMatchObject({ ok: true, accounts: 3, requests: 30 })
    expect(moved.rows).toBe(tried.rows)
    using back = testFolder()
    const file = join(from.path, 'back.backup')
    await writePostgresBackup(address, from.path, file, from.clock)
    const restored = restoreBackup(file, back.path, { replace: false, clock: from.clock })
    expect(restored.audit.ok).toBe(true)
    expect(rowsOf(back.path)).toEqual(rowsOf(from.path))
  })

  test('goes on with numbers that come after those that are there', async () => {
    using from = testFolder()
    await fill(from)
    const address = await newAddress()
    await moveFolder(from.path, address, from)
    const { openPostgresStorage } = await import('../../../src/business/data/postgres/open-storage')
    const storage = await openPostgresStorage({ address, folder: from.path, clock: from.clock })
    try {
      const { account } = await customer(storage, { usd: '7' })
      expect(account.id).toBe(4 as never)
      expect((await storage.audit()).differences).toEqual([])
    } finally {
      await storage.close()
    }
  })

  test('leaves the folder with a note, and nobody opens it any more', async () => {
    using from = testFolder()
    await fill(from)
    await moveFolder(from.path, await newAddress(), from)
    expect(() => from.open()).toThrow('moved to postgres://')
    const again = await newAddress()
    expect(String(await thrownBy(moveFolder(from.path, again, from)))).toContain(
      'moved to postgres://',
    )
  })

  test('refuses a database that has data', async () => {
    using from = testFolder()
    await fill(from)
    const address = await newAddress()
    await moveFolder(from.path, address, from)
    using other = testFolder()
    await fill(other)
    expect(String(await thrownBy(moveFolder(other.path, address, other)))).toContain('holds data')
    expect(existsSync(join(other.path, 'moved-to'))).toBe(false)
  })

  test('a copy that does not add up leaves nothing behind', async () => {
    using from = testFolder()
    await fill(from)
    from.raw().run('UPDATE accounts SET balance = balance + 1 WHERE id = 2')
    const address = await newAddress()
    expect(String(await thrownBy(moveFolder(from.path, address, from)))).toContain(
      'does not add up',
    )
    expect(existsSync(join(from.path, 'moved-to'))).toBe(false)
    expect(await tryMove(from.path, address)).toMatchObject({
      seconds: expect.any(Number) as number,
    })
  })

  test('a backup is restored into a new database, with its secret', async () => {
    using from = testFolder()
    await fill(from)
    const first = await newAddress()
    await moveFolder(from.path, first, from)
    const file = join(from.path, 'x.backup')
    await writePostgresBackup(first, from.path, file, from.clock)
    using to = testFolder()
    const address = await newAddress()
    const { audit } = await restoreElsewhere(
      file,
      to.path,
      async (copy) => (await moveIn(copy, address)).audit,
    )
    expect(audit).toMatchObject({ ok: true, requests: 30 })
    expect(existsSync(join(to.path, 'secret.key'))).toBe(true)
  })

  test('nobody writes a backup that could not be restored', async () => {
    using from = testFolder()
    await fill(from)
    const address = await newAddress()
    await moveFolder(from.path, address, from)
    const file = join(from.path, 'x.backup')
    // What the folder still has is as old as the move.
    expect(String(await thrownBy(writeBackup(from.path, file, from.clock)))).toContain(
      'moved to postgres://',
    )
    using other = testFolder()
    const withoutSecret = writePostgresBackup(address, other.path, file, from.clock)
    expect(String(await thrownBy(withoutSecret))).toContain('there is no secret.key')
    expect(readdirSync(other.path)).toEqual([])
    await fill(other)
    const withAnother = writePostgresBackup(address, other.path, file, from.clock)
    expect(String(await thrownBy(withAnother))).toContain('is not the one of the database: copy')
    await using sql = openDatabase({ address, max: 1, name: 'test' })
    await sql.unsafe(`INSERT INTO steps (name) VALUES ('9999_of_tomorrow')`)
    const ofNewer = writePostgresBackup(address, from.path, file, from.clock)
    expect(String(await thrownBy(ofNewer))).toContain('newer release of this program has added')
    expect(readdirSync(from.path).filter((name) => name.startsWith('x.backup'))).toEqual([])
  })
})

/** Three customers with ten calls each, and something in other tables. */
async function fill(folder: TestFolder): Promise<void> {
  const storage = folder.open(true)
  for (let number = 0; number < 3; number++) {
    const caller = await customer(storage, {
      usd: '12.5',
      account: { name: `quotes ' " \\ \t\n and € ۱۲` },
    })
    for (let call = 0; call < 10; call++)
      await storage.ledger.commit(charge(opening(caller, folder.clock.now()), call * 1001), true)
  }
  await storage.settings.set('service-zone', 'UTC')
  await storage.close()
}
