import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(() => void (terminal = openTerminal()))
afterEach(() => terminal.close())

interface Line {
  readonly who: string
  readonly what: string
  readonly subject: string
}

test('the trail tells what commands changed, and who ran them', async () => {
  await terminal.run('account', 'create', '--name', 'shop')
  await terminal.run('account', 'set', '1', '--name', 'market')
  await terminal.run('settings', 'set', 'streaming', 'off')
  const { data } = await terminal.json<{ data: readonly Line[] }>('trail', 'list')
  expect(data.map(({ what }) => what)).toEqual(['setting.set', 'account.set', 'account.create'])
  for (const { who } of data) expect(who).toMatch(/^command:./)
  const table = await terminal.run('trail', 'list', '--subject', 'account:1')
  expect(table.stdout).toContain('name: "shop" → "market"')
  expect(table.stdout).not.toContain('streaming')
  const csv = await terminal.run('trail', 'list', '--csv', '--limit', '1')
  expect(csv.stdout.split('\n')).toHaveLength(3)
  expect(csv.stdout).toContain('"{""value"":""off""}"')
})
