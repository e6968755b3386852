import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { seedModels } from '../../src/gateway/catalogue/seed'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal()
  await terminal.run('settings', 'set', 'sandbox', 'on')
})
afterEach(() => terminal.close())

const [seed] = seedModels('deepseek')
const model = seed?.id ?? ''

const addVendor =
  'vendor add --no-test --name deep --kind openai --api-key sk-0123456789-tail'.split(' ')
const add = () =>
  terminal.run(...addVendor, '--base-url', 'https://api.deepseek.com', '--margin', '10')
const statusOf = async (id: string) =>
  (await terminal.json<{ status: string }>('model', 'show', id)).status
const vendors = async () =>
  (await terminal.json<{ data: Record<string, unknown>[] }>('vendor', 'list')).data
const onSale = async () =>
  (await terminal.json<{ data: { id: string }[] }>('model', 'list')).data.map(({ id }) => id)

describe('vendor set', () => {
  test('--off takes its models from sale for the moment, --on brings them back as they were', async () => {
    await add()
    expect(await onSale()).toContain(model)
    const [before] = await vendors()
    await terminal.run('vendor', 'set', 'deep', '--off')
    expect(await onSale()).not.toContain(model)
    expect(await statusOf(model)).toBe('off')
    expect(await vendors()).toEqual([{ ...before, active: false, state: 'off' }])
    await terminal.run('vendor', 'set', 'deep', '--on')
    expect(await onSale()).toContain(model)
    expect(await vendors()).toEqual([before ?? {}])
  })

  test('changes margin and patience, and keeps the key', async () => {
    await add()
    await terminal.run('vendor', 'set', 'deep', '--margin', '25%', '--timeout', '7')
    expect(await vendors()).toMatchObject([
      { margin_percent: '25', timeout_seconds: 7, api_key: '…tail', active: true },
    ])
  })

  test('changes how long its streams may say nothing, and takes that back', async () => {
    await add()
    const [before] = await vendors()
    expect(before).toMatchObject({ first_token_timeout_seconds: null })
    const ran = await terminal.run('vendor', 'set', 'deep', '--first-token-timeout', '20')
    expect(ran.stdout).toMatch(/^first_token_timeout_seconds +20$/m)
    await terminal.run('vendor', 'set', 'deep', '--margin', '10')
    expect(await vendors()).toEqual([{ ...before, first_token_timeout_seconds: 20 }])
    await terminal.run('vendor', 'set', 'deep', '--first-token-timeout', 'none')
    expect(await vendors()).toEqual([before ?? {}])
    const wrong = await terminal.run('vendor', 'set', 'deep', '--first-token-timeout', '0')
    expect(wrong.stderr).toContain('whole number from 1')
  })

  test('changes the client that carries its calls, and nothing else', async () => {
    await add()
    const [before] = await vendors()
    expect(before).toMatchObject({ transport: 'own' })
    const ran = await terminal.run('vendor', 'set', 'deep', '--transport', 'fetch')
    expect(ran.stdout).toMatch(/^transport +fetch$/m)
    expect(await vendors()).toEqual([{ ...before, transport: 'fetch' }])
    expect((await terminal.run('vendor', 'list')).stdout).toMatch(/TRANSPORT.*\n.* fetch /)
    await terminal.run('vendor', 'set', 'deep', '--margin', '3')
    const set = await terminal.json<object>('vendor', 'set', 'deep', '--transport', 'own')
    const now = { ...before, margin_percent: '3' }
    expect(set).toEqual({ ...now, proposed: [] })
    expect(await vendors()).toEqual([now])
  })

  test('changes the key and nothing else, and never shows it', async () => {
    await add()
    const [before] = await vendors()
    const stdin = spyOn(Bun.stdin, 'text').mockResolvedValue('sk-9876543210-next\n')
    const ran = await terminal.run('vendor', 'set', 'deep', '--no-test', '--api-key-stdin')
    stdin.mockRestore()
    expect(ran.stdout).toMatch(/^margin_percent +10$/m)
    expect(await vendors()).toMatchObject([
      { ...before, api_key: '…next', credentials: [{ name: 'default', api_key: '…next' }] },
    ])
    expect(terminal.printed.join('')).not.toContain('sk-9876543210')
  })

  test('renames it, with its routes, its costs and its rule', async () => {
    await add()
    const route = ['--route', 'deep:deepseek-chat', '--price', 'input_per_million=1']
    const priced = [...route, '--price', 'output_per_million=2']
    await terminal.run('model', 'add', '--id', 'own', '--type', 'chat', ...priced)
    const before = await terminal.json<{ data: object[] }>('model', 'list')
    const [old] = await vendors()
    await terminal.run('vendor', 'set', 'deep', '--rename', 'deeper')
    expect(await vendors()).toEqual([{ ...old, name: 'deeper' }])
    const after = await terminal.json<{ data: object[] }>('model', 'list')
    expect(JSON.stringify(after)).toBe(
      JSON.stringify(before).replaceAll(/(?<!owned_by":")\bdeep(?=[:"])/g, 'deeper'),
    )
    const taken = await terminal.run('vendor', 'set', 'deeper', '--rename', 'deeper')
    expect(taken.code).toBe(0)
    expect((await terminal.run('vendor', 'set', 'deep')).stderr).toContain('no vendor deep')
    const wrong = await terminal.run('vendor', 'set', 'deeper', '--rename', 'a b')
    expect(wrong.stderr).toContain('letters, digits')
  })

  test('a model that was changed while its vendor was off is on again with it', async () => {
    await add()
    await terminal.run('vendor', 'set', 'deep', '--off')
    await terminal.run('model', 'set', model, '--name', 'Renamed')
    expect(await statusOf(model)).toBe('off')
    await terminal.run('vendor', 'set', 'deep', '--on')
    expect(await terminal.json<object>('model', 'show', model)).toMatchObject({
      name: 'Renamed',
      status: 'active',
    })
  })

  test('a model that another vendor has too stays on sale', async () => {
    await add()
    const route = ['--route', 'deep:x', '--route', 'sandbox:echo']
    await terminal.run('model', 'add', '--id', 'both', '--type', 'chat', '--free', ...route)
    await terminal.run('vendor', 'set', 'deep', '--off')
    expect(await onSale()).toContain('both')
    await terminal.run('vendor', 'set', 'sandbox', '--off')
    expect(await onSale()).not.toContain('both')
    expect(await onSale()).not.toContain('sandbox/echo')
    await terminal.run('vendor', 'set', 'sandbox', '--on')
    expect(await onSale()).toContain('both')
    // Nothing is kept of a switch that is back where it was.
    expect(await vendors()).toMatchObject([{ name: 'deep' }])
  })

  test('switches a vendor of the environment, without keeping its key', async () => {
    Object.assign(process.env, { CHAPAR_DETECT: '1', DEEPSEEK_API_KEY: 'sk-environment' })
    expect(await onSale()).toContain(model)
    await terminal.run('vendor', 'set', 'deepseek', '--off')
    expect(await onSale()).not.toContain(model)
    expect(await vendors()).toMatchObject([{ name: 'deepseek', active: false }])
    await terminal.run('vendor', 'set', 'deepseek', '--margin', '5', '--timeout', '9')
    expect(await vendors()).toMatchObject([
      { margin_percent: '5', timeout_seconds: 9, active: false, source: 'environment' },
    ])
    await terminal.run('vendor', 'set', 'deepseek', '--on', '--timeout', '90')
    expect(await onSale()).toContain(model)
    delete process.env['DEEPSEEK_API_KEY']
    // Nothing is kept of it but its rule.
    expect(await vendors()).toEqual([])
    expect((await terminal.run('price', 'rules', 'list')).stdout).toContain('vendor deepseek')
  })

  test.each([
    [['nobody', '--off'], 1, 'there is no vendor nobody'],
    [['sandbox', '--on', '--off'], 2, "'--off' cannot be used with option '--on'"],
    [['sandbox', '--transport', 'fetch'], 1, 'can only be switched --on or --off'],
    [['sandbox', '--transport', 'http2'], 2, 'Allowed choices are own, fetch'],
    [['sandbox', '--margin', '-100'], 2, 'not a percentage above -100'],
  ])('refuses %p', async (words, code, why) => {
    const ran = await terminal.run('vendor', 'set', ...words)
    expect(ran.code).toBe(code)
    expect(ran.stderr).toContain(why)
  })
})
