/** Preloaded: what keeps its storage in memory has it on PostgreSQL, in a new database each time. */
import { mock } from 'bun:test'
import { join } from 'node:path'
import { readDatabaseAddress } from '../../src/storage/postgres/address'
import { openDatabase } from '../../src/storage/postgres/connect'
import { migratePostgres } from '../../src/storage/postgres/migrate'
import { StatementThread } from '../../src/storage/postgres/statement-thread'
import { connectPostgres } from '../../src/storage/postgres/sync-connection'
import type { Connection } from '../../src/storage/sqlite/database'
import type { MigrateParts } from '../../src/storage/sqlite/migrate'

const server = new URL(process.env['CHAPAR_TEST_DATABASE'] ?? '')
const at = (database: string) => {
  const url = new URL(server)
  url.pathname = `/${database}`
  return readDatabaseAddress(url.href)
}
const statementTimeoutMs = 10_000
const admin = new StatementThread({ address: at('postgres'), name: 'tests', statementTimeoutMs })
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
  }
  const connection = connectPostgres({ address: at(name), name: 'tests', statementTimeoutMs })
  onPostgres.add(connection)
  return connection
}

const sqlite = join(import.meta.dir, '../../src/storage/sqlite')
const steps = { ...(await import('../../src/storage/sqlite/migrate')) }
void mock.module(join(sqlite, 'connect.ts'), () => ({ connect: databaseOf }))
void mock.module(join(sqlite, 'migrate.ts'), () => ({
  ...steps,
  migrate: (connection: Connection, parts: MigrateParts) =>
    onPostgres.has(connection) ? null : steps.migrate(connection, parts),
}))
// No file to read or to copy a log into.
void mock.module(join(sqlite, 'serving-threads.ts'), () => ({
  openServing: ({ inPlace }: { readonly inPlace: unknown }) => ({
    reader: inPlace,
    beginCheckpoints: async () => {},
    close: () => {},
  }),
}))
