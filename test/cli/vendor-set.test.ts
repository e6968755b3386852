import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { seedModels } from '../../src/catalogue/seed'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal()
  await terminal.run('settings', 'set', 'sandbox', 'on')
})
afterEach(() => terminal.close())

const [seed] = seedModels('deepseek')
const model = seed?.id ?? ''

const addVendor = 'vendor add --name deep --kind openai --api-key sk-0123456789-tail'.split(' ')
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
    expect(await vendors()).toEqual([{ ...before, active: false }])
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

  test('changes the client that carries its calls, and nothing else', async () => {
    await add()
    const [before] = await vendors()
    expect(before).toMatchObject({ transport: 'own' })
    const ran = await terminal.run('vendor', 'set', 'deep', '--transport', 'fetch')
    expect(ran.stdout).toBe('vendor deep is on, called by fetch\n')
    expect(await vendors()).toEqual([{ ...before, transport: 'fetch' }])
    expect((await terminal.run('vendor', 'list')).stdout).toMatch(/TRANSPORT.*\n.* fetch /)
    await terminal.run('vendor', 'set', 'deep', '--margin', '3')
    const set = await terminal.json<object>('vendor', 'set', 'deep', '--transport', 'own')
    expect(set).toEqual({ object: 'vendor', name: 'deep', active: true, transport: 'own' })
    expect(await vendors()).toEqual([{ ...before, margin_percent: '3' }])
    await terminal.run(
      ...addVendor,
      '--base-url',
      'https://api.deepseek.com',
      '--transport',
      'fetch',
    )
    expect(await vendors()).toMatchObject([{ transport: 'fetch' }])
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
    expect(await vendors()).toMatchObject([{ name: 'deepseek', api_key: null, active: false }])
    const ran = await terminal.run('vendor', 'set', 'deepseek', '--margin', '5')
    expect(ran.stderr).toContain('add it with chapar vendor add')
    await terminal.run('vendor', 'set', 'deepseek', '--on')
    expect(await onSale()).toContain(model)
    expect(await vendors()).toMatchObject([
      { name: 'deepseek', api_key: '…ment', active: true, source: 'environment' },
    ])
  })

  test.each([
    [['nobody', '--off'], 1, 'there is no vendor nobody'],
    [['sandbox', '--on', '--off'], 1, '--on or --off, not both'],
    [['sandbox', '--transport', 'fetch'], 1, 'can only be switched --on or --off'],
    [['sandbox', '--transport', 'http2'], 2, 'Allowed choices are own, fetch'],
    [['sandbox', '--margin', '-100'], 2, 'not a percentage above -100'],
  ])('refuses %p', async (words, code, why) => {
    const ran = await terminal.run('vendor', 'set', ...words)
    expect(ran.code).toBe(code)
    expect(ran.stderr).toContain(why)
  })
})
