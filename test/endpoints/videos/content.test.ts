import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Caller } from '../../../src/domain/caller'
import { systemClock, systemMonotonic, type Ms } from '../../../src/domain/clock'
import type { VendorConfig } from '../../../src/domain/model'
import { openTurn } from '../../../src/gateway/net/write-batcher'
import { isGatewayError } from '../../../src/errors/gateway-error'
import { openDeadlines } from '../../../src/gateway/outbound/deadlines'
import { openSend } from '../../../src/gateway/outbound/send'
import { openContent } from '../../../src/gateway/endpoints/videos/content'
import { openInternet } from '../../../src/gateway/outbound/public-fetch'
import { vendors } from '../../../src/gateway/vendors/registry'
import { certificate, privateKey } from '../../support/picture-certificate'
import { filmBytes } from '../../support/video-stand-in'
import { videoJob } from './job'

/** Where the files lie, which is not where the vendor is. */
let host: ReturnType<typeof Bun.serve>
let vendor: ReturnType<typeof Bun.serve>
const asked: Record<string, string>[] = []
const name = 'pics.example.test'
let address = ''

beforeAll(() => {
  host = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert: certificate, key: privateKey },
    fetch(request) {
      asked.push(Object.fromEntries(request.headers))
      const { pathname } = new URL(request.url)
      if (pathname === '/inside') return Response.redirect('https://10.0.0.1/film.mp4', 302)
      if (pathname === '/expired') return new Response('signature expired', { status: 403 })
      const part = filmBytes.slice(10, 20)
      const headers = { 'content-range': `bytes 10-19/${filmBytes.length}` }
      return request.headers.get('range') === null
        ? new Response(filmBytes, { headers: { 'content-type': 'application/octet-stream' } })
        : new Response(part, { status: 206, headers })
    },
  })
  vendor = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) =>
      url.endsWith('/content?variant=video')
        ? new Response(null, { status: 302, headers: { location: address } })
        : Response.json({ status: 'done', video: { url: address } }),
  })
})
afterAll(async () => {
  await host.stop(true)
  await vendor.stop(true)
})

const caller = { account: { id: 1 }, project: { id: 1 }, key: { id: 1 } } as Caller

function contentAt(path: string, dialect: string, range: string | null = null) {
  address = path.startsWith('http') ? path : `https://${name}:${host.port}${path}`
  const now = systemClock.now()
  const config: VendorConfig = {
    name: 'films',
    kind: 'openai',
    dialect,
    baseUrl: `http://127.0.0.1:${vendor.port}/v1`,
    credential: 'sk-vendor-secret',
    timeoutMs: 5000,
    transport: 'own',
    active: true,
    source: 'command',
  }
  const job = videoJob(caller, now, {
    status: 'completed',
    vendor: 'films',
    vendorModel: 'film',
    vendorJob: 'v1',
    expires: (now + 60_000) as Ms,
  })
  return openContent(
    {
      clock: systemClock,
      vendors,
      vendorConfig: () => config,
      send: openSend({
        monotonic: systemMonotonic,
        deadlines: openDeadlines(systemMonotonic),
        proxied: false,
        turn: openTurn(),
      }),
      fetchPublic: openInternet({
        resolve: (wanted) => Promise.resolve(wanted === name ? ['127.0.0.1'] : []),
        isPublic: (each) => each === '127.0.0.1',
        ca: certificate,
      }),
    },
    { job, variant: 'video', range, signal: new AbortController().signal },
  )
}

test.each(['xai', 'generic'])(
  'a file that lies elsewhere is fetched there without our key, by a vendor of the %s format',
  async (dialect) => {
    asked.length = 0
    const { status, headers, body } = await contentAt('/film.mp4', dialect)
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'video/mp4' })
    expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(filmBytes)
    const [head] = asked
    expect(head?.['host']).toBe(`${name}:${host.port}`)
    expect(JSON.stringify(asked)).not.toContain('secret')
  },
)

test('a part of it is asked for as a part', async () => {
  const { status, headers, body } = await contentAt('/film.mp4', 'xai', 'bytes=10-19')
  expect({ status, range: headers['content-range'] }).toEqual({
    status: 206,
    range: `bytes 10-19/${filmBytes.length}`,
  })
  expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(filmBytes.slice(10, 20))
})

test.each([
  ['whose address has expired is not there any more', '/expired', 'video_not_found'],
  ['that leads into our network is not followed', '/inside', 'upstream_error'],
  ['at an address without TLS is not fetched', 'http://films.example.test/a', 'upstream_error'],
])('a file %s', async (_, path, code) => {
  for (const dialect of ['xai', 'generic'])
    try {
      await contentAt(path, dialect)
      throw new Error('it was given')
    } catch (thrown) {
      expect(isGatewayError(thrown) ? thrown.code : thrown).toBe(code as never)
    }
})
