import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TSchema } from '@sinclair/typebox'
import type { Operation } from '../../src/business/operations/operation'
import { operationRows } from '../../src/business/operations/table'
import { operatorKey } from '../console/operator-visitor'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { sampleOf } from '../support/campaigns'

let gateway: TestGateway
let key: string
let sentByKey = 0

beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Values of every type, and texts that pass for what they are not. */
const garbage: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  '\u0000',
  '\uD800',
  '\u202Egnp.exe',
  '<script>',
  "' OR 1=1 --",
  '9999999.999999999',
  '-9999999.999999999',
  '0',
  '0.000000001',
  '2026-99-99T99:99:99Z',
  '9999-12-31T23:59:59Z',
  '0000-00-00',
  '9999-12-31',
  'x'.repeat(40_000),
  [],
  [['']],
  ['\u0000'],
  ['::/0', '1.2.3.4/99'],
  {},
  { $ne: null },
]

/** Something that each field takes. */
const usual: Readonly<Record<string, unknown>> = {
  usd: '1',
  reason: 'test',
  name: 'ali',
  coins_per_usd: '100000',
  on: true,
  role: 'viewer',
  value: '5',
  expires: '2030-01-01T00:00:00Z',
}

let references = 0
const usualBody = ({ body }: Operation): Record<string, unknown> => {
  const needed = (body.required ?? []).map((name) => [name, usual[name]] as const)
  const reference = 'reference' in body.properties ? { reference: `r${references++}` } : {}
  return { ...Object.fromEntries(needed), ...reference }
}

const addressOf = (path: string, part: string): string => path.replaceAll(/\{\w+\}/g, part)

interface Sent {
  readonly query?: string
  readonly body?: string
  readonly part?: string
}

async function statusOf({ method, path }: Operation, { query = '', body, part = '1' }: Sent) {
  // One key may send so many a minute.
  if (sentByKey++ % 100 === 0) key = await operatorKey(gateway, 'owner')
  const url = `${new URL(gateway.url).origin}/admin/v1${addressOf(path, part)}${query}`
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(method === 'GET' || body === undefined ? {} : { body }),
  })
  const text = await response.text()
  return response.status < 500 && response.status !== 429 ? null : `${response.status} ${text}`
}

/** Every request that is garbage in one place, and as it should be in all others. */
function* garbageFor(row: Operation): Generator<Sent> {
  for (const name of Object.keys(row.query.properties))
    for (const value of garbage) {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      if (text.length < 2000) yield { query: `?${name}=${encodeURIComponent(text.toWellFormed())}` }
    }
  if (Object.keys(row.params.properties).length > 0)
    for (const part of [
      '0',
      '-1',
      '%00',
      '1e3',
      '9007199254740993',
      '%F0%9F',
      '..%2f',
      "'",
      'a'.repeat(500),
    ])
      yield { part, body: JSON.stringify(usualBody(row)) }
  if (row.method === 'GET') return
  for (const body of [
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '7',
    deep(20_000),
    '{"__proto__":{"role":"owner"}}',
  ])
    yield { body }
  const fields: Readonly<Record<string, TSchema>> = row.body.properties
  for (const name of Object.keys(fields))
    for (const value of garbage)
      yield { body: JSON.stringify({ ...usualBody(row), [name]: value }) }
}

/** These have no garbage to take, and do much. */
const heavy = new Set(['health.backup', 'health.audit', 'health.doctor'])

test.each(
  operationRows.filter(({ name }) => !heavy.has(name)).map((row) => [row.name, row] as const),
)('%s refuses what is garbage, and never fails by it', async (_, row) => {
  const failed: string[] = []
  for (const sent of sampleOf(garbageFor(row), 4)) {
    const trouble = await statusOf(row, sent)
    if (trouble !== null) failed.push(`${JSON.stringify(sent).slice(0, 200)} → ${trouble}`)
  }
  expect(failed).toEqual([])
})
