import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { operatorKey } from '../console/operator-visitor'
import { openTestGateway, type TestGateway } from '../support/gateway'

let gateway: TestGateway
let viewer = ''
let staff = ''

/** Says one word of a stream, and nothing more. */
const vendor = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () =>
    new Response(
      new ReadableStream<Uint8Array>({
        start(controller) {
          const delta = { role: 'assistant', content: 'hello there' }
          const chunk = { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] }
          controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`))
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    ),
})

beforeAll(async () => {
  gateway = await openTestGateway({ vendorUrl: vendor.url.href })
  viewer = await operatorKey(gateway, 'viewer')
  staff = await operatorKey(gateway, 'staff')
})
afterAll(async () => {
  await gateway.close()
  await vendor.stop(true)
})

/** @throws Error for an answer without a body */
function readerOf({ body }: Response) {
  if (body === null) throw new Error('no stream')
  return (body as ReadableStream<Uint8Array>).getReader()
}

const ask = async (method: string, path: string, key = viewer) =>
  await fetch(`${new URL(gateway.url).origin}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
  })

interface Shown {
  readonly id: string
  readonly status: string
  readonly model: string | null
  readonly error: string | null
  readonly usd: string | null
  readonly stoppable: boolean
  readonly attempts: readonly { vendor: string; began_ms: number; over_ms: number }[]
}

const live = async (query = ''): Promise<readonly Shown[]> =>
  ((await (await ask('GET', `/live${query}`)).json()) as { data: Shown[] }).data

const streamed = () =>
  gateway.post({
    model: 'priced',
    stream: true,
    messages: [{ role: 'user', content: 'hello' }],
  })

describe('calls as they go by', () => {
  test('shows one that is over with its attempts and what it was charged', async () => {
    const answer = await gateway.post({
      model: 'sandbox/echo',
      messages: [{ role: 'user', content: 'hello' }],
    })
    await answer.text()
    const id = answer.headers.get('x-request-id')
    const found = (await live()).find((call) => call.id === id)
    expect(found).toMatchObject({ status: 'success', model: 'sandbox/echo', stoppable: false })
    expect(found?.attempts).toHaveLength(1)
    expect(found?.attempts[0]?.over_ms).toBeGreaterThanOrEqual(found?.attempts[0]?.began_ms ?? 0)
  })

  test('shows refused ones by their code, and filters by it', async () => {
    const refused = await gateway.post({
      model: 'nobody/sells-this',
      messages: [{ role: 'user', content: 'hello' }],
    })
    const { error } = (await refused.json()) as { error: { code: string } }
    const found = await live(`?status=refused&code=${error.code}`)
    expect(found.map(({ id }) => id)).toContain(refused.headers.get('x-request-id') ?? '')
    expect(found.every((call) => call.error === error.code && call.usd === null)).toBe(true)
    expect(await live('?vendor=nobody')).toEqual([])
  })

  test('refuses a filter that is none', async () => {
    expect((await ask('GET', '/live?status=sleeping')).status).toBe(400)
    expect((await ask('GET', '/live/events?status=sleeping')).status).toBe(400)
    expect((await ask('GET', '/live/events', 'op-v1-none')).status).toBe(401)
  })

  test('tells a follower of changes as server-sent events', async () => {
    const events = await ask('GET', '/live/events?status=refused')
    expect(events.headers.get('content-type')).toStartWith('text/event-stream')
    const reader = readerOf(events)
    await reader.read()
    const refused = await gateway.post({ model: 'nobody/sells-that', messages: [] })
    const decoder = new TextDecoder()
    let text = ''
    while (!text.includes('event: calls')) text += decoder.decode((await reader.read()).value)
    const { data, dropped } = JSON.parse(/data: (.*)/.exec(text)?.[1] ?? '') as {
      data: Shown[]
      dropped: number
    }
    expect(dropped).toBe(0)
    expect(data.map(({ id }) => id)).toContain(refused.headers.get('x-request-id') ?? '')
    await reader.cancel()
  })
})

describe('an operator who stops a stream', () => {
  test('ends it in order: the client is told, what was sent is charged, the trail has it', async () => {
    const answer = await streamed()
    const reader = readerOf(answer)
    await reader.read()
    const id = answer.headers.get('x-request-id') ?? ''
    const running = (await live('?status=running')).find((call) => call.id === id)
    expect(running).toMatchObject({ stoppable: true })
    expect((await ask('POST', `/live/${id}/stop`, viewer)).status).toBe(403)
    expect((await ask('POST', `/live/${id}/stop`, staff)).status).toBe(200)
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value)
    }
    expect(text).toContain('stream_interrupted')
    expect(text).toContain('[DONE]')
    const [line] = await gateway.storage.trail.list({
      subject: `request:${id}`,
      before: null,
      max: 1,
    })
    expect(line?.what).toBe('request.stop')
    const over = (await live()).find((call) => call.id === id)
    expect(over).toMatchObject({ status: 'error', error: 'stream_interrupted', stoppable: false })
    expect(Number(over?.usd)).toBeGreaterThan(0)
    expect((await gateway.rest()).held).toBe(0)
    expect((await gateway.audit()).ok).toBe(true)
    const again = await ask('POST', `/live/${id}/stop`, staff)
    expect([
      again.status,
      ((await again.json()) as { error: { code: string } }).error.code,
    ]).toEqual([409, 'call_not_stoppable'])
  })
})

describe('the overview', () => {
  test('sums what was called, what failed and what came in, and says what needs a hand', async () => {
    await gateway.rest()
    const overview = (await (await ask('GET', '/overview')).json()) as {
      today: { now: Record<string, unknown>; before: Record<string, unknown> }
      month: { now: Record<string, unknown> }
      running_calls: number
      held_usd: string
      attention: unknown[]
    }
    const { today, month } = overview
    expect(today.now).toMatchObject({
      calls: 2,
      errors: 1,
      active_accounts: 1,
      money_in_usd: '100.000000',
    })
    expect(Number(today.now['sales_usd'])).toBeGreaterThan(0)
    expect(month.now).toEqual(today.now)
    expect(today.before).toMatchObject({ calls: 0, errors: 0, money_in_usd: '0.000000' })
    expect([overview.running_calls, overview.held_usd]).toEqual([0, '0.000000'])
    expect(overview.attention).toEqual([])
  })
})

test('videos and realtime sessions are lists, empty where there are none', async () => {
  expect(await (await ask('GET', '/videos')).json()).toEqual({ data: [], next: null })
  expect(await (await ask('GET', '/realtime-sessions')).json()).toEqual({ data: [] })
})
