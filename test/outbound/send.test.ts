import { afterEach, describe, expect, test } from 'bun:test'
import { addModel, addVendor, ask, openTestGateway, type TestGateway } from '../support/gateway'
import {
  openaiStream,
  openStandIn,
  replies,
  streamReply,
  wholeReply,
  type StandIn,
} from '../support/stand-in'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

const vendorThat = (script: Parameters<typeof openStandIn>[0]): StandIn => {
  const vendor = openStandIn(script)
  opened.push(vendor)
  return vendor
}

/** A gateway whose model `two` has these vendors, in this order. */
async function gatewayOf(urls: readonly string[], timeoutMs: number): Promise<TestGateway> {
  const chapar = await openTestGateway()
  opened.unshift(chapar)
  const names = urls.map((_, index) => `v${index}`)
  for (const [index, url] of urls.entries())
    await addVendor(chapar.storage, names[index] ?? '', url, timeoutMs)
  await addModel(chapar.storage, 'two', names)
  await chapar.gateway.reloadCatalogue()
  return chapar
}

const codeOf = async (response: Response) =>
  ((await response.json()) as { error?: { code: string } }).error?.code

describe('routes', () => {
  test.each([true, false])(
    'the next one answers when the first fails before an answer, streamed: %p',
    async (stream) => {
      const broken = vendorThat(() => Response.json({ error: { message: 'no' } }, { status: 500 }))
      const good = vendorThat(replies('from the second'))
      const chapar = await gatewayOf([broken.url, good.url], 5000)
      const text = await (await chapar.post(ask('two', { stream }))).text()
      expect(stream ? text : JSON.parse(text)).toBeDefined()
      expect(text).toContain('second')
      expect([broken.seen.length, good.seen.length]).toEqual([1, 1])
      // The first is left alone for a while.
      await chapar.post(ask('two'))
      expect([broken.seen.length, good.seen.length]).toEqual([1, 2])
      expect((await chapar.rest()).held).toBe(0)
      expect((await chapar.audit()).ok).toBe(true)
    },
  )

  test('a refusal of the request is not tried elsewhere', async () => {
    const strict = vendorThat(() => Response.json({ error: { message: 'bad' } }, { status: 400 }))
    const other = vendorThat(replies())
    const chapar = await gatewayOf([strict.url, other.url], 5000)
    expect(await codeOf(await chapar.post(ask('two')))).toBe('upstream_rejected')
    expect(other.seen).toHaveLength(0)
  })

  test('a prefix chooses who serves', async () => {
    const first = vendorThat(replies('first'))
    const second = vendorThat(replies('second'))
    const chapar = await gatewayOf([first.url, second.url], 5000)
    expect(await (await chapar.post(ask('v1:two'))).text()).toContain('second')
    expect(await (await chapar.post(ask('v1/two'))).text()).toContain('second')
    expect(first.seen).toHaveLength(0)
  })
})

describe('a vendor that does not answer', () => {
  test('in time is given up, at no cost', async () => {
    const silent = vendorThat(() => new Promise(() => {}))
    const chapar = await gatewayOf([silent.url], 300)
    expect(await codeOf(await chapar.post(ask('two')))).toBe('upstream_unreachable')
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0, balance: String(100e9) })
  })

  const headThen = (piece: string, status = 200, type = 'application/json') =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(piece)),
        pull: () => new Promise(() => {}),
      }),
      { status, headers: { 'content-type': type } },
    )

  test.each([
    ['a head alone', 'upstream_unreachable', () => headThen(' ')],
    ['half an answer', 'upstream_unreachable', () => headThen('{"choices":[')],
    ['half a failure', 'upstream_error', () => headThen('{"error":', 500)],
  ])('but with %s is given up in time, at no cost', async (_, code, script) => {
    const stalled = vendorThat(script)
    const chapar = await gatewayOf([stalled.url], 300)
    expect(await codeOf(await chapar.post(ask('two')))).toBe(code)
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0, balance: String(100e9) })
  })

  test('but with comments is given up for the next one', async () => {
    const stalled = vendorThat(() => headThen(': still here\n\n', 200, 'text/event-stream'))
    const good = vendorThat(replies('from the second'))
    const chapar = await gatewayOf([stalled.url, good.url], 300)
    expect(await (await chapar.post(ask('two', { stream: true }))).text()).toContain('second')
    expect((await chapar.rest()).held).toBe(0)
  })

  test('because nobody is there', async () => {
    const chapar = await gatewayOf(['http://127.0.0.1:1/v1'], 5000)
    expect(await codeOf(await chapar.post(ask('two')))).toBe('upstream_unreachable')
  })

  test('for longer than its limit once it has begun is not cut', async () => {
    const slow = vendorThat(() => streamReply(openaiStream('a b c d e'), { delayMs: 150 }))
    const chapar = await gatewayOf([slow.url], 300)
    const text = await (await chapar.post(ask('two', { stream: true }))).text()
    expect(text).toContain('"total_tokens":150')
  })

  // Looked for at first, and listened to later.
  test.each([5, 100])('while its client leaves after %p ms is aborted', async (ms) => {
    const silent = vendorThat(() => new Promise(() => {}))
    const chapar = await gatewayOf([silent.url], 600_000)
    const leaving = new AbortController()
    const call = chapar.post(ask('two'), {}, leaving.signal).catch(() => null)
    while (silent.seen.length === 0) await Bun.sleep(1)
    await Bun.sleep(ms)
    leaving.abort()
    await call
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0, balance: String(100e9) })
    while (silent.seen[0]?.abortedAt === null) await Bun.sleep(2)
  })
})

describe('a client that has left before the answer began', () => {
  const events = openaiStream('said to nobody')
  test.each([
    ['streams it in one go', true, () => streamReply(events)],
    ['streams some of it', true, () => streamReply(events, { hangAfter: 3 })],
    ['streams it slowly', true, () => streamReply(events, { delayMs: 5 })],
    ['answers whole where a stream was asked for', true, () => wholeReply('said to nobody')],
    ['answers whole', false, () => wholeReply('said to nobody')],
  ] as const)('pays nothing where the vendor %s', async (_, stream, reply) => {
    const left = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const vendor = vendorThat(async () => {
      await left.promise
      // In the same loop: it has seen by then that the client's connection is closed.
      await Bun.sleep(15)
      answered.resolve()
      return reply()
    })
    const chapar = await gatewayOf([vendor.url], 5000)
    const leaving = new AbortController()
    const call = chapar.post(ask('two', { stream }), {}, leaving.signal).catch(() => null)
    while (vendor.seen.length === 0) await Bun.sleep(1)
    leaving.abort()
    await call
    left.resolve()
    await answered.promise
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0, balance: String(100e9) })
    expect((await chapar.audit()).ok).toBe(true)
  })
})
