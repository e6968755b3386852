import { afterEach, beforeEach, expect, test } from 'bun:test'
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
