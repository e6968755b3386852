import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkNodes } from '../../../src/server/node-checks'
import { faultFields } from '../../../src/gateway/observability/log'
import { readDatabaseAddress, type DatabaseAddress } from '../../../src/storage/database-address'
import { openDatabase } from '../../../src/storage/postgres/connect'
import { readNodes } from '../../../src/ledger/postgres/nodes'
import { openPostgresStorage } from '../../../src/business/data/postgres/open-storage'
import { tryMove } from '../../../src/business/data/migrate/dry-run'
import { describeOn, startPostgres, type PostgresServer } from '../../support/postgres'
import { thrownBy } from '../../support/thrown-by'
import { testFolder } from '../folder'

const ttlMs = 10_000

describeOn('npm', 'a database that cannot be used', () => {
  let server: PostgresServer
  let admin: ReturnType<typeof openDatabase>
  let empty: string
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
    empty = await server.newDatabase()
    admin = openDatabase({ address: readDatabaseAddress(empty), max: 1, name: 'test' })
    await admin.unsafe(`CREATE ROLE guest LOGIN PASSWORD 'secret'`)
    await admin.unsafe('CREATE ROLE narrow LOGIN CONNECTION LIMIT 0')
  })
  afterAll(async () => {
    await admin.close()
    await server.remove()
  })

  const changed = (change: (url: URL) => void): string => {
    const url = new URL(empty)
    change(url)
    return url.href
  }
  /** What a command says that reads from there. */
  const said = async (url: string): Promise<string> => {
    const thrown = await thrownBy(readNodes(readDatabaseAddress(url), ttlMs))
    expect(thrown).toBeInstanceOf(RangeError)
    const { message } = thrown as RangeError
    expect(message).not.toContain('secret')
    return message
  }

  test('is named, with what to do', async () => {
    const asGuest = (url: URL) => {
      url.username = 'guest'
      url.password = 'secret'
    }
    const nowhere = await said(changed((url) => (asGuest(url), (url.port = '1'))))
    expect(nowhere).toStartWith('postgres://guest@127.0.0.1:1/')
    expect(nowhere).toContain('see whether PostgreSQL runs there')
    expect(await said(changed((url) => (url.hostname = 'no-such-host.invalid')))).toContain(
      'there is no host no-such-host.invalid',
    )
    expect(await said(changed((url) => (asGuest(url), (url.pathname = '/none'))))).toContain(
      'does not exist there: CREATE DATABASE none OWNER guest',
    )
    expect(await said(`${empty}?sslmode=require`)).toContain('does not encrypt: set ssl = on there')
    expect(await said(changed((url) => (url.username = 'narrow')))).toContain(
      'has no connection left',
    )
    using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    expect(await said(`postgres://guest@127.0.0.1:${other.port}/x?sslmode=require`)).toContain(
      'does not speak as PostgreSQL does',
    )
  })

  test('is refused where its user may make nothing, by a dry run too', async () => {
    using folder = testFolder()
    await folder.open(true).close()
    const address = readDatabaseAddress(changed((url) => (url.username = 'guest')))
    const made = `lets guest make no tables`
    const { path, clock } = folder
    const faults = [
      await thrownBy(tryMove(path, address)),
      await thrownBy(openPostgresStorage({ address, folder: path, clock })),
    ]
    for (const fault of faults) expect(String(fault)).toContain(made)
  })

  test('gets nothing from a command that only reads', async () => {
    using folder = testFolder()
    writeFileSync(join(folder.path, 'secret.key'), new Uint8Array(64))
    const address = readDatabaseAddress(empty)
    const { path, clock } = folder
    const reading = openPostgresStorage({ address, folder: path, clock, mayBegin: false })
    expect(String(await thrownBy(reading))).toContain('holds no data of this program')
    expect(await said(empty)).toContain('holds no data of this program')
    const schemas: unknown[] = await admin.unsafe(
      `SELECT 1 FROM information_schema.schemata WHERE schema_name LIKE 'chapar%'`,
    )
    expect(schemas).toEqual([])
  })

  test('is told to be a replica where it takes no changes', async () => {
    using folder = testFolder()
    const address: DatabaseAddress = {
      ...readDatabaseAddress(await server.newDatabase()),
      settings: { default_transaction_read_only: 'on' },
    }
    const opening = openPostgresStorage({ address, folder: folder.path, clock: folder.clock })
    expect(String(await thrownBy(opening))).toContain('is read-only, as a replica is')
  })

  test('has its clock compared with that of the machine', async () => {
    using folder = testFolder()
    const address = readDatabaseAddress(await server.newDatabase())
    const storage = await openPostgresStorage({
      address,
      folder: folder.path,
      clock: folder.clock,
    })
    await storage.close()
    const codesAt = async (shiftMs: number) =>
      (await checkNodes(address, { ttlMs: 15_000, now: () => Date.now() + shiftMs })).map(
        ({ code, facts }) => [code, facts['seconds']],
      )
    expect((await codesAt(0)).map(([code]) => code)).toEqual([
      'postgres',
      'postgres_unsafe',
      'nodes',
    ])
    expect(await codesAt(300_000)).toContainEqual(['clock_ahead_of_database', '300'])
    expect(await codesAt(-60_000)).toContainEqual(['clock_behind_database', '60'])
  })

  test('has its SQLSTATE in the log', async () => {
    expect(faultFields(await thrownBy(admin.unsafe('SELECT 1 FROM nowhere')))).toMatchObject({
      faultCode: '42P01',
    })
  })
})
