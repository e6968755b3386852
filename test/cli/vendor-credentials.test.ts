import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openStandIn, type StandIn } from '../support/stand-in'
import { openTerminal, type Terminal } from './terminal'

const good = new Set(['sk-0123456789-one', 'sk-0123456789-two'])

let terminal: Terminal
let vendor: StandIn
beforeEach(async () => {
  terminal = openTerminal()
  await terminal.make()
  vendor = openStandIn((seen) => {
    const key = seen.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    if (!seen.path.startsWith('/v1/')) return new Response('', { status: 404 })
    return good.has(key)
      ? Response.json({ object: 'list', data: [{ id: 'a' }, { id: 'b' }] })
      : Response.json({ error: { message: 'no' } }, { status: 401 })
  })
})
afterEach(async () => {
  await vendor.close()
  terminal.close()
})

interface ShownVendor {
  readonly api_key: string | null
  readonly base_url: string
  readonly credentials: readonly { name: string; active: boolean; api_key: string | null }[]
}
const run = (line: string) => terminal.run(...line.split(' '))
const shown = () => terminal.json<ShownVendor>('vendor', 'show', 'v')
const add = (more = '') =>
  run(
    `vendor add --name v --kind openai --base-url ${vendor.url} --api-key sk-0123456789-one${more}`,
  )

describe('vendor add', () => {
  test('tries address and key, and says what the vendor lists and how to take it', async () => {
    const { code, stdout } = await add()
    expect([code, stdout]).toEqual([0, expect.stringContaining('lists 2 models') as string])
    expect(stdout).toContain('chapar model import v')
  })

  test.each([
    ['a key that is refused', ' --api-key sk-wrong-0123456789', 'it refuses our key (401)'],
    ['an address without its version', ' --base-url URL', '--base-url URL/v1'],
    ['an address where nobody is', ' --base-url http://127.0.0.1:9/v1', 'does not answer'],
  ])('saves nothing with %s, unless it is told to', async (_, options, said) => {
    const root = vendor.url.replace('/v1', '')
    const more = options.replace('URL', root)
    const { code, stderr } = await add(more)
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(said.replace('URL', root)) as string,
    ])
    expect(stderr).toContain('Nothing was saved')
    expect((await terminal.json<{ data: unknown[] }>('vendor', 'list')).data).toEqual([])
    const forced = await add(`${more} --force`)
    expect([forced.code, forced.stdout]).toEqual([
      0,
      expect.stringContaining('saved all the same') as string,
    ])
    expect((await terminal.json<{ data: unknown[] }>('vendor', 'list')).data).toHaveLength(1)
  })

  test('asks nobody when it is told not to, and nobody for a name that is there', async () => {
    expect((await add(' --no-test')).code).toBe(0)
    const again = await add()
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('chapar vendor set v') as string,
    ])
    expect(vendor.seen).toEqual([])
  })
})

test('vendor set tries another key or address, and nothing else', async () => {
  await add()
  const asked = vendor.seen.length
  const wrong = await run('vendor set v --api-key sk-wrong-0123456789')
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringContaining('it refuses our key') as string,
  ])
  expect((await run('vendor set v --base-url http://127.0.0.1:9/v1')).code).toBe(1)
  expect(await shown()).toMatchObject({ api_key: '…-one', base_url: vendor.url })
  const after = vendor.seen.length
  expect(after).toBe(asked + 1)
  expect((await run('vendor set v --timeout 9')).code).toBe(0)
  expect(vendor.seen.length).toBe(after)
  expect((await run('vendor set v --api-key sk-0123456789-two')).code).toBe(0)
  expect((await run('vendor set v --base-url http://127.0.0.1:9/v1 --no-test')).code).toBe(0)
  expect((await run('vendor set v --api-key sk-wrong-0123456789 --force')).code).toBe(0)
  expect(await shown()).toMatchObject({ api_key: '…6789', base_url: 'http://127.0.0.1:9/v1' })
})

describe('vendor credential', () => {
  const names = async () =>
    (await shown()).credentials.map(({ name, active }) => `${name}${active ? '' : ' off'}`)

  test('adds a second key, by which the first one is switched off and removed', async () => {
    await add()
    const added = await run('vendor credential add v second --api-key sk-0123456789-two')
    expect([added.code, added.stdout]).toEqual([
      0,
      expect.stringContaining('v has the credential second (…-two)') as string,
    ])
    expect(await names()).toEqual(['default', 'second'])
    const off = await run('vendor credential off v default')
    expect(off.stdout).toContain('calls are signed by second')
    expect(await names()).toEqual(['default off', 'second'])
    expect((await run('vendor credential on v default')).stdout).toContain('default, second')
    await run('vendor credential remove v default')
    expect(await names()).toEqual(['second'])
    const { stdout } = await run('vendor credential list v')
    expect(stdout).toMatch(/CREDENTIAL +KEY +STATE/)
    expect(stdout).not.toContain('0123456789')
  })

  test('is named by itself, tried before it is saved, and is there once', async () => {
    await add()
    const wrong = await run('vendor credential add v --api-key sk-wrong-0123456789')
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringContaining('it refuses our key') as string,
    ])
    await run('vendor credential add v --api-key sk-0123456789-two')
    expect(await names()).toEqual(['default', 'key-2'])
    for (const [line, said] of [
      ['vendor credential add v key-2 --no-test --api-key other-0123456789', 'a credential key-2'],
      ['vendor credential add v --api-key sk-0123456789-two', 'has this key already'],
      ['vendor credential add v a.b --no-test --api-key other-0123456789', 'not a.b'],
      ['vendor credential remove v none', 'no credential none'],
      ['vendor credential add nobody --api-key sk-0123456789-two', 'no vendor nobody'],
    ] as const) {
      const { code, stderr } = await run(line)
      expect([line, code, stderr]).toEqual([line, 1, expect.stringContaining(said) as string])
    }
    await run('vendor credential off v key-2')
    for (const word of ['off', 'remove']) {
      const last = await run(`vendor credential ${word} v default`)
      expect(last.stderr).toContain('the only credential of v in use')
    }
    expect(await names()).toEqual(['default', 'key-2 off'])
  })

  test('is tested and looked at by the doctor, each for itself', async () => {
    await add()
    await run('vendor credential add v dead --no-test --api-key sk-dead-0123456789')
    const tested = await run('vendor test v')
    expect([tested.code, tested.stdout]).toEqual([
      1,
      '✓ v default answers and lists 2 models\n✗ v dead: it refuses our key (401)\n',
    ])
    expect(await terminal.json<object>('vendor', 'test', 'v').catch(() => ({}))).toMatchObject({})
    const doctor = await run('doctor')
    expect(doctor.stdout).toMatch(/✓ vendor v default +reached, 2 models/)
    expect(doctor.stdout).toMatch(/✗ vendor v dead +it refuses our key/)
  })

  test('stays with its vendor under another name, goes with it, and is on the trail unseen', async () => {
    await add()
    await run('vendor credential add v second --api-key sk-0123456789-two')
    await run('vendor set v --rename w')
    const { credentials } = await terminal.json<ShownVendor>('vendor', 'show', 'w')
    expect(credentials.map(({ name }) => name)).toEqual(['default', 'second'])
    const { stdout } = await run('trail list --json')
    expect(stdout).toContain('"name":"second","active":true')
    expect(stdout).not.toContain('sk-0123456789')
    await run('vendor remove w')
    await run(`vendor add --name w --kind openai --no-test --base-url ${vendor.url} --api-key x`)
    const again = await terminal.json<ShownVendor>('vendor', 'show', 'w')
    expect(again.credentials.map(({ name }) => name)).toEqual(['default'])
  })
})
