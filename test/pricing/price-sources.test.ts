import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSourceWays, readSources } from '../../src/server/price-checks/price-sources'
import { openDocuments } from '../../src/gateway/outbound/fetch-document'
import { certificate, privateKey } from '../support/picture-certificate'
import { temporaryFolder } from '../support/executable'
import { litellmMap, modelsDevDocument, publicPrices } from './check-desk'
import { readSourceProblem } from '../../src/business/pricing/source-problems'

const sought = Object.keys(publicPrices).map(
  (vendorModel) => ({ dialect: 'openai', vendorModel, family: 'chat' }) as const,
)
const good = litellmMap(publicPrices)
const portkey = JSON.stringify({ 'gpt-4o': { pricing_config: { pay_as_you_go: {} } } })
const json = { headers: { 'content-type': 'application/json' } }

/** Bytes without an end. */
const endless = () =>
  new Response(
    new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(1_000_000).fill(32)) }),
    json,
  )
/** Says something and then nothing, for as long as anybody waits. */
const slow = () =>
  new Response(
    new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(good)) }),
    json,
  )

const pages: Readonly<Record<string, () => Response>> = {
  '/map.json': () => new Response(good, json),
  '/moved.json': () => Response.redirect('/map.json', 302),
  '/inside.json': () => Response.redirect('https://10.0.0.1/map.json', 302),
  '/plain.json': () => Response.redirect('http://prices.example.test/map.json', 302),
  '/page': () =>
    new Response('<!doctype html><p>Try again', { headers: { 'content-type': 'text/html' } }),
  '/half.json': () => new Response(good.slice(0, good.length / 2), json),
  '/nan.json': () => new Response(good.replace(/:0\.\d+/, ':NaN'), json),
  '/list.json': () => new Response('[1,2,3]', json),
  '/other.json': () => new Response('{"error":{"message":"rate limited"}}', json),
  '/empty': () => new Response('', json),
  '/deep.json': () => new Response('['.repeat(1_000_000), json),
  '/parts.json': () => new Response(`[${'0,'.repeat(1_600_000)}0]`, json),
  '/text.json': () => new Response(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), json),
  '/elsewhere.json': () =>
    new Response(litellmMap({ 'unknown-model': { input: 1, output: 1 } }), json),
  '/broken': () => new Response('', { status: 500 }),
  '/endless': endless,
  '/slow': slow,
  '/pricing/openai.json': () => new Response(portkey, json),
  '/failing/openai.json': () => new Response('', { status: 503 }),
}

const name = 'pics.example.test'
let host: ReturnType<typeof Bun.serve>
const folder = temporaryFolder()
beforeAll(() => {
  host = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert: certificate, key: privateKey },
    fetch: (request) =>
      pages[new URL(request.url).pathname]?.() ?? new Response('', { status: 404 }),
  })
})
afterAll(async () => {
  await host.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

const fetchDocument = openDocuments({
  resolve: (asked) => Promise.resolve(asked === name ? ['127.0.0.1'] : []),
  isPublic: (address) => address === '127.0.0.1',
  ca: certificate,
})
/** Slow ones are given up after a second, not a minute. */
const ways = {
  ...openSourceWays(),
  fetchDocument: (url: string, limits: { maxBytes: number; timeoutMs: number }) =>
    fetchDocument(url, url.endsWith('/slow') ? { ...limits, timeoutMs: 1000 } : limits),
}
const at = (path: string) => `https://${name}:${host.port}${path}`
const read = async (address: string) => {
  const [reading] = await readSources([address], sought, ways)
  return { problem: reading?.problem, models: reading?.told.size, name: reading?.source }
}

describe('a source of public prices', () => {
  test('is read from an address, wherever it moved, from a file and a folder', async () => {
    const file = join(folder, 'map.json')
    writeFileSync(file, good)
    mkdirSync(join(folder, 'pricing'))
    writeFileSync(join(folder, 'pricing/openai.json'), portkey)
    const all = { problem: null, models: 3, name: 'litellm' }
    for (const address of [at('/map.json'), at('/moved.json'), file, `file://${file}`])
      expect(await read(address)).toEqual(all)
    for (const address of [
      at('/pricing/'),
      join(folder, 'pricing/openai.json'),
      `${folder}/pricing/`,
    ])
      expect(await read(address)).toEqual({ problem: null, models: 1, name: 'portkey' })
  })

  test.each([
    ['/inside.json', 'its address is not public'],
    ['/plain.json', 'its address is not https'],
    ['/page', 'it is a web page, not JSON'],
    ['/half.json', 'it is no whole JSON'],
    ['/nan.json', 'it is no whole JSON'],
    ['/list.json', 'it is of no known form: litellm, models.dev, portkey'],
    ['/other.json', 'it is of no known form: litellm, models.dev, portkey'],
    ['/empty', 'it is no whole JSON'],
    ['/deep.json', 'it is no whole JSON'],
    ['/parts.json', 'it has more members than price data have'],
    ['/text.json', 'it is no whole JSON'],
    ['/elsewhere.json', 'it lists no model of this service'],
    ['/broken', 'its host answered 500'],
    ['/endless', 'it is larger than 32 MB'],
    ['/slow', 'it is not all there within 1 seconds'],
    ['/failing/', 'openai.json: its host answered 503'],
    ['/nothing/', 'it has no file of a vendor here'],
  ])('that is odd tells nothing, and why: %s, %s', async (path, why) => {
    expect(await read(at(path))).toEqual({ problem: why, models: 0, name: at(path) })
    // For pages in other languages.
    expect(readSourceProblem(why)).not.toBeNull()
  })

  test.each([
    ['https://10.0.0.1/map.json', 'its address is not public'],
    ['/nothing/at/all.json', 'there is no such file'],
    ['/dev', 'it is no file'],
    ['/dev/zero', 'it is no file'],
  ])('is not looked for in %s: %s', async (address, problem) => {
    expect(await read(address)).toMatchObject({ problem, models: 0 })
    expect(readSourceProblem(problem)).not.toBeNull()
  })

  test('fails alone', async () => {
    const file = join(folder, 'api.json')
    writeFileSync(file, modelsDevDocument(publicPrices))
    const readings = await readSources([at('/broken'), at('/map.json'), file], sought, ways)
    expect(readings.map(({ told }) => told.size)).toEqual([0, 3, 3])
  })
})
