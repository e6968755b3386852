import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runServe, type RunningServer } from '../../src/cli/local/serve'
import { zeroUsd } from '../../src/domain/money'
import { usdFa } from '../../src/errors/texts-fa'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
let server: RunningServer
let own: string
let sister: string

beforeAll(async () => {
  terminal = openTerminal()
  process.env['CHAPAR_URL'] = 'https://api.chapar.example/v1/'
  process.env['CHAPAR_SISTER_URL'] = 'https://api.barid.example'
  await terminal.run('settings', 'set', 'sandbox', 'on')
  await terminal.run('account', 'create', '--name', 'Sara', '--verified')
  await terminal.run('topup', '1', '10')
  await terminal.run('project', 'create', '--account', '1', '--name', 'web')
  own = (await createKey()).key
  sister = (await createKey('--service', 'barid')).key
  server = await runServe({
    dataFolder: terminal.data,
    host: '127.0.0.1',
    port: 0,
    ephemeral: false,
    readyFile: null,
    quiet: true,
  })
})
afterAll(async () => {
  await server.stop()
  terminal.close()
})

interface Made {
  readonly key: string
  readonly service: string
  readonly base_url: string
}

const createKey = (...more: readonly string[]) =>
  terminal.json<Made>('key', 'create', '--project', '1', '--name', 'k', '--rpm', 'none', ...more)

interface Told {
  readonly code: string | null
  readonly message: string
}

/** A call that costs money, at once after whatever command came before. */
async function call(key = own, headers: Record<string, string> = {}, body = {}): Promise<Told> {
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify({
      model: 'sandbox/echo-priced',
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 10,
      ...body,
    }),
  })
  if (answer.ok) return { code: null, message: await answer.text() }
  return ((await answer.json()) as { error: Told }).error
}

const words = (line: string): readonly string[] => line.split(' ')

/** A command, the code of the very next call and what its message tells, and the way back. */
const controls: readonly (readonly [string, string, readonly string[], string])[] = [
  [
    'key set 1 --spend-limit 0',
    'key_spend_limit_reached',
    [`${usdFa(zeroUsd)} دلار`],
    'key set 1 --spend-limit none',
  ],
  [
    'key set 1 --allow-model openai/*',
    'model_not_allowed',
    ['این کلید', 'openai/*'],
    'key set 1 --allow-all-models',
  ],
  [
    'key set 1 --allow-address 10.0.0.0/8 --allow-address 2001:db8::/32',
    'ip_not_allowed',
    ['127.0.0.1'],
    'key set 1 --allow-address 127.0.0.0/8',
  ],
  ['key disable 1', 'api_key_disabled', ['فعال کنید'], 'key enable 1'],
  ['project set 1 --inactive', 'project_inactive', ['web'], 'project set 1 --active'],
  [
    'project set 1 --allow-model other',
    'model_not_allowed',
    ['این پروژه', 'other'],
    'project set 1 --allow-model sandbox/*',
  ],
  [
    'project set 1 --monthly-budget 0',
    'project_budget_exceeded',
    [`${usdFa(zeroUsd)} دلار`],
    'project set 1 --monthly-budget none',
  ],
  [
    'account set 1 --status suspended',
    'account_suspended',
    ['پشتیبانی'],
    'account set 1 --status active',
  ],
  [
    'account set 1 --daily-cap 0',
    'daily_cap_reached',
    [`${usdFa(zeroUsd)} دلار`],
    'account set 1 --daily-cap none',
  ],
  [
    'account set 1 --max-request-kb 1',
    'request_too_large',
    ['1 کیلوبایت'],
    'account set 1 --max-request-kb 64',
  ],
  [
    'model set sandbox/echo-priced --off',
    'model_temporarily_unavailable',
    ['sandbox/echo-priced'],
    'model set sandbox/echo-priced --on',
  ],
  [
    'vendor set sandbox --off',
    'model_not_found',
    ['sandbox/echo-priced'],
    'vendor set sandbox --on',
  ],
  ['settings set gateway off', 'gateway_disabled', ['در دسترس نیست'], 'settings set gateway on'],
  ['settings set day-capacity 0', 'daily_capacity_reached', ['UTC'], 'settings reset day-capacity'],
]

describe('a command is in force on the very next call', () => {
  test.each(controls)('%s: %s', async (control, code, told, back) => {
    const big = { filler: 'x'.repeat(2000) }
    expect(await call(own, {}, big)).toMatchObject({ code: null })
    expect((await terminal.run(...words(control))).code).toBe(0)
    const refused = await call(own, {}, big)
    expect(refused.code).toBe(code)
    for (const word of told) expect(refused.message).toContain(word)
    expect((await terminal.run(...words(back))).code).toBe(0)
    expect(await call(own, {}, big)).toMatchObject({ code: null })
  })

  test('so is an expiry, a ceiling on requests, and concurrency', async () => {
    const { key } = await createKey('--expires', '1h')
    expect(await call(key)).toMatchObject({ code: null })
    await terminal.run('key', 'set', key, '--rpm', '1')
    const codes = [await call(key), await call(key)].map(({ code }) => code)
    expect(codes).toContain('rate_limit_exceeded')
    await terminal.run('key', 'set', key, '--rpm', 'none')
    await terminal.run('account', 'set', '1', '--rpm', '2')
    const limit = (await fetchLimits(key)).limit
    expect(limit).toBe('2')
    await terminal.run('account', 'set', '1', '--rpm', '1000000')
    expect((await fetchLimits(key)).limit).toBe('1000000')
  })

  test('so is a key that is revoked, for good', async () => {
    const { key } = await createKey()
    expect(await call(key)).toMatchObject({ code: null })
    await terminal.run('key', 'revoke', key)
    expect(await call(key)).toMatchObject({ code: 'api_key_revoked' })
  })

  test('so is money that comes in', async () => {
    await terminal.run('account', 'create', '--name', 'Poor')
    await terminal.run('project', 'create', '--account', '2', '--name', 'empty')
    const { key } = await terminal.json<Made>('key', 'create', '--project', '2', '--name', 'k')
    expect(await call(key)).toMatchObject({ code: 'insufficient_credit' })
    await terminal.run('topup', '2', '1')
    expect(await call(key)).toMatchObject({ code: null })
    await terminal.run('settings', 'set', 'kyc-ceiling', '0')
    expect(await call(key)).toMatchObject({ code: 'kyc_required' })
    await terminal.run('account', 'set', '2', '--verified')
    expect(await call(key)).toMatchObject({ code: null })
    await terminal.run('settings', 'reset', 'kyc-ceiling')
  })
})

async function fetchLimits(key: string) {
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: '{}',
  })
  return { limit: answer.headers.get('x-ratelimit-limit') }
}

describe('two brands', () => {
  test('have keys, prefixes and addresses of their own', async () => {
    expect(own).toStartWith('sk-chapar-v1-')
    expect(sister).toStartWith('sk-barid-v1-')
    const [mine, theirs] = [await createKey(), await createKey('--service', 'barid')]
    expect(mine).toMatchObject({ service: 'chapar', base_url: 'https://api.chapar.example/v1' })
    expect(theirs).toMatchObject({ service: 'barid', base_url: 'https://api.barid.example/v1' })
    const ran = await terminal.run(
      'key',
      'create',
      '--project',
      '1',
      '--name',
      'k',
      '--service',
      'x',
    )
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stderr).toContain('--service: must be one of: chapar, barid')
  })

  test('a key of either works at either address, in either header, on one credit', async () => {
    const balance = async () =>
      Number(
        (await terminal.json<{ balance: { usd: string } }>('account', 'show', '1')).balance.usd,
      )
    for (const key of [own, sister])
      for (const host of ['api.chapar.example', 'api.barid.example']) {
        const before = await balance()
        expect(await call(key, { host })).toMatchObject({ code: null })
        expect(await call('', { host, 'x-api-key': key })).toMatchObject({ code: null })
        for (let tries = 0; (await balance()) === before && tries < 200; tries++) await Bun.sleep(5)
        expect(await balance()).toBeLessThan(before)
      }
  })

  test('may not be called the same, and an address must be one', async () => {
    const serve = () => terminal.run('serve', '--ephemeral', '--port', '0')
    process.env['CHAPAR_SISTER_SERVICE'] = 'chapar'
    expect((await serve()).stderr).toContain('both services are called chapar')
    delete process.env['CHAPAR_SISTER_SERVICE']
    process.env['CHAPAR_URL'] = 'chapar.example'
    expect((await serve()).stderr).toContain('CHAPAR_URL is not an http address: chapar.example')
    process.env['CHAPAR_URL'] = 'https://api.chapar.example/v1/'
  })
})
