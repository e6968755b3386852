import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runServe, type RunningServer } from '../../src/cli/local/serve'
import { openDemoAccount } from '../../src/cli/local/demo-account'
import { registry, settingKeys } from '../../src/gateway/settings/registry'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
let server: RunningServer | null = null
beforeEach(async () => {
  terminal = openTerminal()
  await terminal.make()
})
afterEach(async () => {
  await server?.stop()
  server = null
  terminal.close()
})

interface View {
  readonly name: string
  readonly value: unknown
  readonly source: string
}

const serve = async (): Promise<{ call(body?: object, headers?: object): Promise<Response> }> => {
  const { key } = await openDemoAccount(terminal.data)
  server = await runServe({
    dataFolder: terminal.data,
    host: '127.0.0.1',
    port: 0,
    ephemeral: false,
    readyFile: null,
    quiet: true,
  })
  const { url } = server
  return {
    call: (body = {}, headers = {}) =>
      fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...headers },
        body: JSON.stringify({
          model: 'sandbox/echo-priced',
          messages: [{ role: 'user', content: 'Hello there' }],
          ...body,
        }),
      }),
  }
}

const codeOf = async (answer: Response): Promise<string | null> => {
  if (answer.ok) return null
  return ((await answer.json()) as { error: { code: string } }).error.code
}

describe('settings', () => {
  test('list tells every setting with its value, where it comes from and what it means', async () => {
    const { data } = await terminal.json<{ data: View[] }>('settings', 'list')
    expect(data.map(({ name }) => name)).toEqual(settingKeys.map((key) => registry[key].name))
    expect(data.find(({ name }) => name === 'kyc-ceiling')).toMatchObject({
      object: 'setting',
      value: '2.000000',
      default: '2.000000',
      source: 'default',
      variable: 'CHAPAR_KYC_CEILING',
      must_be: 'an amount in dollars from 0',
      about: registry.kycCeiling.about,
    })
    const { stdout } = await terminal.run('settings', 'list')
    for (const key of settingKeys) expect(stdout).toContain(registry[key].about)
  })

  test('show until when a switch is on that ends by itself', async () => {
    const get = () => terminal.json<View>('settings', 'get', 'log-vendor-words')
    expect(await get()).toMatchObject({ value: false, source: 'default' })
    await terminal.run('settings', 'set', 'log-vendor-words', 'on')
    expect(String((await get()).value)).toMatch(/^on until \d{4}-\d\d-\d\dT[\d:.]+Z$/)
    await terminal.run('settings', 'set', 'log-vendor-words', 'off')
    expect(await get()).toMatchObject({ value: false, source: 'command' })
  })

  test('set keeps a value, get shows it, reset goes back to the default', async () => {
    const get = () => terminal.json<View>('settings', 'get', 'day-capacity')
    expect(await get()).toMatchObject({ value: null, source: 'default' })
    await terminal.run('settings', 'set', 'day-capacity', '12.5')
    expect(await get()).toMatchObject({ value: '12.500000', source: 'command' })
    await terminal.run('settings', 'set', 'day-capacity', 'none')
    expect(await get()).toMatchObject({ value: null, source: 'command' })
    await terminal.run('settings', 'reset', 'day-capacity')
    expect(await get()).toMatchObject({ value: null, source: 'default' })
  })

  test.each([
    ['gateway', 'maybe', 'gateway must be on or off, not maybe'],
    ['address-rpm', '0', 'address-rpm must be a whole number from 1, not 0'],
    ['kyc-ceiling', '-1', 'kyc-ceiling must be an amount in dollars from 0, not -1'],
    ['day-capacity', 'much', 'day-capacity must be an amount in dollars from 0, or none, not much'],
    ['failed-attempts', '1e3', 'failed-attempts must be a whole number from 1, not 1e3'],
    ['moon', 'full', 'there is no setting moon; there are: gateway'],
  ])('set %s %s is refused, and nothing changes', async (name, value, why) => {
    const ran = await terminal.run('settings', 'set', name, '--', value)
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain(why)
    const { data } = await terminal.json<{ data: View[] }>('settings', 'list')
    const settled = data.filter(({ source }) => source !== 'default')
    expect(settled.map(({ name }) => name)).toEqual(['overload-lag'])
  })

  test('a logo is read from its file, and a colour says what becomes of it', async () => {
    const file = join(terminal.data, 'logo.svg')
    writeFileSync(file, '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h8v8z"/></svg>')
    expect((await terminal.run('settings', 'set', 'brand-logo', file)).code).toBe(0)
    expect((await terminal.json<View>('settings', 'get', 'brand-logo')).value).toMatch(
      /^image\/svg\+xml, 67 bytes, sha256 [\da-f]{16}…$/,
    )
    writeFileSync(file, '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
    const refused = await terminal.run('settings', 'set', 'brand-logo', file)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stderr).toContain('brand-logo holds a script, which a logo may not')
    const missing = await terminal.run('settings', 'set', 'brand-logo', `${file}.png`)
    expect(missing.stderr).toContain('brand-logo cannot read')
    const { stdout } = await terminal.run('settings', 'set', 'brand-colour', '#fc0')
    expect(stdout).toContain('#ffcc00 is too light to be read on a light page')
    await terminal.run('settings', 'set', 'brand-logo', 'none')
    expect((await terminal.json<View>('settings', 'get', 'brand-logo')).value).toBeNull()
  })

  test('the environment wins, and set says so', async () => {
    process.env['CHAPAR_ADDRESS_RPM'] = '77'
    const ran = await terminal.run('settings', 'set', 'address-rpm', '5')
    expect(ran.code).toBe(0)
    expect(ran.stdout).toContain('not in force: CHAPAR_ADDRESS_RPM says 77')
    delete process.env['CHAPAR_ADDRESS_RPM']
    expect(await terminal.json<View>('settings', 'get', 'address-rpm')).toMatchObject({
      value: 5,
      source: 'command',
    })
  })

  test('a variable that is no value stops the gateway before it starts, and names itself', async () => {
    process.env['CHAPAR_KYC_CEILING'] = 'two'
    const ran = await terminal.run('serve', '--port', '0')
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stderr).toContain('CHAPAR_KYC_CEILING must be an amount in dollars from 0, not two')
  })
})

describe('a gateway that serves', () => {
  test('obeys each setting on the next call, without a restart', async () => {
    const { call } = await serve()
    const set = (name: string, value: string) => terminal.run('settings', 'set', name, value)
    expect(await codeOf(await call())).toBeNull()
    await set('gateway', 'off')
    expect(await codeOf(await call())).toBe('gateway_disabled')
    await set('gateway', 'on')
    await set('streaming', 'off')
    expect(await codeOf(await call({ stream: true }))).toBe('streaming_disabled')
    expect(await codeOf(await call())).toBeNull()
    await set('streaming', 'on')
    const stream = await call({ stream: true })
    expect(stream.status).toBe(200)
    expect(await stream.text()).toContain('[DONE]')
    await set('day-capacity', '0')
    expect(await codeOf(await call())).toBe('daily_capacity_reached')
    await set('day-capacity', 'none')
    await terminal.run('account', 'set', '1', '--no-verified')
    expect(await codeOf(await call())).toBeNull()
    await set('kyc-ceiling', '0')
    expect(await codeOf(await call())).toBe('kyc_required')
    await terminal.run('settings', 'reset', 'kyc-ceiling')
    expect(await codeOf(await call())).toBeNull()
    await set('output-allowance', '10000000')
    expect(await codeOf(await call({ max_tokens: null }))).toBeNull()
    await set('address-rpm', '1')
    expect([await call(), await call()].map(({ status }) => status)).toContain(429)
  })

  test('holds for what the allowances say when the client sets no ceiling', async () => {
    const { call } = await serve()
    const allowed = async () => {
      const answer = await call({}, { 'x-dry-run': '1' })
      const { estimate } = (await answer.json()) as {
        estimate: { high: { units: { output: number } } }
      }
      return estimate.high.units.output
    }
    const set = (name: string, value: string) => terminal.run('settings', 'set', name, value)
    await set('output-allowance', '111')
    await set('reasoning-allowance', '222')
    // The sandbox reasons when asked to.
    expect(await allowed()).toBe(222)
    const plain = ['--capability', 'reasoning=false']
    await terminal.run('model', 'set', 'sandbox/echo-priced', ...plain)
    expect(await allowed()).toBe(111)
  })

  test('tells commands what its own environment fixes', async () => {
    process.env['CHAPAR_FAILED_ATTEMPTS'] = '7'
    await serve()
    delete process.env['CHAPAR_FAILED_ATTEMPTS']
    const ran = await terminal.run('settings', 'set', 'failed-attempts', '9')
    expect(ran.stdout).toContain('CHAPAR_FAILED_ATTEMPTS says 7')
    expect(await terminal.json<View>('settings', 'get', 'failed-attempts')).toMatchObject({
      value: 7,
      source: 'environment',
    })
  })

  test('leaves no watch for faults behind when it stops', async () => {
    const events = ['unhandledRejection', 'uncaughtException'] as const
    const count = () => events.map((event) => process.listenerCount(event))
    const before = count()
    await serve()
    expect(count()).toEqual(before.map((each) => each + 1))
    await server?.stop()
    expect(count()).toEqual(before)
  })
})
