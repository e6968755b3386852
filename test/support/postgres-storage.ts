/** Preloaded: what keeps its storage in memory has it on PostgreSQL, in a new database each time. */
import { afterAll, mock } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDatabaseAddress } from '../../src/storage/database-address'
import { openDatabase } from '../../src/storage/postgres/connect'
import { migratePostgres } from '../../src/storage/postgres/migrate'
import { newSessionLock } from '../../src/storage/postgres/single-session'
import { StatementThread } from '../../src/storage/postgres/blocking-statement'
import { connectPostgres } from '../../src/storage/postgres/blocking-connection'
import type { Connection } from '../../src/storage/sqlite/connection'
import type { MigrateParts } from '../../src/storage/sqlite/migrate'

const server = new URL(process.env['CHAPAR_TEST_DATABASE'] ?? '')
const at = (database: string) => {
  const url = new URL(server)
  url.pathname = `/${database}`
  return readDatabaseAddress(url.href)
}
const statementTimeoutMs = 10_000
const admin = new StatementThread({
  address: at('postgres'),
  name: 'tests',
  statementTimeoutMs,
  idleMs: null,
  lock: newSessionLock(),
})
const prefix = `stores_${process.pid}`
const template = `${prefix}_template`
admin.script(`CREATE DATABASE ${template}`)
{
  await using sql = openDatabase({ address: at(template), max: 1, name: 'tests' })
  await migratePostgres(sql)
}

const onPostgres = new WeakSet<Connection>()
let databases = 0

/** Names of databases by the file that they stand in for. */
const named = new Map<string, string>()

function databaseOf(file: string | null): Connection {
  let name = file === null ? undefined : named.get(file)
  if (name === undefined) {
    name = `${prefix}_${++databases}`
    admin.script(`CREATE DATABASE ${name} TEMPLATE ${template}`)
    if (file !== null) named.set(file, name)
    // A folder whose database is empty would be refused.
    if (file !== null) writeFileSync(file, 'stands in for a database')
  }
  const connection = connectPostgres({ address: at(name), name: 'tests', statementTimeoutMs })
  onPostgres.add(connection)
  return connection
}

const sqlite = join(import.meta.dir, '../../src/storage/sqlite')
/** A file that is there: a mock of any other would stand in for nothing. */
function existing(folder: string, file: string): string {
  const path = join(folder, file)
  if (!existsSync(path)) throw new Error(`no file ${path}`)
  return path
}
const data = join(import.meta.dir, '../../src/business/data/sqlite')
const steps = { ...(await import('../../src/storage/sqlite/migrate')) }
void mock.module(existing(sqlite, 'connect.ts'), () => ({ connect: databaseOf }))
void mock.module(existing(sqlite, 'migrate.ts'), () => ({
  ...steps,
  migrate: (connection: Connection, parts: MigrateParts) =>
    onPostgres.has(connection) ? null : steps.migrate(connection, parts),
}))
const access = { ...(await import('../../src/business/data/sqlite/schema-access')) }
void mock.module(existing(data, 'schema-access.ts'), () => ({
  ...access,
  openSchema: (connection: Connection, parts: Parameters<typeof access.openSchema>[1]) =>
    onPostgres.has(connection)
      ? { migrated: null, readOnly: null }
      : access.openSchema(connection, parts),
}))
// No file to read or to copy a log into.
void mock.module(existing(data, 'threads.ts'), () => ({
  openServing: ({ inPlace }: { readonly inPlace: unknown }) => ({
    reader: inPlace,
    beginCheckpoints: async () => {},
    close: () => {},
  }),
}))

/** Methods of stores that were called, as `store.method`. */
const called = new Set<string>()
const { storesOn } = { ...(await import('../../src/business/data/sqlite/stores')) }
type Stores = ReturnType<typeof storesOn>

/** Notes whatever is called of some stores, and whatever could be. */
function noted<T extends object>(stores: T, all: Set<string>, place = ''): T {
  const entries = Object.entries(stores).map(([name, value]: [string, unknown]) => {
    if (typeof value === 'function') {
      all.add(place + name)
      const work = value as (...args: readonly unknown[]) => unknown
      return [
        name,
        (...args: readonly unknown[]) => {
          called.add(place + name)
          return work(...args)
        },
      ]
    }
    const isStore =
      place === '' && typeof value === 'object' && value !== null && !notStores.has(name)
    return [name, isStore ? noted(value, all, `${name}.`) : value]
  })
  return Object.fromEntries(entries) as T
}

const notStores = new Set(['vault', 'pepper', 'endings'])
const methods = new Set<string>()
void mock.module(existing(data, 'stores.ts'), () => ({
  storesOn: (...given: Parameters<typeof storesOn>): Stores => {
    const stores = noted(storesOn(...given), methods)
    const { by, untold, places } = stores
    return {
      ...stores,
      by: (...args) => noted(by(...args), methods),
      untold: (channels) => noted(untold(channels), methods, 'untold.'),
      places: (holders) => noted(places(holders), methods, 'places.'),
    }
  },
}))

const report = process.env['CHAPAR_TEST_CALLED']
if (report !== undefined)
  afterAll(() =>
    writeFileSync(report, JSON.stringify({ methods: [...methods], called: [...called] })),
  )
