import { expect, test } from 'bun:test'
import { readProxies } from '../../src/gateway/net/proxies'

const of = (env: Record<string, string>, url: string) => readProxies(env).of(new URL(url))

test('without a word everything is reached directly', () => {
  expect(readProxies({}).any).toBe(false)
  expect(of({}, 'wss://api.example.com/v1')).toBeNull()
  expect(readProxies({ HTTPS_PROXY: ' ' }).any).toBe(false)
})

test('each has a proxy of its kind, or the one for all', () => {
  const env = { HTTP_PROXY: 'http://plain:1', https_proxy: 'http://secure:2' }
  expect(readProxies(env).any).toBe(true)
  expect(of(env, 'ws://vendor.example')).toBe('http://plain:1')
  expect(of(env, 'http://vendor.example')).toBe('http://plain:1')
  expect(of(env, 'wss://vendor.example')).toBe('http://secure:2')
  expect(of({ ...env, HTTPS_PROXY: 'http://other:3' }, 'https://x.example')).toBe('http://secure:2')
  expect(of({ ALL_PROXY: 'http://all:4' }, 'wss://vendor.example')).toBe('http://all:4')
})

test.each([
  ['example.com', 'wss://example.com', true],
  ['example.com', 'wss://api.example.com', true],
  ['.example.com', 'wss://api.example.com', true],
  ['*.example.com', 'wss://api.example.com', true],
  ['example.com', 'wss://notexample.com', false],
  ['Example.COM, other.org', 'wss://EXAMPLE.com', true],
  ['a.org other.org', 'wss://other.org', true],
  ['localhost:8443', 'wss://localhost:8443', true],
  ['localhost:8443', 'wss://localhost:1', false],
  ['vendor.example:443', 'wss://vendor.example', true],
  ['vendor.example:80', 'ws://vendor.example', true],
  ['::1', 'ws://[::1]:8080', true],
  ['*', 'wss://anything', true],
])('NO_PROXY=%s and %s: directly is %p', (no, url, direct) => {
  const found = of({ ALL_PROXY: 'http://proxy:1', NO_PROXY: no }, url)
  expect(found).toBe(direct ? null : 'http://proxy:1')
})
