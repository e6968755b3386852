import { afterEach, describe, expect, test } from 'bun:test'
import type { ModelType, PriceLine } from '../../src/domain/model'
import { transports, type Transport } from '../../src/domain/fields/vendor-fields'
import { addVendor, openTestGateway, type TestGateway } from '../support/gateway'
import { openRawVendor, type RawEnd, type RawReply, type RawVendor } from '../support/raw-vendor'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

interface Ordered {
  readonly path: string
  readonly type: ModelType
  readonly lines: readonly PriceLine[]
  readonly body: object
  /** What the vendor that works answers. */
  readonly reply: object
}

const each = (meter: 'video_second' | 'image' | 'request', price: string): readonly PriceLine[] => [
  { meter, unit: 'each', price },
]
const picture = Buffer.from('no real picture').toString('base64')
const orders: Readonly<Record<string, Ordered>> = {
  video: {
    path: '/videos',
    type: 'video',
    lines: each('video_second', '0.1'),
    body: { prompt: 'sea' },
    reply: { id: 'video_1', object: 'video', status: 'queued', progress: 0 },
  },
  pictures: {
    path: '/images/generations',
    type: 'image',
    lines: each('image', '0.1'),
    body: { prompt: 'sea' },
    reply: { created: 1, data: [{ b64_json: picture }] },
  },
}
const chat: Ordered = {
  path: '/chat/completions',
  type: 'chat',
  lines: [
    { meter: 'input', unit: 'million', price: '1' },
    { meter: 'output', unit: 'million', price: '1' },
  ],
  body: { messages: [{ role: 'user', content: 'hello' }] },
  reply: {
    id: 'c',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
}

const http = (status: string, body: string): RawReply => [
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
]

interface Ways {
  readonly chapar: TestGateway
  readonly first: RawVendor
  readonly second: RawVendor
}

/** A model with two routes, of which the first vendor fails in this way. */
async function openWays(
  ordered: Ordered,
  reply: RawReply,
  end: RawEnd,
  transport: Transport = 'own',
): Promise<Ways> {
  const first = await openRawVendor(reply, end)
  const second = await openRawVendor(http('200 OK', JSON.stringify(ordered.reply)), 'fin')
  const chapar = await openTestGateway({
    async prepare(storage) {
      await addVendor(storage, 'first', first.url, 500)
      await addVendor(storage, 'second', second.url)
      for (const vendor of await storage.catalogue.vendors())
        await storage.catalogue.saveVendor({ ...vendor, transport })
      await storage.catalogue.saveModel(
        {
          id: 'made',
          type: ordered.type,
          name: 'made',
          ownedBy: 'first',
          description: null,
          contextLength: 8000,
          maxOutputTokens: 100,
          capabilities: { streaming: true },
          traits: {},
          isFree: false,
          status: 'active',
          routes: ['first', 'second'].map((vendor, priority) => ({
            vendor,
            vendorModel: 'maker',
            priority,
            weight: 1,
          })),
        },
        ordered.lines,
      )
    },
  })
  closing.push(first.close, second.close, () => chapar.close())
  return { chapar, first, second }
}

const send = ({ chapar }: Ways, { path, body }: Ordered) =>
  fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'made', ...body }),
  })

const unknownFates: readonly (readonly [string, RawReply, RawEnd])[] = [
  ['closes without a word', [], 'fin'],
  ['resets the connection', [], 'reset'],
  ['says nothing in time', [], 'open'],
  ['breaks off in its answer', ['HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":'], 'reset'],
  ['answers with what is no answer', http('200 OK', 'made!'), 'fin'],
]

const carried = Object.entries(orders).flatMap(([kind, ordered]) =>
  transports.map((transport) => [kind, transport, ordered] as const),
)

describe.each(carried)('an order of %s, carried by %s,', (_, transport, ordered) => {
  test.each(unknownFates)('whose vendor %s goes to no other', async (_how, reply, end) => {
    const ways = await openWays(ordered, reply, end, transport)
    const answer = await send(ways, ordered)
    expect(answer.status).toBe(502)
    // Official clients would order it once more.
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect([ways.first.hits, ways.second.hits]).toEqual([1, 0])
    expect(await ways.chapar.rest()).toMatchObject({ held: 0, balance: '100000000000' })
  })

  test('that its vendor refuses goes to the next', async () => {
    const ways = await openWays(ordered, http('503 Busy', '{}'), 'fin', transport)
    expect((await send(ways, ordered)).status).toBe(200)
    expect([ways.first.hits, ways.second.hits]).toEqual([1, 1])
  })

  test('whose vendor cannot be reached goes to the next', async () => {
    const ways = await openWays(ordered, [], 'fin', transport)
    await ways.first.close()
    expect((await send(ways, ordered)).status).toBe(200)
    expect([ways.first.hits, ways.second.hits]).toEqual([0, 1])
  })
})

test.each(unknownFates)('a chat call whose vendor %s goes to the next', async (_, reply, end) => {
  const ways = await openWays(chat, reply, end)
  const answer = await send(ways, chat)
  expect(answer.status).toBe(200)
  expect([ways.first.hits, ways.second.hits]).toEqual([1, 1])
})
