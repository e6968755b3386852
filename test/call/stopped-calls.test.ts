import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { systemMonotonic, type Ticks } from '../../src/domain/clock'
import { operatorKey } from '../console/operator-visitor'
import { addModel, addVendor, openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, replies, type Script, type StandIn } from '../support/stand-in'

/* Calls that an operator stops while their vendor says nothing: the vendor is given up at once. */

let passedMs = 0
let vendor: StandIn
let second: StandIn
let chapar: TestGateway
let staff = ''

beforeAll(async () => {
  vendor = openStandIn()
  second = openStandIn()
  chapar = await openTestGateway({
    monotonic: { ticks: () => (systemMonotonic.ticks() + passedMs) as Ticks },
    async prepare(storage) {
      await addVendor(storage, 'stalled', vendor.url, 60_000)
      await addVendor(storage, 'second', second.url, 60_000)
      await addModel(storage, 'model', ['stalled', 'second'])
    },
  })
  staff = await operatorKey(chapar, 'staff')
})
afterAll(async () => {
  expect((await chapar.audit()).differences).toEqual([])
  await chapar.close()
  await vendor.close()
  await second.close()
})
beforeEach(() => second.play(replies('Yes from the second')))

const encoder = new TextEncoder()

/** What a vendor sends before it stalls. */
const stalls: Readonly<Record<string, (never: Promise<never>) => ReturnType<Script>>> = {
  'without headers': (never) => never,
  'behind its headers': () =>
    new Response(new ReadableStream({ start() {} }), {
      headers: { 'content-type': 'text/event-stream' },
    }),
  'behind an announcement': () =>
    new Response(
      new ReadableStream<Uint8Array>({
        start(controller) {
          const delta = { role: 'assistant', content: '' }
          const chunk = { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] }
          controller.enqueue(encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`))
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    ),
}

/** A vendor that stalls. @returns that it was asked, and that it was given up */
function stall(how: string) {
  const come = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const never = Promise.withResolvers<never>().promise
  vendor.play((_, request) => {
    request.signal.addEventListener('abort', () => gone.resolve())
    come.resolve()
    return stalls[how]?.(never) ?? never
  })
  return { come: come.promise, gone: gone.promise }
}

const admin = async (method: string, path: string) =>
  await fetch(`${new URL(chapar.url).origin}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${staff}` },
  })

/** The one call that runs. */
async function running(): Promise<{ readonly id: string; readonly stoppable: boolean }> {
  const { data } = (await (await admin('GET', '/live?status=running')).json()) as {
    data: { id: string; stoppable: boolean }[]
  }
  const [call] = data
  if (call === undefined || data.length > 1) throw new Error(`${data.length} calls run`)
  return call
}

const post = (stream: boolean) =>
  chapar.post({ model: 'model', stream, messages: [{ role: 'user', content: 'Hello' }] })

/** @returns milliseconds until the vendor was given up */
async function stopRunning(gone: Promise<void>): Promise<number> {
  const call = await running()
  expect(call.stoppable).toBe(true)
  const began = performance.now()
  expect((await admin('POST', `/live/${call.id}/stop`)).status).toBe(200)
  await gone
  return performance.now() - began
}

async function expectNothingPaid(id: string | null): Promise<void> {
  expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  expect(second.seen).toEqual([])
  const found = await fetch(`${chapar.url}/requests/${id}`, {
    headers: { authorization: `Bearer ${chapar.key}` },
  })
  expect(await found.json()).toMatchObject({ status: 'error', usd: '0.000000' })
}

/** Far below what any vendor may take. */
const soonMs = 5000

describe.each(Object.keys(stalls))('a vendor that stalls %s', (how) => {
  test.each([
    ['whole', false],
    ['streamed', true],
  ])('is given up by the stop of a %s call, and no other is asked', async (_, stream) => {
    const { come, gone } = stall(how)
    const answering = post(stream)
    await come
    expect(await stopRunning(gone)).toBeLessThan(soonMs)
    const response = await answering
    expect(response.status).toBe(502)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await response.json()).toMatchObject({ error: { code: 'stream_interrupted' } })
    await expectNothingPaid(response.headers.get('x-request-id'))
  })

  test('is given up by the stop of a stream that is open already', async () => {
    const { come, gone } = stall(how)
    const answering = post(true)
    await come
    passedMs += 16_000
    const response = await answering
    expect(response.status).toBe(200)
    expect(await stopRunning(gone)).toBeLessThan(soonMs)
    const text = await response.text()
    expect(text).toContain('stream_interrupted')
    expect(text).toContain('[DONE]')
    await expectNothingPaid(response.headers.get('x-request-id'))
  })
})

test('a call that is over cannot be stopped', async () => {
  vendor.play(replies('Yes'))
  const response = await post(false)
  const id = response.headers.get('x-request-id')
  await response.text()
  expect((await admin('POST', `/live/${id}/stop`)).status).toBe(409)
})
