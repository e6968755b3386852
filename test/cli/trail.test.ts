import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { connect } from '../../src/storage/sqlite/connect'
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
  expect(table.stdout).not.toMatch(/: –(?: → –)?(?:,|$)/m)
  const csv = await terminal.run('trail', 'list', '--csv', '--limit', '1')
  expect(csv.stdout.split('\n')).toHaveLength(3)
  expect(csv.stdout).toContain('"{""value"":""off""}"')
})

test('a file of the trail has every line of it, and a table tells its clock', async () => {
  await terminal.make()
  const { raw } = connect(join(terminal.data, 'chapar.db'))
  raw.run(`INSERT INTO trail (at, who, what, subject)
    WITH RECURSIVE line(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM line WHERE n < 2100)
    SELECT n, 'command:sara', 'account.set', 'account:1' FROM line`)
  raw.close(true)
  const { stdout } = await terminal.run('trail', 'list', '--csv')
  const ids = stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(',')[0]))
  expect(ids).toEqual(Array.from({ length: 2100 }, (_, at) => 2100 - at))
  const table = await terminal.run('trail', 'list')
  expect(table.stdout.match(/ (?:UTC|[+-]\d\d:\d\d) {2}command:sara/g)).toHaveLength(100)
})
