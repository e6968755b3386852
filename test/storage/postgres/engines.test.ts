import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestOutput } from '../../../scripts/test-output'
import {
  describeOn,
  campaignKinds,
  startPostgres,
  type PostgresServer,
} from '../../support/postgres'
import { isLong } from '../../support/campaigns'

const root = join(import.meta.dir, '../../..')
/** Nothing of a test survives it. */
const fast = { fsync: 'off', full_page_writes: 'off', max_connections: '400' }

/** Tests of stores that say what SQLite is like, by what stands in their names. */
const ofSqlite = [
  'on disk',
  'keeps what is known of a call, and nothing else',
  // A file of SQLite is looked into, or broken.
  'stand nowhere on disk',
  'of the release before',
  // They end by the clock, and a commit here is slower.
  'gives up when a notice is too old',
]

/** Everything that stores are asked for; the rest of the tests only in a long run. */
const few = [
  'storage/directory',
  'storage/catalogue-rows',
  'storage/report-lists',
  'trail/',
  'operators/',
  'verification/',
  'people/people',
  'people/members',
]
const more = [
  'admin/',
  'console/',
  'endpoints/videos/',
  'identity/',
  'notices/outbox',
  'notices/holder',
  'payments/money-in',
  'payments/redeem',
  'people/',
  'pricing/',
  'storage/bill-records',
  'storage/ledger-rows',
  'storage/recorded-catalogue',
  'storage/sums',
]
const asked = isLong ? [...few, ...more] : few

/** Runs the same tests as on SQLite, in a process of their own. */
async function testsOn(server: PostgresServer, report: string) {
  const run = Bun.spawn(
    [
      process.execPath,
      'test',
      '--preload=./test/support/postgres-storage.ts',
      '--timeout=120000',
      `--test-name-pattern=^(?!.*(?:${ofSqlite.join('|')}))`,
      ...asked.map((path) => `test/${path}`),
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        CHAPAR_TEST_DATABASE: server.forAdministrator(await server.newDatabase()),
        CHAPAR_TEST_CALLED: report,
      },
      stdout: 'ignore',
      stderr: 'pipe',
    },
  )
  const output = new TestOutput()
  await output.read(run.stderr)
  return { failures: output.failures, code: await run.exited }
}

for (const kind of campaignKinds)
  describeOn(kind, 'stores do what they do on SQLite', () => {
    const folder = mkdtempSync(join(tmpdir(), 'chapar-engines-'))
    const report = join(folder, 'report.json')
    let server: PostgresServer

    beforeAll(async () => {
      server = await startPostgres(fast, kind)
    })
    afterAll(async () => {
      await server.remove()
      rmSync(folder, { recursive: true })
    })

    test('on PostgreSQL', async () => {
      expect(await testsOn(server, report)).toEqual({ failures: [], code: 0 })
      const { called } = (await Bun.file(report).json()) as { readonly called: readonly string[] }
      expect(called.length).toBeGreaterThan(65)
    })
  })
