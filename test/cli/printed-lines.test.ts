import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(() => void (terminal = openTerminal()))
afterEach(() => terminal.close())

test('name the program as it can be typed where it runs', async () => {
  process.env['CHAPAR_COMMAND'] = './scripts/chapar'
  const { stderr } = await terminal.run('chat', 'hi')
  expect(stderr).toContain('start ./scripts/chapar serve')
  expect(stderr).toStartWith('chapar: ')
  const { stdout } = await terminal.run('topup', '--help')
  expect(stdout).toContain('\n  ./scripts/chapar topup 1 20')
  // What a program reads is never touched.
  const made = await terminal.json<object>('account', 'create', '--name', 'chapar serve')
  expect(made).toMatchObject({ name: 'chapar serve' })
})

test('have the sign of an amount before its currency', async () => {
  await terminal.run('account', 'create', '--name', 'Sara')
  await terminal.run('topup', '1', '5')
  await terminal.run('account', 'adjust', '1', '-0.00003', '--reason', 'a fault')
  const { stdout } = await terminal.run('account', 'ledger', '1')
  expect(stdout).toContain('−$0.000030')
  expect(stdout).not.toContain('$-')
})

test('show control characters of a name instead of sending them to the terminal', async () => {
  const name = 'a\r\nb\u001b[31m\u0000\u009bc'
  const shown = 'a␍␊b␛[31m␀\ufffdc'
  await terminal.run('account', 'create', '--name', 'Sara')
  // No door takes such a name any more; one of before may be kept.
  const database = new Database(join(terminal.data, 'chapar.db'))
  database.run('UPDATE accounts SET name = ? WHERE id = 1', [name])
  database.close()
  const { stdout: listed } = await terminal.run('account', 'list')
  expect(listed).toContain(shown)
  const { stdout: one } = await terminal.run('account', 'show', '1')
  expect(one).toContain(shown)
  // What a program reads is never touched.
  expect(await terminal.json<object>('account', 'show', '1')).toMatchObject({ name })
})
