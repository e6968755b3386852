import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openTerminal, type Terminal } from './terminal'

/* A limit that is not there is null or a word, never the number that it is computed with. */

let terminal: Terminal
let account: string
beforeAll(async () => {
  terminal = openTerminal()
  const idOf = async (...words: readonly string[]) =>
    String((await terminal.json<{ id: number }>(...words)).id)
  account = await idOf('account', 'create', '--name', 'Free')
  const project = await idOf('project', 'create', '--account', account, '--name', 'p')
  const key = await idOf('key', 'create', '--project', project, '--name', 'k')
  await terminal.run('key', 'set', key, '--rpm', 'none')
  await terminal.run('group', 'create', '--name', 'gold')
  await terminal.run('account', 'set', account, '--rpm', '30')
  await terminal.run('account', 'set', account, '--inherit', 'all')
})
afterAll(() => terminal.close())

const stand = /9007199254|9007199\.254|1000000000|1,000,000,000|1e9/

test.each([
  'account list',
  'account show ACCOUNT',
  'project list',
  'key list',
  'group list',
  'trail list',
])('%s shows no stand-in of a limit', async (line) => {
  const command = line.replace('ACCOUNT', account).split(' ')
  for (const form of [[], ['--json']]) {
    const { code, stdout } = await terminal.run(...command, ...form)
    expect(code).toBe(0)
    expect(stdout).not.toMatch(stand)
  }
})

test('an account without a ceiling says so by a dash and as null', async () => {
  const shown = await terminal.run('account', 'show', account)
  expect(shown.stdout).toMatch(/^rpm +–$/m)
  expect(await terminal.json<object>('account', 'show', account)).toMatchObject({
    limits: { rpm: null },
  })
})
