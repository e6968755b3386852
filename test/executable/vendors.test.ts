import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { ask } from '../support/gateway'
import { openStandIn, replies, type StandIn } from '../support/stand-in'
import { until } from '../support/pace'

let vendor: StandIn
let data: string
let key: string
let dead: ReadonlySet<string> = new Set()

beforeEach(async () => {
  dead = new Set()
  vendor = openStandIn((seen, request) =>
    dead.has(seen.headers.get('authorization') ?? '')
      ? Response.json({ error: { code: 'invalid_api_key', message: 'no' } }, { status: 401 })
      : seen.method === 'GET'
        ? Response.json({ object: 'list', data: [{ id: 'vendor-model' }] })
        : replies()(seen, request),
  )
  data = join(temporaryFolder(), 'data')
  key = await setUp(data, vendor.url)
})
afterEach(async () => {
  await vendor.close()
  rmSync(data, { recursive: true, force: true })
})

const command = (line: string) => run(line.split(' '), { data })
const json = async <T>(line: string): Promise<T> => (await command(`${line} --json`)).json<T>()
const call = async ({ url }: Serving): Promise<number> => {
  const answer = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(ask('priced')),
  })
  await answer.text()
  return answer.status
}
test('a dead key is seen by commands, told once, and replaced without a word of price', async () => {
  const before = await json<{ pricing: object }>('model show priced')
  const serving = await serve(['--data', data])
  try {
    expect(await call(serving)).toBe(200)
    dead = new Set(['Bearer x'])
    expect(await call(serving)).toBe(502)
    const state = async () => (await json<{ state: string }>('vendor show standin')).state
    await until(async () => (await state()) === 'refuses_key')
    expect((await command('doctor')).stdout).toMatch(/! vendor standin +the gateway was refused/)
    expect((await command('vendor list')).stdout).toContain('refuses_key')
    await call(serving)
    const told = async () =>
      (await json<{ data: { kind: string }[] }>('notices list')).data.map(({ kind }) => kind)
    expect(await told()).toEqual(['vendor_refuses_key'])
    expect((await command('notices list')).stdout).toMatch(
      / vendor_refuses_key +standin default +– +– +– /,
    )

    // A second key serves at once; the first one is renewed later.
    const second = await command('vendor credential add standin second --api-key y-0123456789')
    expect(second.code).toBe(0)
    expect(await call(serving)).toBe(200)
    expect(vendor.seen.at(-1)?.headers.get('authorization')).toBe('Bearer y-0123456789')
    await command('vendor credential off standin default')
    expect(await call(serving)).toBe(200)
    expect((await command('vendor set standin --api-key x')).code).toBe(0)
    const renewed = await command('vendor set standin --api-key z-0123456789')
    expect(renewed.stdout).toMatch(/^state +ok$/m)
    await command('vendor credential on standin default')
    await command('vendor credential remove standin second')
    expect(await call(serving)).toBe(200)
    expect(vendor.seen.at(-1)?.headers.get('authorization')).toBe('Bearer z-0123456789')
    expect((await json<{ pricing: object }>('model show priced')).pricing).toEqual(before.pricing)
    expect((await command('audit')).code).toBe(0)
  } finally {
    serving.kill('SIGTERM')
    await serving.exited
  }
})

test('no price on sale moves by what is done to vendors, and a change of one price changes one', async () => {
  const add = (name: string, more = '') =>
    command(
      `vendor add --name ${name} --kind openai --dialect openai --base-url ${vendor.url} --api-key k-${name}-0123456789${more}`,
    )
  const sold = async () => {
    const { pricing } = await json<{ pricing: Record<string, string> }>('model show gpt-4o')
    const { input_per_million, cached_input_per_million, output_per_million } = pricing
    return [input_per_million, cached_input_per_million, output_per_million].join(' ')
  }
  const added = await add('openai', ' --margin 20')
  expect(added.stdout).toMatch(/MODEL +COST \(USD\) +SALE \(USD\)/)
  expect(await sold()).toBe('3 1.5 12')
  expect((await add('openai')).code).toBe(1)
  await command('vendor set openai --api-key k-other-0123456789')
  expect(await sold()).toBe('3 1.5 12')
  await add('backup')
  await add('zz')
  expect(await sold()).toBe('3 1.5 12')
  await command('vendor set openai --off')
  expect(await sold()).toBe('3 1.5 12')
  await command('model set gpt-4o --price output_per_million=13')
  expect(await sold()).toBe('3 1.5 13')
})
