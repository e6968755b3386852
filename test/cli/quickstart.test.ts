import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { balanceAfter, openDemoAccount } from '../../src/cli/local/demo-account'
import { parseUsd } from '../../src/domain/money'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(() => void (terminal = openTerminal()))
afterEach(() => terminal.close())

interface Shown {
  readonly url: string
  readonly key: string
  readonly answer: string
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number }
  readonly cost_usd: string
  readonly balance_usd: string
  readonly request_id: string
}

const words = (...more: string[]) => ['quickstart', '--once', '--data', terminal.data, ...more]
const once = () => terminal.json<Shown>(...words('--port', '0'))
const keyFile = () => join(terminal.data, 'quickstart-key')

describe('quickstart --once', () => {
  test('shows one charged call, and what is left is exact', async () => {
    const shown = await once()
    expect(shown.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
    expect(shown.answer).toContain('Hello from Chapar')
    expect(shown.usage.prompt_tokens).toBeGreaterThan(0)
    expect(shown.usage.completion_tokens).toBeGreaterThan(0)
    expect(Number(shown.cost_usd)).toBeGreaterThan(0)
    expect(Number(shown.balance_usd)).toBeCloseTo(5 - Number(shown.cost_usd), 9)
    expect(shown.request_id).toMatch(/^req_/)
    expect(await terminal.json<object>('audit')).toMatchObject({
      ok: true,
      requests: 1,
      pending: 0,
    })
    expect(existsSync(join(terminal.data, 'serving.json'))).toBe(false)
  })

  test('keeps its key for its owner, and gives credit and key once', async () => {
    const first = await once()
    expect(readFileSync(keyFile(), 'utf8').trim()).toBe(first.key)
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
    const second = await once()
    expect(second.key).toBe(first.key)
    expect(Number(second.balance_usd)).toBeCloseTo(
      Number(first.balance_usd) - Number(second.cost_usd),
      9,
    )
    const { data } = await terminal.json<{ data: unknown[] }>('account', 'list')
    expect(data).toMatchObject([{ name: 'demo', verified: true, limits: { concurrency: 100 } }])
    const keys = await terminal.json<{ data: unknown[] }>('key', 'list')
    expect(keys.data).toMatchObject([{ name: 'quickstart', rpm_limit: null }])
  })

  test('makes another key where the one it kept is no longer taken', async () => {
    const first = await once()
    await terminal.run('key', 'revoke', '1')
    const second = await once()
    expect(second.key).not.toBe(first.key)
    // The folder begins anew; the key file is kept.
    for (const file of [
      'chapar.db',
      'chapar.db-wal',
      'chapar.db-shm',
      'secret.key',
      'endings.spool',
    ])
      rmSync(join(terminal.data, file), { force: true })
    const third = await once()
    expect(third.key).not.toBe(second.key)
    expect(readFileSync(keyFile(), 'utf8').trim()).toBe(third.key)
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
  })

  test('prints the two lines to paste, in plain text', async () => {
    const { code, stdout } = await terminal.run(...words('--port', '0'))
    expect(code).toBe(0)
    const key = readFileSync(keyFile(), 'utf8').trim()
    expect(stdout).toMatch(/\n {2}export OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/v1\n/)
    expect(stdout).toContain(`\n  export OPENAI_API_KEY=${key}\n`)
    expect(stdout).not.toContain(String.fromCharCode(27))
  })

  test('takes the next free port when the usual one is taken, and says so', async () => {
    const holder = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
    const taken = String(holder.port)
    process.env['CHAPAR_PORT'] = taken
    const { code, stdout } = await terminal.run(...words())
    await holder.stop(true)
    expect(code).toBe(0)
    expect(stdout).toContain(`port ${taken} is taken`)
    const port = Number(/OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:(\d+)/.exec(stdout)?.[1])
    expect(port).toBeGreaterThan(Number(taken))
  })

  test('does not move from a port that was asked for', async () => {
    const holder = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
    const taken = String(holder.port)
    const ran = await terminal.run(...words('--port', taken))
    await holder.stop(true)
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain(taken)
  })

  test('leaves a folder alone that is being served', async () => {
    await terminal.make()
    const url = 'http://127.0.0.1:4567'
    writeFileSync(join(terminal.data, 'serving.json'), JSON.stringify({ pid: process.pid, url }))
    const ran = await terminal.run(...words())
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain(`already served at ${url}`)
    expect(await terminal.json<object>('account', 'list')).toMatchObject({ data: [] })
    expect(existsSync(keyFile())).toBe(false)
  })
})

describe('the balance after a call', () => {
  test('is waited for until the charge is written', async () => {
    const demo = await openDemoAccount(terminal.data)
    const seen = balanceAfter(terminal.data, demo)
    await Bun.sleep(20)
    await terminal.run('topup', String(demo.account), '1')
    expect(await seen).toBe(parseUsd('6'))
  })
})

describe('demo credit', () => {
  test('goes to a folder of its own where none is named', async () => {
    const home = join(terminal.data, '..')
    process.env['XDG_DATA_HOME'] = home
    // Also where one is named for accounts that pay.
    expect(process.env['CHAPAR_DATA']).toBe(terminal.data)
    const ran = await terminal.run('quickstart', '--once', '--port', '0')
    expect(ran.code).toBe(0)
    expect(existsSync(join(home, 'chapar-quickstart', 'quickstart-key'))).toBe(true)
    expect(existsSync(terminal.data)).toBe(false)
  })

  test('is not given where others have accounts', async () => {
    await terminal.run('account', 'create', '--name', 'Sara')
    const ran = await terminal.run(...words('--port', '0'))
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('holds the account Sara')
    expect(await terminal.json<object>('account', 'list')).toMatchObject({
      data: [{ name: 'Sara', balance: { usd: '0.000000' } }],
    })
  })
})

describe('a vendor’s key in the environment', () => {
  const vendors = async () =>
    (await terminal.json<{ data: readonly object[] }>('vendor', 'list')).data

  test('stays, sealed, when the printed lines put our own in its place', async () => {
    Object.assign(process.env, { CHAPAR_DETECT: '1', DEEPSEEK_API_KEY: 'sk-0123456789-tail' })
    const first = await terminal.run(...words('--port', '0'))
    expect(first.stdout).toContain('Your key of deepseek was in the environment. It is kept sealed')
    expect(first.stdout).toContain(`chapar vendor remove deepseek --data ${terminal.data}`)
    expect(await vendors()).toMatchObject([{ name: 'deepseek', api_key: '…tail', active: true }])
    const database = readFileSync(join(terminal.data, 'chapar.db'), 'latin1')
    expect(database).not.toContain('0123456789-tail')

    process.env['DEEPSEEK_API_KEY'] = readFileSync(keyFile(), 'utf8').trim()
    const second = await terminal.run(...words('--port', '0'))
    expect(second.stdout).toMatch(/vendors: .*deepseek/)
    expect(second.stdout).not.toContain('Your key of')
    expect(await vendors()).toMatchObject([{ api_key: '…tail' }])
  })

  test('takes the place of an earlier one, and leaves what was set beside it', async () => {
    Object.assign(process.env, { CHAPAR_DETECT: '1', DEEPSEEK_API_KEY: 'sk-0123456789-tail' })
    await terminal.run(...words('--port', '0'))
    await terminal.run('vendor', 'set', 'deepseek', '--margin', '20')
    process.env['DEEPSEEK_API_KEY'] = 'sk-0123456789-next'
    await terminal.run(...words('--port', '0'))
    expect(await vendors()).toMatchObject([{ api_key: '…next', margin_percent: '20' }])
  })
})
