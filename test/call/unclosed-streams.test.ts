import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { messageEnd, messageStart, textBlock } from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { geminiEvent, geminiReply, isStreaming } from '../support/google-stand-in'
import { addHubVendor, type HubVendor } from '../support/hub-vendor'
import {
  chunk,
  openStandIn,
  streamReply,
  usage,
  usageChunk,
  type SeenRequest,
  type StandIn,
} from '../support/stand-in'

/*
 * Vendors that have said why their answer ended, and then neither end their stream nor close.
 */

const words = 'All of it'

interface Vendor {
  readonly vendor: Pick<HubVendor, 'kind' | 'dialect'>
  readonly events: readonly string[]
}

const chat = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: words }),
  chunk({}, 'stop'),
]
const openai = { kind: 'openai', dialect: 'generic' } as const

const vendors: Readonly<Record<string, Vendor>> = {
  chat: { vendor: openai, events: chat },
  messages: {
    vendor: { kind: 'anthropic' },
    events: [messageStart(), ...textBlock(0, words), ...messageEnd('end_turn').slice(0, 1)],
  },
  gemini: {
    vendor: { kind: 'google' },
    events: [geminiEvent(geminiReply([{ text: words }], 'STOP'))],
  },
}

const clients = {
  'chat/completions': { messages: [{ role: 'user', content: 'Hello' }] },
  messages: { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1000 },
  responses: { input: 'Hello' },
} as const
type Client = keyof typeof clients
const names = Object.keys(clients) as Client[]

const terminators: Readonly<Record<Client, string>> = {
  'chat/completions': 'data: [DONE]',
  messages: 'event: message_stop',
  responses: 'event: response.completed',
}

let standIn: StandIn
let chapar: TestGateway

const hbs = Array.from({ length: 400 }, () => ': hb\n\n')

function eventsFor({ body, path }: SeenRequest): Response {
  const [, name = '', kind = ''] =
    /(\w+)_(\w+)-vendor/.exec(`${String(body['model'])} ${path}`) ?? []
  const { events = [] } = vendors[name] ?? {}
  switch (kind) {
    case 'heartbeats':
      return streamReply([...events, ...hbs], { delayMs: 20 })
    case 'usage':
      return streamReply([...chat, usageChunk(usage), ''], { hangAfter: chat.length + 1 })
    case 'late':
      return streamReply([...chat, ...hbs.slice(0, 20), usageChunk(usage), ...hbs], { delayMs: 10 })
  }
  return streamReply([...events, ''], { hangAfter: events.length })
}

beforeAll(async () => {
  standIn = openStandIn((seen) =>
    seen.body['stream'] === true || isStreaming(seen)
      ? eventsFor(seen)
      : new Response('', { status: 500 }),
  )
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const [name, { vendor }] of Object.entries(vendors))
        await addHubVendor({
          ...vendor,
          name,
          url: standIn.url,
          models: Object.fromEntries(
            ['silent', 'heartbeats', 'usage', 'late'].map((kind) => [`${name}_${kind}`, {}]),
          ),
        })(storage)
    },
  })
})
afterAll(async () => {
  expect((await chapar.audit()).differences).toEqual([])
  await chapar.close()
  await standIn.close()
})

async function post(client: Client, body: object, key = chapar.key) {
  const began = performance.now()
  const response = await fetch(`${chapar.url}/${client}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...clients[client], ...body }),
  })
  const text = await response.text()
  return { text, tookMs: performance.now() - began }
}

const isClosed = async (model: string): Promise<boolean> => {
  const seen = standIn.seen.filter(({ body, path }) =>
    `${String(body['model'])} ${path}`.includes(`${model}-vendor`),
  )
  for (let tries = 0; tries < 200 && seen.some((each) => each.abortedAt === null); tries++)
    await Bun.sleep(10)
  return seen.every(({ abortedAt }) => abortedAt !== null)
}

const unclosed = Object.keys(vendors).flatMap((name) =>
  ['silent', 'heartbeats'].map((kind) => `${name}_${kind}`),
)

describe('a finished answer whose vendor neither ends its stream nor closes', () => {
  // All at once: each takes two seconds.
  test('ends two seconds later, and frees its seat, its money and the connection', async () => {
    const calls = unclosed.flatMap((model) =>
      names.map(async (client) => ({ client, ...(await post(client, { model, stream: true })) })),
    )
    for (const { client, text, tookMs } of await Promise.all(calls)) {
      expect(text).toContain(terminators[client])
      expect(text).toContain('cost_usd')
      expect(text).not.toContain('stream_interrupted')
      expect(tookMs).toBeGreaterThan(1900)
      expect(tookMs).toBeLessThan(3500)
    }
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
    for (const model of unclosed) expect(await isClosed(model)).toBe(true)
  })

  test('ends so where it is put together to a whole answer', async () => {
    const calls = Object.keys(vendors).map(async (name) => {
      const { key } = await chapar.customer({ usd: '0.1' })
      return await post('chat/completions', { model: `${name}_silent` }, key)
    })
    for (const { text, tookMs } of await Promise.all(calls)) {
      expect(text).toContain(words)
      expect(tookMs).toBeLessThan(3500)
    }
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  })

  test.each(names)('/v1/%s: ends at once with its usage', async (client) => {
    const { text, tookMs } = await post(client, { model: 'chat_usage', stream: true })
    expect(text).toContain(terminators[client])
    expect(tookMs).toBeLessThan(1000)
    expect(await isClosed('chat_usage')).toBe(true)
  })

  test.each(names)(
    '/v1/%s: is charged by usage that comes within these seconds',
    async (client) => {
      const { text, tookMs } = await post(client, { model: 'chat_late', stream: true })
      expect(text).toMatch(/"(?:completion|output)_tokens":50/)
      expect(tookMs).toBeLessThan(1900)
    },
  )
})
