import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openDemoAccount } from '../../src/cli/local/demo-account'
import { runServe, type RunningServer } from '../../src/cli/local/serve'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
let server: RunningServer
let key = ''
beforeEach(async () => {
  terminal = openTerminal()
  key = (await openDemoAccount(terminal.data)).key
  server = await runServe({
    dataFolder: terminal.data,
    host: '127.0.0.1',
    port: 0,
    ephemeral: false,
    readyFile: null,
    quiet: true,
  })
})
afterEach(async () => {
  await server.stop()
  terminal.close()
})

/** One call that costs money. @returns its id */
async function call(): Promise<string> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: 'sandbox/echo-priced',
      messages: [{ role: 'user', content: 'Hello there' }],
    }),
  })
  return ((await response.json()) as { id: string }).id
}

/** What a command prints, once the server has written what it knows. */
async function told(...words: readonly string[]): Promise<unknown> {
  for (let tries = 0; ; tries++) {
    const { code, stdout } = await terminal.run(...words, '--json')
    const value = code === 0 ? (JSON.parse(stdout) as { data?: unknown[] }) : null
    if (tries > 100 || (value !== null && value.data?.length !== 0)) return value
    await Bun.sleep(5)
  }
}

describe('usage', () => {
  test('adds up calls by day, model or project, beside a serving gateway', async () => {
    await call()
    const sum = { requests: 1, errors: 0, input_tokens: 2, output_tokens: 2 }
    const today = new Date().toISOString().slice(0, 10)
    expect(await told('usage')).toMatchObject({ group: 'day', data: [{ key: today, ...sum }] })
    expect(await told('usage', '--group', 'model')).toMatchObject({
      data: [{ key: 'sandbox/echo-priced', ...sum }],
    })
    expect(await told('usage', '--group', 'project', '--account', '1')).toMatchObject({
      data: [{ ...sum }],
    })
    for (const group of ['key', 'account'])
      expect(await told('usage', '--group', group)).toMatchObject({
        data: [{ key: '1', name: expect.stringMatching(/^\w+/) as string, ...sum }],
      })
    const { stdout } = await terminal.run('usage', '--account', '77')
    expect(stdout).toContain('$0.000000 in all')
  })

  test.each([
    [['--from', '2026-02-30'], 'A day is needed'],
    [['--group', 'week'], 'One of day, model, key, project, account.'],
    [['--from', '2026-02-02', '--to', '2026-02-01'], '--from: must not be later than: --to'],
  ])('refuses %j', async (options, words) => {
    const { code, stderr } = await terminal.run('usage', ...options)
    expect(code).not.toBe(0)
    expect(stderr).toContain(words)
  })
})

describe('what is spent of caps', () => {
  test('is told of a key, its project and its account, of a call that just ended too', async () => {
    await terminal.run('key', 'set', '1', '--spend-limit', '1')
    await terminal.run('project', 'set', '1', '--monthly-budget', '3')
    await terminal.run('account', 'set', '1', '--no-verified', '--daily-cap', '1')
    const id = await call()
    await told('requests', 'show', id)
    interface Shown {
      readonly caps: readonly { name: string; spent_usd: string; left_usd: string | null }[]
    }
    const { caps } = await terminal.json<Shown>('key', 'show', '1')
    expect(caps.map(({ name, spent_usd, left_usd }) => [name, spent_usd, left_usd])).toEqual([
      ['key_spend_limit', '0.000015', '0.999985'],
      ['project_budget', '0.000015', '2.999985'],
      ['daily_cap', '0.000015', '0.999985'],
      ['verification_ceiling', '0.000015', '1.999985'],
      ['daily_capacity', '0.000015', null],
    ])
    const project = await terminal.run('project', 'show', '1')
    expect(project.stdout).toMatch(
      /project_budget +\d{4}-\d\d +\$0\.000015 +\$3\.000000 +\$2\.999985/,
    )
    const account = await terminal.run('account', 'show', '1')
    expect(account.stdout).toMatch(/verification_ceiling +lifetime +\$0\.000015 +\$2\.000000/)
  })
})

describe('requests list', () => {
  test('has the newest first, and only what was asked for', async () => {
    const first = await call()
    const second = await call()
    await told('requests', 'show', second)
    const ids = async (...words: string[]) =>
      ((await told('requests', 'list', ...words)) as { data: { id: string }[] }).data.map(
        ({ id }) => id,
      )
    expect(await ids()).toEqual([second, first])
    expect(await ids('--limit', '1', '--key', '1', '--status', 'success')).toEqual([second])
    const none = await terminal.json<{ data: unknown[] }>('requests', 'list', '--model', 'other')
    expect(none.data).toEqual([])
    const { stdout } = await terminal.run('requests', 'list', '--csv')
    const [heading, newest, ...rest] = stdout.trimEnd().split('\n')
    expect(heading).toStartWith('id,created,account,')
    expect(newest).toStartWith(`${second},`)
    expect(rest).toHaveLength(1)
    expect((await terminal.run('requests', 'list')).stdout).toContain(second)
  })

  test('refuses a time that is none, and a span that ends before it begins', async () => {
    const wrong = await terminal.run('requests', 'list', '--since', 'yesterday')
    expect(wrong.stderr).toContain('A day (2026-01-31), a time, or a span')
    const turned = await terminal.run('requests', 'list', '--since', '1h', '--until', '2h')
    expect(turned.stderr).toContain('--since: must not be later than: --until')
  })
})

describe('requests refund', () => {
  test('gives back once what a call was charged, and the call tells', async () => {
    const id = await call()
    await told('requests', 'show', id)
    const part = ['--amount', '0.00001', '--reason', 'answer was cut'] as const
    expect(await terminal.json<object>('requests', 'refund', id, ...part)).toMatchObject({
      request: id,
      charged_usd: '0.000015',
      refunded_usd: '0.000010',
      usd: '0.000005',
      reason: 'answer was cut',
      balance: { usd: '4.999995' },
    })
    const again = await terminal.run('requests', 'refund', id)
    expect(again).toMatchObject({ code: 1 })
    expect(again.stderr).toContain(`${id} was refunded before ($0.000010)`)
    expect(await terminal.json<object>('requests', 'show', id)).toMatchObject({
      usd: '0.000005',
      refunded_usd: '0.000010',
    })
    const { stdout } = await terminal.run('account', 'ledger', '1')
    expect(stdout).toMatch(
      new RegExp(`refund +\\$0\\.000010 .*${id} +command:\\w+ +answer was cut`),
    )
    expect((await terminal.run('audit')).code).toBe(0)
  })

  test('never gives back more than was charged', async () => {
    const id = await call()
    await told('requests', 'show', id)
    const more = await terminal.run('requests', 'refund', id, '--amount', '0.000016')
    expect(more.stderr).toContain('$0.000016 is more than')
    expect((await terminal.run('requests', 'refund', id, '--amount', '0')).code).toBe(2)
    expect((await terminal.run('requests', 'refund', 'req_none')).code).toBe(1)
  })
})

describe('requests list --refused', () => {
  interface Refused {
    readonly code: string
    readonly count: number
    readonly key: number | null
    readonly address: string
  }
  const send = async (headers: Record<string, string>, model = 'sandbox/echo-priced') => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] })
    const answer = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body,
    })
    await answer.text()
  }

  test('shows who was refused, why and from where, beside a serving gateway', async () => {
    const known = { authorization: `Bearer ${key}` }
    for (let n = 0; n < 3; n++) await send(known, 'no/such-model')
    await send({ authorization: 'Bearer sk-nobody' })
    await terminal.run('key', 'set', '1', '--allow-address', '203.0.113.9')
    for (const state of ['disable', 'enable', 'revoke']) {
      await send(known)
      await terminal.run('key', state, '1')
    }
    await send(known)
    await server.stop()
    const { data } = await terminal.json<{ data: Refused[] }>('requests', 'list', '--refused')
    const told = new Map<string, Refused>()
    for (const line of data)
      told.set(line.code, { ...line, count: line.count + (told.get(line.code)?.count ?? 0) })
    const shown = [...told.values()]
      .sort((a, b) => (a.code < b.code ? -1 : 1))
      .map(({ code, count, key: by, address }) => [code, count, by, address])
    expect(shown).toEqual([
      ['api_key_disabled', 1, 1, '127.0.0.1'],
      ['api_key_revoked', 1, 1, '127.0.0.1'],
      ['invalid_api_key', 1, null, '127.0.0.1'],
      ['ip_not_allowed', 2, 1, '127.0.0.1'],
      ['model_not_found', 3, 1, '127.0.0.1'],
    ])
    const csv = await terminal.run('requests', 'list', '--refused', '--key', '1', '--csv')
    expect(csv.stdout).toStartWith('minute,last,count,code,account,')
    expect(csv.stdout).not.toContain('invalid_api_key')
    expect((await terminal.run('requests', 'list', '--refused')).stdout).toContain(
      'model_not_found',
    )
  })
})

describe('account ledger', () => {
  test('has every movement with the balance behind it, and adds up', async () => {
    await terminal.run('account', 'adjust', '1', '-0.5', '--reason', '=a "mistake", mine')
    const id = await call()
    await told('requests', 'show', id)
    interface Ledger {
      readonly opening_usd: string
      readonly closing_usd: string
      readonly data: readonly { kind: string; usd: string; balance_usd: string; note: unknown }[]
    }
    const ledger = (await told('account', 'ledger', '1')) as Ledger
    expect(ledger.data.map(({ kind }) => kind)).toEqual(['topup', 'adjustment', 'charge'])
    expect(ledger.data[1]).toMatchObject({ usd: '-0.500000', note: '=a "mistake", mine' })
    expect(Number(ledger.data[2]?.usd)).toBeLessThan(0)
    expect(ledger.opening_usd).toBe('0.000000')
    const { balance } = await terminal.json<{ balance: { usd: string } }>('account', 'show', '1')
    expect(ledger.closing_usd).toBe(balance.usd)
    expect(ledger.data.at(-1)?.balance_usd).toBe(balance.usd)
    const sum = ledger.data.reduce((all, { usd }) => all + Math.round(Number(usd) * 1e9), 0)
    expect(sum).toBe(Math.round(Number(balance.usd) * 1e9))

    const { stdout } = await terminal.run('account', 'ledger', '1', '--csv')
    const [heading, ...lines] = stdout.trimEnd().split('\n')
    expect(heading).toBe('created,kind,usd,balance_usd,reference,by,note')
    expect(lines).toHaveLength(3)
    // A spreadsheet must not take a note for a formula.
    expect(lines[1]).toEndWith(`,"'=a ""mistake"", mine"`)
    expect((await terminal.run('account', 'ledger', '1')).stdout).toContain('3 movements')
  })

  test('begins with the balance of then, and ends with it', async () => {
    await call()
    const after = await terminal.json<{ opening_usd: string; data: unknown[] }>(
      'account',
      'ledger',
      '1',
      '--since=2999-01-01',
      '--until=2999-01-02',
    )
    const { balance } = await terminal.json<{ balance: { usd: string } }>('account', 'show', '1')
    expect(after).toMatchObject({ opening_usd: balance.usd, closing_usd: balance.usd, data: [] })
    const before = await terminal.json<{ closing_usd: string; data: unknown[] }>(
      'account',
      'ledger',
      '1',
      '--since=2000-01-01',
      '--until=2000-01-02',
    )
    expect(before).toMatchObject({ closing_usd: '0.000000', data: [] })
    expect((await terminal.run('account', 'ledger', '9')).stderr).toContain('there is no account 9')
  })
})

describe('requests show', () => {
  test('shows a call with its receipt', async () => {
    const id = await call()
    const view = await told('requests', 'show', id)
    expect(view).toMatchObject({
      id,
      status: 'success',
      vendor: 'sandbox',
      account: 1,
      receipt: {
        lines: [
          { meter: 'input', units: 2 },
          { meter: 'output', units: 2 },
        ],
      },
    })
    const { stdout } = await terminal.run('requests', 'show', id)
    expect(stdout).toContain('UNIT PRICE')
    expect(stdout).toContain('charged of')
  })

  test('says when there is none', async () => {
    const { code, stderr } = await terminal.run('requests', 'show', 'req_nobody')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'chapar: there is no request req_nobody, or it is not written yet\n',
    })
  })
})
