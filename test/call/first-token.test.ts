import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { saysMessage } from '../support/anthropic-stand-in'
import { emptyFormats, type EmptyFormat } from '../support/empty-streams'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { isStreaming, saysGemini } from '../support/google-stand-in'
import { addHubVendor } from '../support/hub-vendor'
import { message, responds } from '../support/responses-stand-in'
import {
  openStandIn,
  replies,
  streamReply,
  type Script,
  type SeenRequest,
  type StandIn,
} from '../support/stand-in'

const said = 'Yes from the second'
const deadlineMs = 150

const seconds: Readonly<Record<string, Script>> = {
  chat: replies(said),
  messages: saysMessage(said),
  gemini: saysGemini(said),
  responses: responds([message(said)]),
}

/** What a vendor does once it has announced an answer. */
const failures = {
  'goes silent': ({ announced }: EmptyFormat) =>
    streamReply([...announced, ''], { hangAfter: announced.length }),
  'sends heartbeats': ({ announced }: EmptyFormat) =>
    streamReply([...announced, ...Array.from({ length: 200 }, () => ': hb\n\n')], { delayMs: 10 }),
  closes: ({ announced }: EmptyFormat) => streamReply(announced),
  'breaks off': ({ announced }: EmptyFormat) =>
    streamReply([...announced, ''], { cutAfter: announced.length }),
  'ends without output': ({ announced, end }: EmptyFormat) => streamReply([...announced, ...end]),
} as const
const modes = Object.keys(failures) as (keyof typeof failures)[]

const clients = {
  'chat/completions': { messages: [{ role: 'user', content: 'Hello' }] },
  messages: { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1000 },
  responses: { input: 'Hello' },
} as const
type Client = keyof typeof clients
const names = Object.keys(clients) as Client[]
const formats = Object.keys(emptyFormats)

const each = formats.flatMap((format) =>
  names.flatMap((client) => modes.map((mode) => [format, client, mode] as const)),
)
const idOf = (format: string, client: string, mode: string, kind: string): string =>
  `${format}_${names.indexOf(client as Client)}_${modes.indexOf(mode as (typeof modes)[number])}_${kind}`

let first: StandIn
let other: StandIn
let chapar: TestGateway

const namedIn = ({ body, path }: SeenRequest) => {
  const found = /(\w+)_(\d)_(-?\d)_(\w+)-vendor/.exec(`${String(body['model'])} ${path}`)
  const [, format = '', , mode = '', kind = ''] = found ?? []
  const empty = emptyFormats[format]
  if (empty === undefined) throw new Error('no such format')
  return { format, empty, mode: modes[Number(mode)], kind }
}

const wantsStream = (seen: SeenRequest): boolean =>
  seen.body['stream'] === true || isStreaming(seen)

beforeAll(async () => {
  first = openStandIn((seen) => {
    const { empty, mode, kind } = namedIn(seen)
    if (!wantsStream(seen)) return empty.whole()
    if (kind === 'counted') return streamReply([...empty.announced, ...empty.countedEnd])
    if (mode === undefined) throw new Error('no such mode')
    return failures[mode](empty)
  })
  other = openStandIn(
    (seen, request) => seconds[namedIn(seen).format]?.(seen, request) ?? new Response(),
  )
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const format of formats) {
        const { vendor, traits } = emptyFormats[format] as EmptyFormat
        const ids = names.flatMap((client) => [
          ...modes.flatMap((mode) =>
            ['stream', 'metered', 'alone'].map((kind) => idOf(format, client, mode, kind)),
          ),
          idOf(format, client, '', 'whole'),
          idOf(format, client, '', 'counted'),
        ])
        const models = (alone: boolean) =>
          Object.fromEntries(
            ids.filter((id) => id.endsWith('alone') === alone).map((id) => [id, traits]),
          )
        const backup = `${format}-second`
        await addHubVendor({ ...vendor, url: other.url, name: backup, models: {} })(storage)
        const failing = { ...vendor, url: first.url, timeoutMs: deadlineMs }
        await addHubVendor({ ...failing, name: `${format}-first`, backup, models: models(false) })(
          storage,
        )
        await addHubVendor({ ...failing, name: `${format}-alone`, models: models(true) })(storage)
      }
    },
  })
})
afterAll(async () => {
  expect((await chapar.audit()).differences).toEqual([])
  await chapar.close()
  await first.close()
  await other.close()
})

const post = (client: Client, body: object, key = chapar.key): Promise<Response> =>
  fetch(`${chapar.url}/${client}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...clients[client], ...body }),
  })

/** How often a stream begins. */
const beginnings = (text: string): number =>
  text.match(/"role":"assistant","content":"|event: message_start|event: response\.created/g)
    ?.length ?? 0

/** Charge of a stream or a whole answer. */
const costIn = (text: string): number => Number(/"cost_usd":"([\d.]+)"/.exec(text)?.[1])

describe.each(each)(
  '%s vendor, %s: a route that announces an answer and %s',
  (format, client, mode) => {
    test('is replaced in a stream, which begins once and costs what the second route counted', async () => {
      const response = await post(client, {
        model: idOf(format, client, mode, 'stream'),
        stream: true,
      })
      const text = await response.text()
      expect(response.status).toBe(200)
      expect(text).toContain('Yes')
      expect(text).not.toContain('stream_interrupted')
      expect(beginnings(text)).toBe(1)
      expect(costIn(text)).toBeGreaterThan(0)
      expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
    })

    test('is replaced in a whole answer that is asked for as a stream', async () => {
      const { key } = await chapar.customer({ usd: '0.1' })
      const response = await post(client, { model: idOf(format, client, mode, 'metered') }, key)
      expect(response.status).toBe(200)
      expect(await response.text()).toContain(said)
    })

    test('is an error where it is the only one, and free', async () => {
      const { balance } = await chapar.rest()
      const response = await post(client, {
        model: idOf(format, client, mode, 'alone'),
        stream: true,
      })
      expect(response.status).toBe(502)
      await response.text()
      expect(await chapar.rest()).toEqual({ held: 0, slots: 0, balance })
    })
  },
)

describe.each(formats)('%s vendor', (format) => {
  test.each(names)('/v1/%s: a whole answer without output is none either', async (client) => {
    const response = await post(client, { model: idOf(format, client, '', 'whole') })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(said)
  })

  test.each(names)(
    '/v1/%s: an answer whose output was counted is one, though empty',
    async (client) => {
      const response = await post(client, {
        model: idOf(format, client, '', 'counted'),
        stream: true,
      })
      const text = await response.text()
      expect(response.status).toBe(200)
      expect(text).not.toContain('Yes')
      expect(costIn(text)).toBeGreaterThan(0)
    },
  )
})
