import { afterAll, beforeAll, expect, test } from 'bun:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { bodyBytes } from '../../src/gateway/outbound/body-bytes'
import { decodedBody, fetchOnce } from '../../src/gateway/outbound/fetch-once'
import { getJson } from '../../src/gateway/outbound/get-json'
import { requestService } from '../../src/gateway/outbound/post'

/** A few kilobytes, and 300 MB when undone. */
const bomb = new Uint8Array(zstdCompressSync(new Uint8Array(300_000_000)))

const bodies: Record<string, readonly [string, Uint8Array]> = {
  '/gzip': ['gzip', new Uint8Array(gzipSync('{"data":["a"]}'))],
  '/bomb': ['zstd', bomb],
  '/twice': ['gzip, gzip', new Uint8Array(gzipSync(gzipSync('{}')))],
  '/brackets': ['identity', new TextEncoder().encode('['.repeat(100_000))],
  '/names': [
    'identity',
    new TextEncoder().encode(
      `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":0`).join()}}`,
    ),
  ],
}

let host: ReturnType<typeof Bun.serve>
const codings: (string | null)[] = []
const at = (path: string) => `http://127.0.0.1:${host.port}${path}`

beforeAll(() => {
  host = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      codings.push(request.headers.get('accept-encoding'))
      const [coding, body] = bodies[new URL(request.url).pathname] ?? ['identity', new Uint8Array()]
      return new Response(body, { headers: { 'content-encoding': coding } })
    },
  })
})
afterAll(() => host.stop(true))

const read = async (path: string, maxBytes: number) =>
  await bodyBytes(
    decodedBody(await fetchOnce(at(path), {})),
    maxBytes,
    () => new Error('too large'),
  )

const faultOf = (reading: Promise<unknown>): Promise<string | null> =>
  reading.then(
    () => null,
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : null),
  )

test('a body is asked for as it is, and read when it is compressed all the same', async () => {
  expect((await read('/gzip', 1000)).toString()).toBe('{"data":["a"]}')
  expect(codings.at(-1)).toBe('identity')
})

test('a body that expands too far ends in bounded memory', async () => {
  const before = process.memoryUsage.rss()
  // Read to its end, given up at its size, and not read at all.
  expect(await faultOf(read('/bomb', 1e9))).toBe('compression ratio above the limit')
  expect(await faultOf(read('/bomb', 1000))).toBe('too large')
  await (await fetchOnce(at('/bomb'), {})).body?.cancel()
  const order = { method: 'GET', url: at('/bomb'), headers: {}, body: null } as const
  expect((await requestService(order, 5000)).text.length).toBeGreaterThanOrEqual(65_536)
  expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000)
})

test('a coding of several is refused', async () => {
  expect(await faultOf(read('/twice', 1000))).toBe('unknown content coding')
})

test('JSON that takes long to parse counts as none', async () => {
  const ask = (path: string) => getJson(at(path), new Headers(), 5000)
  expect(await ask('/gzip')).toEqual({ status: 200, body: { data: ['a'] } })
  expect(await ask('/brackets')).toEqual({ status: 200, body: null })
  expect(await ask('/names')).toEqual({ status: 200, body: null })
})
