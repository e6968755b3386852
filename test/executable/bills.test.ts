import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBooks } from '../bills/books'
import { run, serve, setUp, temporaryFolder } from '../support/executable'
import { ask } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'

let vendor: StandIn
let reports: ReturnType<typeof Bun.serve>
const data = join(temporaryFolder(), 'data')
let key: string

const costs = {
  start_time: Date.parse('2026-10-03') / 1000,
  results: [
    { amount: { value: 0.75, currency: 'usd' }, line_item: 'gpt-4o-2024-08-06, input' },
    { amount: { value: 1.5, currency: 'usd' }, line_item: 'gpt-4o-2024-08-06, output' },
  ],
}

beforeAll(async () => {
  vendor = openStandIn()
  key = await setUp(data, vendor.url)
  reports = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url, headers }) =>
      headers.get('authorization') === 'Bearer admin-0001'
        ? Response.json({ data: url.includes('/costs') ? [costs] : [], has_more: false })
        : Response.json({ error: {} }, { status: 401 }),
  })
  const books = await openBooks(
    { data },
    {
      name: 'openai',
      kind: 'openai',
      dialect: 'openai',
      baseUrl: `http://127.0.0.1:${reports.port}/v1`,
    },
  )
  await books.sell({
    at: '2026-10-03T10:00',
    model: 'gpt-4o',
    input: 1000,
    output: 500,
    calls: 300,
  })
  await books.close()
})
afterAll(async () => {
  await vendor.close()
  await reports.stop(true)
  rmSync(data, { recursive: true, force: true })
})

test('a bill is checked from standard input while the gateway serves', async () => {
  const serving = await serve(['--data', data])
  const call = () =>
    fetch(`${serving.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(ask('priced')),
    })
  const line = 'bill check --vendor openai --month 2026-10 --file - --json'.split(' ')
  const bill = (usd: string) =>
    `date,model,requests,cost\n2026-10-03,gpt-4o-2024-08-06,300,${usd}\n`
  const [good, dearer, ...answers] = await Promise.all([
    run(line, { data, stdin: bill('2.25') }),
    run(line, { data, stdin: bill('2.50') }),
    ...Array.from({ length: 20 }, call),
  ])
  expect({ code: good?.code, stderr: good?.stderr }).toEqual({ code: 0, stderr: '' })
  expect(dearer?.code).toBe(1)
  expect(dearer?.json<{ total: object }>().total).toMatchObject({ difference_usd: '0.250000' })
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
})

interface Told {
  readonly sources: readonly string[]
  readonly total: object
  readonly error: { readonly code: string }
}

test('a bill is checked at a gateway elsewhere', async () => {
  const serving = await serve(['--data', data])
  const remote = async (
    role: string,
    given: readonly string[],
    more: { readonly stdin?: string } = {},
  ) => {
    const made = ['operator', 'key', 'create', '--name', role, '--role', role, '--expires', '1d']
    const operatorKey = (await run(made, { data })).stdout.trim()
    const line = 'bill check --vendor openai --month 2026-10'.split(' ')
    return await run(['--remote', new URL(serving.url).origin, ...line, ...given], {
      env: { CHAPAR_OPERATOR_KEY: operatorKey },
      ...(more.stdin === undefined ? {} : { stdin: more.stdin }),
    })
  }
  const file = (name: string, text: string): string => {
    const path = join(data, '..', name)
    writeFileSync(path, text)
    return path
  }
  const usage = file('usage.csv', 'date,model,requests\n2026-10-03,gpt-4o-2024-08-06,300\n')
  const cost = file('cost.csv', 'date,model,cost\n2026-10-03,gpt-4o-2024-08-06,2.25\n')
  const both = ['--file', usage, '--file', cost]

  const here = await run(
    ['bill', 'check', '--vendor', 'openai', '--month', '2026-10', ...both, '--group', 'day'],
    { data },
  )
  const there = await remote('staff', [...both, '--group', 'day'])
  expect(here.stdout).toContain('✓ within 1 %')
  expect({ ...there, json: null }).toEqual({ ...here, json: null })

  const piped = await remote('staff', ['--file', '-', '--file', cost, '--json'], {
    stdin: 'date,model,requests\n2026-10-03,gpt-4o-2024-08-06,300\n',
  })
  expect(piped.json<Told>()).toMatchObject({
    sources: ['CSV standard input', 'CSV cost.csv'],
    total: { billed_calls: 300, billed_usd: '2.250000' },
  })

  const large = file(
    'large.csv',
    `day,model,amount\n${'2026-10-03,gpt-4o,0.000001\n'.repeat(400_000)}`,
  )
  const viewer = await remote('viewer', ['--file', large, '--json'])
  expect(viewer.code).toBe(1)
  expect(viewer.json<Told>().error.code).toBe('role_too_low')
  expect((await remote('staff', ['--file', large, '--json'])).json<Told>().total).toMatchObject({
    billed_usd: '0.400000',
  })

  const fetched = await remote('staff', ['--fetch', '--key-stdin', '--json'], {
    stdin: 'admin-0001',
  })
  expect(fetched.json<Told>().total).toMatchObject({ billed_usd: '2.250000' })
  expect(fetched.code).toBe(0)
  const refused = await remote('staff', ['--fetch', '--key-stdin'], { stdin: 'admin-0002' })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('OpenAI refuses this key (401)')
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
})
