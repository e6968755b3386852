import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { systemMonotonic, type Ticks } from '../../src/domain/clock'
import { fieldsOf } from '../../src/gateway/json/fields'
import { addModel, addVendor, openTestGateway, type TestGateway } from '../support/gateway'
import {
  chunk,
  failure,
  openaiStream,
  openStandIn,
  replies,
  streamReply,
  type Script,
  type StandIn,
} from '../support/stand-in'

/*
 * Streams whose vendors say nothing for so long that proxies would cut them. Time jumps where fifteen seconds
 * pass.
 */

let passedMs = 0
let first: StandIn
let second: StandIn
let chapar: TestGateway

let models = 0
const nextModel = (): string => `model-${models++}`

beforeAll(async () => {
  first = openStandIn()
  second = openStandIn()
  chapar = await openTestGateway({
    monotonic: { ticks: () => (systemMonotonic.ticks() + passedMs) as Ticks },
    async prepare(storage) {
      // Routes and vendors that failed are put off: each call has its own.
      for (let at = 0; at < 24; at++) {
        const vendors = [`first-${at}`, `second-${at}`]
        await addVendor(storage, `first-${at}`, first.url, 60_000)
        await addVendor(storage, `second-${at}`, second.url, 60_000)
        await addModel(storage, `model-${at}`, vendors)
      }
    },
  })
})
afterAll(async () => {
  expect((await chapar.audit()).differences).toEqual([])
  await chapar.close()
  await first.close()
  await second.close()
})
beforeEach(() => second.play(replies('Yes from the second')))

const clients = {
  'chat/completions': { messages: [{ role: 'user', content: 'Hello' }] },
  messages: { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1000 },
  responses: { input: 'Hello' },
  completions: { prompt: 'Hello' },
} as const
type Client = keyof typeof clients
const names = Object.keys(clients) as Client[]
const signs: Readonly<Record<Client, string>> = {
  'chat/completions': ': keep-alive\n\n',
  messages: 'event: ping\ndata: {"type":"ping"}\n\n',
  responses: ': keep-alive\n\n',
  completions: ': keep-alive\n\n',
}

const post = (client: Client, signal?: AbortSignal): Promise<Response> =>
  fetch(`${chapar.url}/${client}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: nextModel(), stream: true, ...clients[client] }),
    ...(signal === undefined ? {} : { signal }),
  })

/** A vendor that announces an answer, and goes on as the script does once it is let go. */
function held(script: Script) {
  const gate = Promise.withResolvers<void>()
  const come = Promise.withResolvers<void>()
  const play: Script = async (seen, request) => {
    come.resolve()
    await gate.promise
    return await script(seen, request)
  }
  first.play(play)
  return { letGo: gate.resolve, come: come.promise }
}

/** A stream that was opened before its answer. */
async function opened(client: Client, script: Script, signal?: AbortSignal) {
  const { letGo, come } = held(script)
  const answering = post(client, signal)
  await come
  passedMs += 16_000
  const response = await answering
  return { response, letGo }
}

const recordOf = async (response: Response): Promise<Record<string, unknown>> => {
  await chapar.rest()
  const id = String(response.headers.get('x-request-id'))
  const headers = { authorization: `Bearer ${chapar.key}` }
  return fieldsOf(await (await fetch(`${chapar.url}/requests/${id}`, { headers })).json())
}

describe.each(names)('/v1/%s: a stream without an answer after fifteen seconds', (client) => {
  test('has its headers and a sign of life, and then the answer', async () => {
    const { response, letGo } = await opened(client, replies('Late but there'))
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toStartWith('text/event-stream')
    expect(response.headers.get('x-request-id')).toStartWith('req_')
    expect(response.headers.has('x-ratelimit-limit')).toBe(true)
    letGo()
    const text = await response.text()
    expect(text).toStartWith(signs[client])
    expect(text).toContain('Late')
    expect(text).toContain('cost_usd')
    expect(await recordOf(response)).toMatchObject({ status: 'success' })
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  })

  test('goes on to the next route', async () => {
    const { response, letGo } = await opened(client, () =>
      streamReply([chunk({ role: 'assistant' })]),
    )
    letGo()
    const text = await response.text()
    expect(text).toStartWith(signs[client])
    expect(text).toContain('Yes')
    expect(text).not.toContain('upstream_error')
    expect(await recordOf(response)).toMatchObject({ status: 'success' })
  })

  test('ends with an error that costs nothing, where no route answers', async () => {
    second.play(failure(500, { message: 'down' }))
    const { balance } = await chapar.rest()
    const { response, letGo } = await opened(client, failure(500, { message: 'down' }))
    letGo()
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toStartWith(signs[client])
    expect(text).toContain('upstream_error')
    expect(await recordOf(response)).toMatchObject({
      status: 'error',
      error: { code: 'upstream_error' },
    })
    expect(await chapar.rest()).toEqual({ held: 0, slots: 0, balance })
  })

  test('gives its vendor up when its client leaves', async () => {
    const { balance } = await chapar.rest()
    const leaving = new AbortController()
    const { response } = await opened(client, replies('Never'), leaving.signal)
    const reader = response.body?.getReader()
    await reader?.read()
    leaving.abort()
    expect(await chapar.rest()).toEqual({ held: 0, slots: 0, balance })
    // Checks of the vendor come in between: the clock was moved.
    const abortedAt = () =>
      first.seen.findLast(({ path }) => path.endsWith('/completions'))?.abortedAt
    for (let tries = 0; tries < 100 && abortedAt() === null; tries++) await Bun.sleep(10)
    expect(abortedAt()).toBeNumber()
  })

  test('is told that it was stopped, and its vendor’s late answer goes nowhere', async () => {
    const { balance } = await chapar.rest()
    const { response, letGo } = await opened(client, () => streamReply(openaiStream('Never')))
    const id = String(response.headers.get('x-request-id'))
    expect(chapar.gateway.parts.streams.stop(id as never)).toBe(true)
    const text = await response.text()
    letGo()
    expect(text).toContain('stream_interrupted')
    expect(await recordOf(response)).toMatchObject({ status: 'error' })
    expect(await chapar.rest()).toEqual({ held: 0, slots: 0, balance })
  })
})

test('a stream that is answered sooner has no sign of life before its answer', async () => {
  first.play(replies('At once'))
  const response = await post('chat/completions')
  expect(await response.text()).toStartWith('data: {"id"')
})
