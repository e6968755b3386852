import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openBooks } from '../bills/books'
import { run, serve, setUp, temporaryFolder } from '../support/executable'
import { ask } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'

let vendor: StandIn
const data = join(temporaryFolder(), 'data')
let key: string

beforeAll(async () => {
  vendor = openStandIn()
  key = await setUp(data, vendor.url)
  const books = await openBooks({ data }, { name: 'openai', kind: 'openai', dialect: 'openai' })
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
