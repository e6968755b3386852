import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(() => void (terminal = openTerminal()))
afterEach(() => terminal.close())

const balance = async () =>
  (await terminal.json<{ balance: { usd: string } }>('account', 'show', '۱')).balance.usd

test('numbers may be typed in the digits of a Persian or Arabic keyboard', async () => {
  await terminal.run('account', 'create', '--name', 'Sara')
  expect((await terminal.run('topup', '۱', '۵٫۲۵')).code).toBe(0)
  expect(await balance()).toBe('5.250000')
  await terminal.run('rate', 'set', '۵۰٬۰۰۰')
  expect((await terminal.run('topup', '١', '--coins', '١٠٠٬٠٠٠')).code).toBe(0)
  expect(await balance()).toBe('7.250000')
  expect((await terminal.run('topup', '1', 'پنج')).code).toBe(2)
})
