import { afterEach, describe, expect, test } from 'bun:test'
import {
  chunkedHead,
  lastChunk,
  openRawVendor,
  rawChunk,
  type RawEnd,
  type RawReply,
} from './raw-vendor'
import { eventsOf } from './sse'
import {
  after,
  failure,
  hang,
  inTurn,
  openaiStream,
  openStandIn,
  refusingUrl,
  replies,
  streamReply,
  type Script,
} from './stand-in'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const standIn = (script?: Script) => {
  const vendor = openStandIn(script)
  closing.push(vendor.close)
  return vendor
}
const rawVendor = async (reply: RawReply, end: RawEnd) => {
  const vendor = await openRawVendor(reply, end)
  closing.push(vendor.close)
  return vendor
}
const ask = (url: string, body: object = {}, init: RequestInit = {}) =>
  fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(body), ...init })

describe('the stand-in vendor', () => {
  test('answers whole or streamed as asked, and remembers what it was asked', async () => {
    const vendor = standIn(replies('one two'))
    expect(await (await ask(vendor.url, { a: 1 })).json()).toMatchObject({
      choices: [{ message: { content: 'one two' } }],
    })
    expect(eventsOf(await (await ask(vendor.url, { stream: true })).text())).toHaveLength(6)
    expect(vendor.seen.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      { method: 'POST', path: '/v1/chat/completions', body: { a: 1 } },
      { method: 'POST', path: '/v1/chat/completions', body: { stream: true } },
    ])
  })

  test('fails, then recovers, when told so in turn', async () => {
    const vendor = standIn(inTurn(failure(500, {}), failure(429, {}), replies()))
    const statuses = []
    for (let call = 0; call < 4; call++) statuses.push((await ask(vendor.url)).status)
    expect(statuses).toEqual([500, 429, 200, 200])
  })

  test('waits before its first byte when told so', async () => {
    const vendor = standIn(after(60, replies()))
    const began = performance.now()
    await ask(vendor.url)
    expect(performance.now() - began).toBeGreaterThan(50)
  })

  test('that hangs notices when we leave', async () => {
    const vendor = standIn(hang)
    await ask(vendor.url, {}, { signal: AbortSignal.timeout(30) }).catch(() => {})
    for (let tries = 0; vendor.seen[0]?.abortedAt === null && tries < 100; tries++)
      await Bun.sleep(5)
    expect(vendor.seen[0]?.abortedAt).toBeNumber()
  })

  test('cuts a stream so that reading it fails', async () => {
    const options = { cutAfter: 2, delayMs: 20 }
    const vendor = standIn(() => streamReply(openaiStream('one two three'), options))
    const response = await ask(vendor.url)
    expect(response.status).toBe(200)
    expect(await response.text().catch(() => 'cut')).toBe('cut')
  })

  test('sends the same events in parts of any size', async () => {
    const events = openaiStream('سلام 🌍')
    const vendor = standIn(() => streamReply(events, { bytesAtATime: 3 }))
    expect(await (await ask(vendor.url)).text()).toBe(events.join(''))
  })

  test('can be nowhere', async () => {
    const refused = await ask(await refusingUrl()).catch((thrown: { code?: string }) => thrown.code)
    expect(refused).toBe('ECONNREFUSED')
  })
})

describe('the vendor on a bare socket', () => {
  const text = 'data: {"سلام":1}\n\n'

  test('sends a whole reply', async () => {
    const vendor = await rawVendor([chunkedHead, rawChunk(text), 5, lastChunk], 'fin')
    expect(await (await ask(vendor.url)).text()).toBe(text)
    expect(vendor.hits).toBe(1)
  })

  test.each(['fin', 'reset'] as const)('breaks off inside a chunk by %s', async (end) => {
    const vendor = await rawVendor([chunkedHead, rawChunk(text), 20, rawChunk(text, 7)], end)
    const response = await ask(vendor.url)
    let read = ''
    const decoder = new TextDecoder()
    const readAll = async () => {
      for await (const bytes of response.body as AsyncIterable<Uint8Array>)
        read += decoder.decode(bytes, { stream: true })
      return 'whole'
    }
    expect(await readAll().catch(() => 'broken')).toBe('broken')
    expect(read).toStartWith(text)
  })

  test('notices when we leave', async () => {
    const vendor = await rawVendor([chunkedHead, rawChunk(text)], 'open')
    const leaving = new AbortController()
    const response = await ask(vendor.url, {}, { signal: leaving.signal })
    await response.body?.getReader().read()
    const left = performance.now()
    leaving.abort()
    for (let tries = 0; vendor.closedAt.length === 0 && tries < 100; tries++) await Bun.sleep(5)
    expect((vendor.closedAt[0] ?? Number.POSITIVE_INFINITY) - left).toBeLessThan(200)
  })
})
