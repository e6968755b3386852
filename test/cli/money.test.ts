import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(() => void (terminal = openTerminal()))
afterEach(() => terminal.close())

interface Account {
  readonly id: number
  readonly balance: { readonly usd: string }
}

const account = (...settings: readonly string[]) =>
  terminal.json<Account & Record<string, unknown>>(
    'account',
    'create',
    '--name',
    'Sara',
    ...settings,
  )

describe('account', () => {
  test('create gives the account as it is, money in decimal strings', async () => {
    const settings = ['--verified', '--daily-cap', '25', '--concurrency', '3', '--rpm', '120']
    expect(await account(...settings, '--max-request-kb', '512')).toMatchObject({
      id: 1,
      object: 'account',
      name: 'Sara',
      status: 'active',
      verified: true,
      balance: { usd: '0.000000' },
      daily_cap_usd: '25.000000',
      limits: { concurrency: 3, rpm: 120, max_request_kb: 512 },
    })
  })

  test('set changes what is named and nothing else; none lifts a cap', async () => {
    const made = await account('--verified', '--daily-cap', '25')
    const set = (...change: string[]) =>
      terminal.json<object>('account', 'set', String(made.id), ...change)
    expect(await set('--status', 'suspended')).toEqual({ ...made, status: 'suspended' })
    expect(await set('--status', 'active', '--no-verified')).toEqual({ ...made, verified: false })
    expect(await set('--verified', '--daily-cap', 'none')).toEqual({ ...made, daily_cap_usd: null })
    expect(await terminal.json<object>('account', 'show', '1')).toMatchObject({
      ...made,
      daily_cap_usd: null,
    })
  })

  test('list shows every account in aligned columns, wide letters too', async () => {
    await account()
    await terminal.run('account', 'create', '--name', '記帳 دفتر')
    const { stdout } = await terminal.run('account', 'list')
    const lines = stdout.trimEnd().split('\n')
    const column = (line: string) => Bun.stringWidth(line.slice(0, line.indexOf('active')))
    expect(lines).toHaveLength(3)
    expect(column(lines[1] ?? '')).toBe(column(lines[2] ?? ''))
    expect(lines[0]?.indexOf('STATUS')).toBe(column(lines[1] ?? ''))
  })
})

describe('topup', () => {
  test('puts dollars on the account and shows what is there', async () => {
    await account()
    const first = await terminal.json<Account>('topup', '1', '20')
    expect(first).toMatchObject({ account: 1, usd: '20.000000', balance: { usd: '20.000000' } })
    const { stdout } = await terminal.run('topup', '1', '0.000000001')
    expect(stdout).toBe('balance of account 1: $20.000000001\n')
  })

  test('counts a reference once', async () => {
    await account()
    const twice = ['topup', '1', '7', '--reference', 'invoice-17']
    expect(await terminal.json<object>(...twice)).toMatchObject({ repeated: false })
    expect(await terminal.json<object>(...twice)).toMatchObject({
      repeated: true,
      balance: { usd: '7.000000' },
    })
    expect((await terminal.run(...twice)).stdout).toBe(
      'invoice-17 was counted before; nothing changed\nbalance of account 1: $7.000000\n',
    )
  })

  test.each(['0', '-1'])('refuses %s dollars and leaves the balance alone', async (usd) => {
    await account()
    expect((await terminal.run('topup', '1', usd)).code).toBeGreaterThan(0)
    expect((await terminal.json<Account>('account', 'show', '1')).balance.usd).toBe('0.000000')
  })

  test('refuses an account that is not there', async () => {
    await terminal.make()
    expect(await terminal.run('topup', '5', '1')).toMatchObject({
      code: 1,
      stderr: 'chapar: there is no account 5\n',
    })
  })
})

describe('audit', () => {
  test('counts what there is and exits 0 when it adds up', async () => {
    await account()
    await terminal.run('topup', '1', '20')
    const { code, stdout } = await terminal.run('audit')
    expect(code).toBe(0)
    expect(stdout).toContain('1 account, 1 transfer, 0 requests, 0 pending')
    expect(await terminal.json<object>('audit')).toMatchObject({ ok: true, differences: [] })
  })

  test('exits 1 at one nano-dollar of difference and says where', async () => {
    await account()
    await terminal.run('topup', '1', '20')
    const database = new Database(join(terminal.data, 'chapar.db'))
    database.run('UPDATE accounts SET balance = balance + 1 WHERE id = 1')
    database.close()
    const { code, stdout } = await terminal.run('audit')
    expect(code).toBe(1)
    expect(stdout).toContain('✗ account 1: ')
    expect(stdout).toContain('20.000000001')
    const json = await terminal.run('audit', '--json')
    expect({ code: json.code, ...json.json<object>() }).toMatchObject({ code: 1, ok: false })
  })

  test('refuses a folder without a ledger rather than call it sound, and makes none', async () => {
    const { code, stderr } = await terminal.run('audit')
    expect(code).toBe(1)
    expect(stderr).toContain(`there is no gateway's data in ${terminal.data}`)
    expect(existsSync(terminal.data)).toBe(false)
  })
})
