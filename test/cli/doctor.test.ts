import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Database } from 'bun:sqlite'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../src/business/operations/finding'
import { openDemoAccount } from '../../src/cli/local/demo-account'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal()
  await openDemoAccount(terminal.data)
})
afterEach(() => terminal.close())

interface Report {
  readonly ok: boolean
  readonly data: readonly Finding[]
}

async function examined(...words: string[]) {
  const { code, stdout } = await terminal.run('doctor', '--json', ...words)
  const report = JSON.parse(stdout) as Report
  expect(code).toBe(report.ok ? 0 : 1)
  return {
    ...report,
    of: (check: string) => report.data.find((each) => each.check === check),
  }
}

describe('the doctor', () => {
  test('finds a new folder well, but for vendors that nobody added', async () => {
    const { ok, of, data } = await examined()
    expect(ok).toBe(true)
    expect(data.filter(({ state }) => state !== 'ok').map(({ check }) => check)).toEqual(['models'])
    expect(of('ledger')?.found).toContain('add up')
    const { stdout } = await terminal.run('doctor')
    expect(stdout).toContain('✓ ledger')
    expect(stdout).toMatch(/! models .*\n +→ chapar vendor add/)
  })

  test('tells of a sandbox that is on sale beside vendors, and of nothing on sale at all', async () => {
    const address = ['--base-url', 'https://api.deepseek.com', '--api-key', 'x']
    await terminal.run(
      'vendor',
      'add',
      '--name',
      'deep',
      '--kind',
      'openai',
      '--no-test',
      ...address,
    )
    expect((await examined()).of('sandbox')).toMatchObject({
      state: 'warn',
      found: expect.stringContaining('on sale to every customer') as string,
      advice: 'chapar settings set sandbox off',
    })
    await terminal.run('settings', 'set', 'sandbox', 'off')
    expect((await examined()).of('sandbox')).toBeUndefined()
    await terminal.run('vendor', 'remove', 'deep')
    expect((await examined()).of('models')).toMatchObject({ state: 'warn', found: 'none on sale' })
  })

  test('says what to do where there is nothing', async () => {
    const { ok, data } = await examined('--data', join(terminal.data, 'nowhere'))
    expect(ok).toBe(false)
    expect(data).toMatchObject([
      {
        check: 'data folder',
        state: 'fail',
        advice: expect.stringContaining('quickstart') as string,
      },
    ])
  })

  test('finds books that do not add up', async () => {
    const raw = new Database(join(terminal.data, 'chapar.db'))
    raw.run('UPDATE accounts SET balance = balance + 1 WHERE id = 1')
    raw.close()
    const { ok, of } = await examined()
    expect(ok).toBe(false)
    expect(of('ledger')).toMatchObject({ state: 'fail' })
    expect(of('ledger')?.found).toContain('off by $0.000000001')
  })

  test('finds files that others can read, and calls from the future', async () => {
    chmodSync(join(terminal.data, 'secret.key'), 0o644)
    const raw = new Database(join(terminal.data, 'chapar.db'))
    const later = Date.now() + 86_400_000
    raw.run(
      `INSERT INTO requests (id, account, project, key, endpoint, model, streamed, status, input_tokens,
        output_tokens, cached_tokens, reasoning_tokens, estimated, cost, held, card_version, address, created)
       VALUES (?, 1, 1, 1, 'chat', 'm', 0, 'success', 0, 0, 0, 0, 0, 0, 0, '1', '::1', ?)`,
      [`req_${later.toString(16).padStart(12, '0')}${'0'.repeat(20)}`, later],
    )
    raw.close()
    const { of } = await examined()
    expect(of('data folder')).toMatchObject({ state: 'warn' })
    expect(of('data folder')?.found).toContain('secret.key')
    expect(of('clock')).toMatchObject({ state: 'fail' })
  })

  test('asks every vendor, and finds those that do not answer or refuse our key', async () => {
    const standIn = Bun.serve({
      port: 0,
      fetch: ({ headers }) =>
        headers.get('authorization') === 'Bearer right'
          ? Response.json({ data: [{ id: 'one' }] })
          : new Response('{}', { status: 401 }),
    })
    const url = `http://127.0.0.1:${standIn.port}/v1`
    const add = (name: string, address: string, credential: string) => {
      const described = ['--name', name, '--kind', 'openai', '--base-url', address]
      return terminal.run('vendor', 'add', ...described, '--no-test', '--api-key', credential)
    }
    try {
      await add('well', url, 'right')
      await add('locked', url, 'wrong')
      await add('gone', 'http://127.0.0.1:9/v1', 'x')
      const { ok, of } = await examined()
      expect(ok).toBe(false)
      expect(of('vendor well')).toMatchObject({ state: 'ok', found: 'reached, 1 model' })
      expect(of('vendor locked')?.found).toContain('refuses our key')
      expect(of('vendor gone')?.found).toContain('does not answer')
    } finally {
      await standIn.stop(true)
    }
  })
})
