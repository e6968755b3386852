import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { operationRows } from '../../src/business/operations/table'
import { table } from '../../src/gateway/api/table'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openRawClient, requestText } from '../support/raw-client'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openTestGateway({
    web: true,
    env: { CHAPAR_URL: 'https://ai.example.ir', CHAPAR_METRICS_TOKEN: 'a-token-of-metrics' },
  })
})
afterAll(() => gateway.close())

interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends a target as it is written, which no client of HTTP does. */
async function ask(target: string, more: Record<string, string> = {}): Promise<Answer> {
  const [method = '', path = ''] = target.includes(' ') ? target.split(' ') : ['GET', target]
  const headers = { connection: 'close', 'accept-language': 'en', ...more }
  const client = openRawClient(gateway.url, requestText(`${method} ${path}`, headers))
  await client.closed
  const [head = '', ...rest] = client.received().split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: rest.join('') }
}

const deep = '/a'.repeat(20)

describe('a target that resolves to another path', () => {
  test.each([
    '/x/../admin/v1/identity',
    '/x/./../admin/v1/identity',
    '/v1/%2e%2e/admin/v1/identity',
    '/v1/.%2E/admin/v1/identity',
    '/v1/..\\admin/v1/identity',
    '/v1\\..\\admin/v1/identity',
    '/admin\\v1\\identity',
    '/admin/./v1/identity',
    '/admin/x/../v1/identity',
    '/admin/v1/identity/x/..',
    '/admin/v1/identity#x',
    '/v1/models/../../admin/v1/identity',
    '/v1/videos/../../admin/v1/identity',
    'http://x/x/../admin/v1/identity',
    '/x/../v1/models',
    '/docs/../v1/models',
    '/v1/models/..',
    '/app/../app/operator',
    '/..',
    '/.',
    'POST /x/../v1/chat/completions',
    'POST /v1/./chat/completions',
    'DELETE /admin/x/../v1/operators/sara',
  ])('is refused by 400: %s', async (target) => {
    const { status, body } = await ask(target)
    expect({ status, path: body.includes('path') }).toEqual({ status: 400, path: true })
  })

  test.each([
    '//../admin/v1/identity',
    '/x//../../admin/v1/identity',
    '/x//../../admin/v1/identity/',
    '//admin/v1/identity',
    `${deep}/${'../'.repeat(20)}admin/v1/identity`,
    `${deep}/${'%2e%2e/'.repeat(20)}admin/v1/identity`,
  ])('leads nowhere behind an empty segment, or too many: %s', async (target) => {
    expect((await ask(target)).status).toBe(404)
  })
})

describe('a target that is what it looks like', () => {
  test.each([
    ['/', 200],
    ['/healthz', 200],
    ['/v1/models', 200],
    ['/healthz?path=/../x', 200],
    ['/v1/models/', 200],
    ['/v1/models/sandbox/echo', 200],
    ['/v1/models/sandbox%2Fecho', 200],
    ['/v1/models/..sandbox', 404],
    ['/v1/models/a.b..c', 404],
    ['/docs/start', 200],
    ['/docs/fa/start', 200],
    ['/docs/start/', 404],
    ['/docs/%D8%B1', 404],
    ['/app', 200],
    ['/app/credit/x', 200],
    ['/admin/v1/identity', 401],
    ['/admin/v1/identity/', 401],
    ['http://x/admin/v1/identity', 401],
    ['/nothing', 404],
    ['/v1/nothing', 404],
    ['POST /v1/models', 405],
    ['OPTIONS /v1/models/x', 204],
    ['HEAD /v1/models', 200],
    [deep, 404],
  ])('is answered: %s → %d', async (target, status) => {
    const answer = await ask(target, { authorization: `Bearer ${gateway.key}` })
    expect(answer.status).toBe(status)
  })
})

describe('Host', () => {
  test.each(['/v1/models', '/app/api/service', '/docs/start', '/admin/v1/identity', '/nothing'])(
    'is one, or the request is refused: %s',
    async (target) => {
      const client = openRawClient(
        gateway.url,
        `GET ${target} HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\naccept-language: en\r\n\r\n`,
      )
      await client.closed
      expect(client.received()).toMatch(/^HTTP\/1\.1 40[04] /)
      if (target !== '/nothing') expect(client.received()).toContain('Host')
    },
  )
})

/** Something in the place of each part of a path. */
const filled = (path: string) => path.replaceAll(/\{\w+\}|\*/g, 'x')

test('every answer keeps browsers from guessing its type, and to https', async () => {
  const targets = [
    ...table.map(({ method, path }) => `${method} ${filled(path)}`),
    ...operationRows.map(({ method, path }) => `${method} /admin/v1${filled(path)}`),
    ...operationRows.map(({ method, path }) => `${method} /app/api/operator${filled(path)}`),
    '/',
    '/app',
    '/app/x',
    '/app/api/me',
    '/app/api/service',
    '/app/api/nothing',
    '/app/return/x',
    '/app/bank/x',
    'POST /app/webhook/x',
    '/brand/logo',
    '/docs',
    '/docs/x',
    '/docs/search?q=x',
    '/guide',
    '/metrics',
    '/nothing',
    '/x/../y',
    'OPTIONS /v1/models',
    'POST /app/api/sign-in',
    'POST /app/api/playground/chat/completions',
    deep,
  ]
  expect(targets.length).toBeGreaterThan(150)
  const bare: string[] = []
  for (const target of targets) {
    const { head } = await ask(target, { 'content-length': '0' })
    const isWhole =
      head.includes('x-content-type-options: nosniff') &&
      head.includes('strict-transport-security: max-age=31536000')
    if (!isWhole) bare.push(`${target} → ${head.split('\r\n')[0]}`)
  }
  expect(bare).toEqual([])
})
