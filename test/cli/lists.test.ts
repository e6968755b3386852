import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import { localTime } from '../../src/domain/local-time'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { charge, customer, handClock, opening } from '../storage/folder'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(() => {
  terminal = openTerminal()
})
afterEach(() => terminal.close())

/** Calls of one customer, each written with its charge. */
async function addCalls(count: number): Promise<void> {
  const clock = handClock()
  const storage = openStorage({ folder: terminal.data, exclusive: true, clock })
  const caller = await customer(storage, { usd: '5' })
  const callAt = (n: number) => ({
    ...opening(caller, clock.now(), idOf(n)),
    address: '192.0.2.7',
  })
  for (let n = 0; n < count; n++) await storage.ledger.commit(charge(callAt(n), 5), false)
  await storage.close()
}

const idOf = (n: number): string => `req_${String(n + 100).padStart(9, '0')}`
const since = ['--since', '1970-01-01'] as const

describe('requests list', () => {
  test('writes every call as CSV, and says in a table how many it does not show', async () => {
    await addCalls(130)
    const csv = await terminal.run('requests', 'list', ...since, '--csv')
    const [heading, ...rows] = csv.stdout.trimEnd().split('\n')
    expect(rows).toHaveLength(130)
    expect(heading).toContain(',address,')
    expect(rows[0]).toStartWith(`${idOf(129)},`)
    const table = (await terminal.run('requests', 'list', ...since)).stdout.trimEnd().split('\n')
    expect(table).toHaveLength(102)
    expect(table.at(-1)).toBe('… 30 more: --limit 130, or --csv for all')
    const few = await terminal.run('requests', 'list', ...since, '--csv', '--limit', '7')
    expect(few.stdout.trimEnd().split('\n')).toHaveLength(8)
    const json = await terminal.json<{ data: object[] }>('requests', 'list', ...since)
    expect(json).toMatchObject({ more: 30 })
    expect(json.data[0]).toMatchObject({ address: '192.0.2.7' })
  })

  test('has the address of each call for people too', async () => {
    await addCalls(1)
    expect((await terminal.run('requests', 'list', ...since)).stdout).toContain(' 192.0.2.7 ')
    expect((await terminal.run('requests', 'show', idOf(0))).stdout).toMatch(
      /address +192\.0\.2\.7/,
    )
    const shown = await terminal.json<object>('requests', 'show', idOf(0))
    expect(shown).toMatchObject({ address: '192.0.2.7' })
  })
})

describe('every list', () => {
  beforeEach(async () => {
    await addCalls(1)
    await terminal.run('settings', 'set', 'sandbox', 'on')
    await terminal.run('rate', 'set', '100000')
    await terminal.run('topup', '1', '--coins', '50000')
    await terminal.run('code', 'create', '--usd', '1')
    const address = ['--kind', 'openai', '--base-url', 'http://127.0.0.1:1/v1', '--api-key', 'k']
    await terminal.run('vendor', 'add', '--name', 'v', '--no-test', ...address)
  })

  test.each(
    [
      'account list',
      'project list',
      'key list',
      'vendor list',
      'model list',
      'settings list',
      'payments list',
      'code list',
      'rate history',
      'requests list --since 1970-01-01',
      'usage --from 2025-11-01 --group account',
    ].map((line) => [line]),
  )('%s is also CSV, under the names that JSON has', async (line) => {
    const words = line.split(' ')
    const { data } = await terminal.json<{ data: readonly Record<string, unknown>[] }>(...words)
    const { code, stdout } = await terminal.run(...words, '--csv')
    expect(code).toBe(0)
    const [heading = '', ...rows] = stdout.trimEnd().split('\n')
    expect(rows).toHaveLength(data.length)
    const [first = {}] = data
    const known = new Set(
      Object.entries(first).flatMap(([name, value]) =>
        typeof value === 'object' && value !== null
          ? [name, ...Object.keys(value).map((inner) => `${name}_${inner}`)]
          : [name],
      ),
    )
    expect(heading.split(',').filter((name) => !known.has(name))).toEqual([])
  })

  test.each(['notices list', 'videos list'])(
    '%s has a heading where there is none',
    async (line) => {
      const { stdout } = await terminal.run(...line.split(' '), '--csv')
      expect(stdout).toMatch(/^id,created,[\w,]+\n$/)
    },
  )
})

describe('times', () => {
  const time = Date.UTC(2026, 0, 31, 22, 5, 9) as Ms
  test.each([
    ['Asia/Tehran', '2026-02-01 01:35:09 +03:30'],
    ['America/New_York', '2026-01-31 17:05:09 -05:00'],
    ['UTC', '2026-01-31 22:05:09 UTC'],
  ])('are those of the operator in %s', (zone, shown) => {
    process.env['TZ'] = zone
    expect(localTime(time)).toBe(shown)
  })

  test('are local for people and ISO for programs', async () => {
    await addCalls(1)
    process.env['TZ'] = 'Asia/Tehran'
    const { created } = await terminal.json<{ created: string }>('account', 'show', '1')
    expect(created).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    const { stdout } = await terminal.run('account', 'show', '1')
    expect(stdout.replaceAll(/ +/g, ' ')).toContain(`created ${localTime(Date.parse(created))}`)
    expect(stdout).toContain('+03:30')
    const listed = await terminal.run('requests', 'list', ...since)
    expect(listed.stdout).toContain('+03:30')
    const csv = await terminal.run('requests', 'list', ...since, '--csv')
    expect(csv.stdout).not.toContain('+03:30')
    const call = await terminal.json<{ created: string }>('requests', 'show', idOf(0))
    expect(call.created).toMatch(/Z$/)
  })
})
