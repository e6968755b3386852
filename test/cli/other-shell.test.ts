import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { seedModels } from '../../src/gateway/catalogue/seed'
import { runServe, type RunningServer } from '../../src/cli/local/serve'
import { openReceiver, receiverSecret, type Receiver } from '../support/receiver'
import { openTerminal, type Terminal } from './terminal'

/*
 * A gateway is started in one shell, with variables of its own; commands are typed in another one
 * that has none of them.
 */

let terminal: Terminal
let receiver: Receiver
let server: RunningServer
const credential = 'sk-of-the-gateway-alone'
const [seed] = seedModels('deepseek')
const model = seed?.id ?? ''

beforeEach(async () => {
  terminal = openTerminal()
  receiver = openReceiver()
  const variables = {
    CHAPAR_SERVICE: 'arvan',
    CHAPAR_URL: 'https://ai.example.com',
    CHAPAR_KYC_CEILING: '7',
    CHAPAR_DETECT: '1',
    DEEPSEEK_API_KEY: credential,
    CHAPAR_NOTICE_WEBHOOK: `${receiver.url}?token=hidden`,
    CHAPAR_NOTICE_SECRET: receiverSecret,
    CHAPAR_LOG: 'silent',
  }
  Object.assign(process.env, variables)
  server = await runServe({
    dataFolder: terminal.data,
    host: '127.0.0.1',
    port: 0,
    ephemeral: false,
    readyFile: null,
    quiet: true,
  })
  for (const name of Object.keys(variables)) delete process.env[name]
  Object.assign(process.env, { CHAPAR_DETECT: '0', CHAPAR_LOG: 'silent' })
  await terminal.run('account', 'create', '--name', 'Sara')
  await terminal.run('project', 'create', '--account', '1', '--name', 'web')
})
afterEach(async () => {
  await server.stop()
  terminal.close()
  await receiver.close()
})

interface Created {
  readonly key: string
  readonly service: string
  readonly base_url: string | null
}
const create = () => terminal.json<Created>('key', 'create', '--project', '1', '--name', 'laptop')
const sold = async () => {
  const { data } = (await (await fetch(`${server.url}/v1/models`)).json()) as {
    data: { id: string }[]
  }
  return data.some(({ id }) => id === model)
}

describe('commands in another shell', () => {
  test('make keys that the gateway takes, and name its address', async () => {
    const { key, service, base_url } = await create()
    expect([key.slice(0, 12), service]).toEqual(['sk-arvan-v1-', 'arvan'])
    expect(base_url).toBe('https://ai.example.com/v1')
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${server.url}/v1/me`, { headers })).status).toBe(200)
    await server.stop()
    // What nobody serves now is named as it was, unless this shell says otherwise.
    expect((await create()).service).toBe('arvan')
    process.env['CHAPAR_SERVICE'] = 'other'
    expect((await create()).service).toBe('other')
  })

  test('see the settings that its environment fixes', async () => {
    expect(await terminal.json<object>('settings', 'get', 'kyc-ceiling')).toMatchObject({
      value: '7.000000',
      source: 'environment',
    })
    const { caps } = await terminal.json<{ caps: { name: string; left_usd: string }[] }>(
      'account',
      'show',
      '1',
    )
    const ceiling = caps.find(({ name }) => name === 'verification_ceiling')
    expect(ceiling?.left_usd).toBe('7.000000')
  })

  test('see the vendors of its environment, and switch them', async () => {
    expect(await sold()).toBe(true)
    const { data } = await terminal.json<{ data: object[] }>('vendor', 'list')
    expect(data).toMatchObject([{ name: 'deepseek', source: 'environment', api_key: '…' }])
    const models = await terminal.json<{ data: { id: string }[] }>('model', 'list')
    expect(models.data.map(({ id }) => id)).toContain(model)
    const { stdout } = await terminal.run('doctor')
    expect(stdout).toMatch(/vendor deepseek +in the environment of the gateway; not asked/)
    const asked = await terminal.run('vendor', 'test', 'deepseek')
    expect(asked.stderr).toContain('its key is not known here')
    expect((await terminal.run('vendor', 'set', 'deepseek', '--off')).code).toBe(0)
    await Bun.sleep(3)
    expect(await sold()).toBe(false)
    expect((await terminal.run('vendor', 'set', 'deepseek', '--on')).code).toBe(0)
    await Bun.sleep(3)
    expect(await sold()).toBe(true)
  })

  test('add a credential to a vendor of its environment, whose own stays there', async () => {
    const run = (line: string) => terminal.run(...line.split(' '))
    const key = '--no-test --api-key sk-0123456789-two'
    expect((await run(`vendor credential add deepseek ${key}`)).code).toBe(0)
    const names = async () =>
      (
        await terminal.json<{ data: { name: string; api_key: string; active: boolean }[] }>(
          ...'vendor credential list deepseek'.split(' '),
        )
      ).data.map(({ name, api_key, active }) => [name, api_key, active])
    expect(await names()).toEqual([
      ['default', '…', true],
      ['key-2', '…-two', true],
    ])
    expect((await run('vendor credential off deepseek default')).code).toBe(0)
    expect(await names()).toMatchObject([
      ['default', '…', false],
      ['key-2', '…-two', true],
    ])
    const { stderr } = await run('vendor credential remove deepseek default')
    expect(stderr).toContain('comes from the service’s environment')
    expect(await terminal.json<object>('vendor', 'show', 'deepseek')).toMatchObject({
      source: 'environment',
      active: true,
      state: 'ok',
    })
    expect((await run('vendor credential on deepseek default')).code).toBe(0)
    expect((await run('vendor credential remove deepseek key-2')).code).toBe(0)
    const raw = new Database(join(terminal.data, 'chapar.db'), { readonly: true })
    // Nothing is kept of what is back as it was found.
    expect(raw.query('SELECT name FROM vendors').all()).toEqual([])
    raw.close()
  })

  test('have the gateway itself try its channels', async () => {
    expect(await terminal.run('notices', 'test')).toMatchObject({
      code: 0,
      stdout: '✓ log\n✓ webhook\n',
    })
    expect(receiver.posted).toMatchObject([{ signed: true, body: { kind: 'sample' } }])
    receiver.answer(() => new Response('no', { status: 401 }))
    expect(await terminal.run('notices', 'test')).toMatchObject({
      code: 1,
      stdout: '✓ log\n✗ webhook: it answered 401\n',
    })
    expect((await terminal.json<{ data: object[] }>('notices', 'list')).data).toEqual([])
  })

  test('find no secret in what it keeps', () => {
    const raw = new Database(join(terminal.data, 'chapar.db'), { readonly: true })
    const rows = JSON.stringify(raw.query('SELECT * FROM settings').all())
    raw.close()
    expect(rows).toContain('arvan')
    expect(rows).toContain('deepseek')
    for (const secret of [credential, receiverSecret, 'hidden']) expect(rows).not.toContain(secret)
  })
})
