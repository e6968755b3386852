import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { systemMonotonic, type Ms } from '../../src/domain/clock'
import type { RequestId } from '../../src/domain/ids'
import { noLinks } from '../../src/errors/links'
import { openTrustedProxies } from '../../src/gateway/http/address'
import type { Inbound } from '../../src/gateway/http/inbound'
import { openInbound } from '../../src/gateway/http/open-inbound'
import { uncountedSlot } from '../support/uncounted-slot'

let made = 0
const open = openInbound({
  ids: { request: () => `req_${++made}` as RequestId },
  clock: { now: () => 1_700_000_000_000 as Ms },
  monotonic: systemMonotonic,
  proxies: openTrustedProxies(['127.0.0.1']),
  exemptFromIdleTimeout: () => {},
  peer: (request) => request.headers.get('x-test-peer'),
  takeSlot: () => uncountedSlot,
  links: noLinks,
})

describe('what is known of a request', () => {
  test('is its own id, the time, and the request with its parts', () => {
    const request = new Request('http://localhost/v1/models', { method: 'DELETE' })
    const [inbound, next] = [open(request), open(request)]
    expect(inbound.received).toBe(1_700_000_000_000 as Ms)
    expect(inbound.method).toBe('DELETE')
    expect(inbound.request).toBe(request)
    expect(inbound.headers).toBe(request.headers)
    expect(next.requestId).not.toBe(inbound.requestId)
  })

  test.each([
    ['http://localhost:3000/v1/models', '/v1/models', ''],
    ['http://h/', '/', ''],
    ['http://h', '/', ''],
    ['https://h/v1/models?type=text&x=%2F', '/v1/models', 'type=text&x=%2F'],
    ['http://h/v1/models?', '/v1/models', ''],
    ['http://h/a?b?c=//d', '/a', 'b?c=//d'],
    ['http://[::1]:3000/v1/me', '/v1/me', ''],
    ['http://h//v1/me', '//v1/me', ''],
    ['http://h/v1/models/openai%2Fgpt', '/v1/models/openai%2Fgpt', ''],
  ])('of %s is the path and the query as sent', (url, path, search) => {
    const inbound = open(new Request(url))
    expect({ path: inbound.path, search: inbound.search }).toEqual({ path, search })
  })

  test('is the client’s address, behind a trusted proxy too', () => {
    const from = (headers: Record<string, string>) =>
      open(new Request('http://h/', { headers })).address
    expect(from({ 'x-test-peer': '::ffff:203.0.113.7' })).toBe('203.0.113.7')
    expect(from({ 'x-test-peer': '127.0.0.1', 'x-forwarded-for': '203.0.113.7' })).toBe(
      '203.0.113.7',
    )
    expect(from({ 'x-test-peer': '203.0.113.7', 'x-forwarded-for': '6.6.6.6' })).toBe('203.0.113.7')
  })

  test('has an address also when the client has left', () => {
    expect(open(new Request('http://h/')).address).toBe('0.0.0.0')
  })

  test('tells when the client leaves', () => {
    const client = new AbortController()
    const { signal } = open(new Request('http://h/', { signal: client.signal }))
    expect(signal.aborted).toBe(false)
    client.abort()
    expect(signal.aborted).toBe(true)
  })
})

describe('over a socket', () => {
  let server: Bun.Server<undefined>
  const seen: Inbound[] = []
  beforeAll(() => {
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        seen.push(open(request))
        return new Response()
      },
    })
  })
  afterAll(() => server.stop(true))

  test.each([
    ['a usual request', 'GET /v1/models?a=b HTTP/1.1\r\nHost: localhost'],
    ['an absolute target', 'GET http://other/v1/models?a=b HTTP/1.1\r\nHost: localhost'],
    ['no host', 'GET /v1/models?a=b HTTP/1.0'],
    ['an empty host', 'GET /v1/models?a=b HTTP/1.1\r\nHost: '],
    ['a host that is none', 'GET /v1/models?a=b HTTP/1.1\r\nHost: x/y'],
  ])('%s has the same path', async (_, head) => {
    const before = seen.length
    const socket = connect(Number(server.url.port), '127.0.0.1')
    socket.write(`${head}\r\n\r\n`)
    while (seen.length === before) await Bun.sleep(1)
    socket.destroy()
    const { path, search } = seen[before] ?? {}
    expect({ path, search }).toEqual({ path: '/v1/models', search: 'a=b' })
  })
})
