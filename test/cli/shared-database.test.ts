import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runServe } from '../../src/cli/local/serve'
import { readDatabaseAddress } from '../../src/storage/database-address'
import { openPostgresStorage } from '../../src/business/data/postgres/open-storage'
import { run } from '../support/executable'
import { describeOn, startPostgres } from '../support/postgres'
import { systemClock } from '../../src/domain/clock'
import { thrownBy } from '../support/thrown-by'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
const database = process.env['CHAPAR_DATABASE']

beforeEach(() => {
  terminal = openTerminal()
})
afterEach(() => {
  if (database === undefined) delete process.env['CHAPAR_DATABASE']
  else process.env['CHAPAR_DATABASE'] = database
  terminal.close()
})

/** Nobody is there. */
const address = 'postgres://chapar@127.0.0.1:1/chapar'
const usual = { host: '127.0.0.1', port: 0, readyFile: null, quiet: true } as const

test.skipIf(process.platform !== 'linux')(
  'several processes do not begin where the database cannot be reached',
  async () => {
    const args = ['serve', '--port', '0', '--processes', '2', '--database', address]
    const { code, stderr } = await run(args, { data: join(terminal.data, 'nodes') })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^chapar: \S+ cannot be reached.*\n$/) as string,
    })
  },
)

test('a gateway in memory has no database', async () => {
  const serving = runServe({ ...usual, dataFolder: '', ephemeral: true, database: address })
  expect(String(await thrownBy(serving))).toContain('leave --database out')
})

test.each(['account list', 'doctor', 'backup x.backup'])(
  'the folder of a node tells %s that its data is in a database',
  async (words) => {
    const folder = join(terminal.data, 'node')
    mkdirSync(join(folder, 'nodes', '1'), { recursive: true })
    const { code, stderr } = await terminal.run(...words.split(' '), '--data', folder)
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`the gateway of ${folder} serves from a database`) as string,
    })
    expect(readdirSync(folder)).toEqual(['nodes'])
  },
)

describeOn('npm', 'commands on a folder that moved', () => {
  test('speak of the service in the database that they are told, as it was started', async () => {
    const server = await startPostgres({ fsync: 'off' })
    try {
      const url = await server.newDatabase()
      const run = async (...words: readonly string[]) => {
        const { code, stdout, stderr } = await terminal.run(...words)
        expect({ words, code, stderr }).toEqual({ words, code: 0, stderr })
        return stdout
      }
      await run('account', 'create', '--name', 'Sara')
      await run('project', 'create', '--account', '1', '--name', 'web')
      await run('migrate', '--to', url)
      const storage = await openPostgresStorage({
        address: readDatabaseAddress(url),
        folder: terminal.data,
        clock: systemClock,
      })
      const profile = {
        services: ['atelier', 'barid'] as [string, string],
        baseUrls: [null, null] as [null, null],
        fixed: {},
        vendors: [],
        local: [],
        notices: { webhook: null, command: null },
      }
      await storage.service.write(profile)
      await storage.close()
      const there = ['--database', url]
      const made = await run('key', 'create', '--project', '1', '--name', 'laptop', ...there)
      expect(made).toContain('sk-atelier-v1-')
      await run('vendor', 'list', ...there)
      await run('operator', 'link', ...there)
      expect(await run('doctor', ...there)).toContain('0 serve')
    } finally {
      await server.remove()
    }
  })
})
