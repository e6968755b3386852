import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import OpenAI from 'openai'
import type { PriceLine } from '../../../src/domain/model'
import { fieldsOf, type Fields } from '../../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../../support/gateway'
import { openStandIn, streamReply, type StandIn } from '../../support/stand-in'
import { addTypedVendor } from '../../support/typed-vendor'

const byToken: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '5' },
  { meter: 'output_image', unit: 'million', price: '40' },
]
const byPicture: readonly PriceLine[] = [{ meter: 'image', unit: 'each', price: '0.04' }]

let vendor: StandIn
let chapar: TestGateway
let client: OpenAI
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      const add = (
        id: string,
        dialect: string,
        lines: readonly PriceLine[],
        kind: 'openai' | 'google' = 'openai',
      ) =>
        addTypedVendor(storage, {
          name: id,
          kind,
          dialect,
          url: vendor.url,
          model: { id, type: 'image', vendorModel: 'paint-1', lines },
        })
      await add('by-token', 'openai', byToken)
      await add('by-picture', 'generic', byPicture)
      await add('with-partials', 'generic', [
        ...byPicture,
        { meter: 'image:partial', unit: 'each', price: '0.003' },
      ])
      await add('of-xai', 'xai', byPicture)
      await add('of-together', 'together', byPicture)
      await add('of-google', 'generic', byPicture, 'google')
    },
  })
  client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const picture = (text: string) => Buffer.from(text).toString('base64')
const look = {
  created_at: 1_760_000_000,
  size: '1024x1024',
  quality: 'low',
  background: 'opaque',
  output_format: 'png',
}
const told = {
  input_tokens: 10,
  input_tokens_details: { text_tokens: 10, image_tokens: 0 },
  output_tokens: 472,
  total_tokens: 482,
}
const line = (type: string, rest: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...look, ...rest })}\n\n`
const partial = (index: number) =>
  line('image_generation.partial_image', {
    b64_json: picture(`draft ${index}`),
    partial_image_index: index,
  })
const completed = (usage: object | null = told) =>
  line('image_generation.completed', {
    b64_json: picture('done'),
    model: 'paint-1-2026',
    ...(usage === null ? {} : { usage }),
  })

const generate = (members: object = {}) =>
  client.images.generate({
    model: 'by-token',
    prompt: 'an apple',
    size: '1024x1024',
    quality: 'low',
    ...members,
    stream: true,
  })
const eventsOf = async (members: object = {}): Promise<Fields[]> => {
  const events: Fields[] = []
  for await (const event of await generate(members)) events.push(fieldsOf(event))
  return events
}
const send = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${chapar.url}/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, ...headers },
    body: JSON.stringify({ prompt: 'an apple', stream: true, ...body }),
  })
const failureOf = (work: PromiseLike<unknown>): PromiseLike<unknown> =>
  work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
/** In nano-dollars. */
const spent = async (work: () => Promise<unknown>): Promise<number> => {
  const before = (await chapar.rest()).balance
  await work()
  const after = (await chapar.rest()).balance
  return Number(before) - Number(after)
}

test('the official client sees a picture grow, and pays what the vendor counted', async () => {
  vendor.play(() => streamReply([partial(0), partial(1), completed()], { bytesAtATime: 100 }))
  const events = await eventsOf({ partial_images: 2, user: 'me' })
  expect(events.map(({ type, b64_json }) => [type, b64_json])).toEqual([
    ['image_generation.partial_image', picture('draft 0')],
    ['image_generation.partial_image', picture('draft 1')],
    ['image_generation.completed', picture('done')],
  ])
  expect(events[2]).toMatchObject({ ...look, usage: told, cost_usd: '0.018930' })
  expect(events[2]).not.toHaveProperty('model')
  const { body } = vendor.seen.at(-1) ?? {}
  expect(body).toMatchObject({ stream: true, partial_images: 2, model: 'paint-1' })
  expect(fieldsOf(body)['user']).not.toBe('me')
  expect((await chapar.audit()).differences).toEqual([])
})

test('a picture of some megabytes passes whole', async () => {
  const large = 'A'.repeat(6_000_000)
  vendor.play(() =>
    streamReply([partial(0), line('image_generation.completed', { b64_json: large, usage: told })]),
  )
  const events = await eventsOf({ partial_images: 1 })
  expect(events.at(-1)?.['b64_json'] === large).toBe(true)
})

test('partial pictures are held for as the vendor bills them, and are charged where they are sold', async () => {
  const held = async (members: object) => {
    const answer = await send(
      { size: '1024x1024', quality: 'low', ...members },
      { 'x-dry-run': '1' },
    )
    return fieldsOf(fieldsOf(fieldsOf(fieldsOf(await answer.json())['estimate'])['high'])['units'])
  }
  expect((await held({ model: 'by-token' }))['output_image']).toBe(272)
  expect((await held({ model: 'by-token', partial_images: 3 }))['output_image']).toBe(572)
  expect(await held({ model: 'with-partials', partial_images: 3 })).toMatchObject({
    'image:partial': 3,
  })
  vendor.play(() => streamReply([partial(0), completed(null)]))
  const events = await eventsOf({ model: 'with-partials', partial_images: 3 })
  expect(events.at(-1)?.['cost_usd']).toBe('0.043000')
})

test('a stream that is cut costs the prompt and what was shown', async () => {
  vendor.play(() => streamReply([partial(0), partial(1)]))
  const cost = await spent(async () => {
    expect(await failureOf(eventsOf({ partial_images: 2 }))).toBeInstanceOf(OpenAI.APIError)
  })
  // Two words are two tokens of 5, two pictures a hundred of 40 each.
  expect(cost).toBe(8_010_000)
  vendor.play(() => streamReply([partial(0), partial(1)]))
  const sold = await spent(async () => {
    const asked = { model: 'with-partials', partial_images: 2 }
    expect(await failureOf(eventsOf(asked))).toBeInstanceOf(OpenAI.APIError)
  })
  expect(sold).toBe(6_000_000)
})

test.each([0, -4, Number.MAX_SAFE_INTEGER])(
  'a picture whose vendor counts %p tokens is counted by us, and says so',
  async (count) => {
    const usage = { ...told, output_tokens: count, total_tokens: count }
    const tokens = { input_tokens: 10, output_tokens: 272, total_tokens: 282 }
    vendor.play(() => streamReply([completed(usage)]))
    const last = (await eventsOf()).at(-1)
    expect(last).toMatchObject({ cost_usd: '0.010930', usage: tokens })
    vendor.play(() => Response.json({ created: 1, data: [{ b64_json: picture('done') }], usage }))
    const whole = await client.images.generate({
      model: 'by-token',
      prompt: 'an apple',
      size: '1024x1024',
      quality: 'low',
    })
    expect(whole.usage).toMatchObject(tokens)
  },
)

test('a picture that is counted beyond all that it can come to tells what is charged', async () => {
  const usage = { ...told, output_tokens: 900_000_000, total_tokens: 900_000_010 }
  vendor.play(() => streamReply([completed(usage)]))
  const last = fieldsOf((await eventsOf()).at(-1))
  const { output_tokens: charged } = fieldsOf(last['usage'])
  expect(charged).toBeLessThan(10_000)
  expect(Number(last['cost_usd'])).toBeCloseTo((10 * 5 + Number(charged) * 40) / 1e6, 6)
})

test('partial pictures that nobody asked for are a gift', async () => {
  vendor.play(() => streamReply([partial(0), partial(1), completed(null)]))
  const events = await eventsOf({ model: 'by-picture' })
  expect(events).toHaveLength(3)
  expect(events.at(-1)?.['cost_usd']).toBe('0.040000')
})

test('a vendor that fails before the first picture costs nothing, and says why', async () => {
  const failure = { type: 'error', error: { message: 'not this', code: 'moderation_blocked' } }
  vendor.play(() => streamReply([`event: error\ndata: ${JSON.stringify(failure)}\n\n`]))
  const cost = await spent(async () => {
    const answer = await send({ model: 'by-token' })
    expect(answer.status).toBeGreaterThanOrEqual(400)
  })
  expect(cost).toBe(0)
})

test('a vendor that knows of no streams answers with one event', async () => {
  vendor.play(() => Response.json({ created: 1, data: [{ b64_json: picture('done') }] }))
  const [only, ...more] = await eventsOf({ model: 'by-picture' })
  expect(only).toMatchObject({
    type: 'image_generation.completed',
    b64_json: picture('done'),
    cost_usd: '0.040000',
    size: '1024x1024',
  })
  expect(more).toEqual([])
  const { parts } = chapar.gateway
  const fetched = spyOn(parts, 'fetchPicture').mockResolvedValue({
    mediaType: 'image/png',
    data: picture('fetched'),
    bytes: 7,
  })
  vendor.play(() => Response.json({ data: [{ url: 'https://pictures.example/1.png' }] }))
  const [named] = await eventsOf({ model: 'by-picture' })
  expect(named?.['b64_json']).toBe(picture('fetched'))
  fetched.mockRestore()
})

test.each([
  [{ model: 'of-xai' }, 'stream'],
  [{ model: 'of-together' }, 'stream'],
  [{ model: 'of-google' }, 'stream'],
  [{ model: 'by-token', n: 2 }, 'n'],
  [{ model: 'by-token', partial_images: 4 }, 'partial_images'],
  [{ model: 'by-picture', partial_images: 1 }, 'partial_images'],
])('%j is refused before anybody is asked', async (members, param) => {
  const count = vendor.seen.length
  const answer = await send(members)
  expect(answer.status).toBe(400)
  expect(fieldsOf(await answer.json())).toMatchObject({ error: { param } })
  expect(vendor.seen).toHaveLength(count)
})

test('the sandbox draws from above, as often as it is asked to', async () => {
  const events = await eventsOf({
    model: 'sandbox/draw-priced',
    quality: 'high',
    size: '256x256',
    partial_images: 2,
  })
  expect(events.map(({ type, partial_image_index: at }) => [type, at])).toEqual([
    ['image_generation.partial_image', 0],
    ['image_generation.partial_image', 1],
    ['image_generation.completed', undefined],
  ])
  const files = events.map(({ b64_json: file }) => Buffer.from(String(file), 'base64'))
  expect(new Set(files.map((file) => file.toString('hex'))).size).toBe(3)
  for (const file of files) expect(file.subarray(1, 4).toString()).toBe('PNG')
  expect(events[2]?.['cost_usd']).toBe('0.090000')
  const whole = await client.images.generate({
    model: 'sandbox/draw-priced',
    prompt: 'an apple',
    quality: 'high',
    size: '256x256',
  })
  expect(whole.data?.[0]?.b64_json).toBe(String(events[2]?.['b64_json']))
})

test('pictures to be edited do not exist here, and the official client is told so', async () => {
  const image = new File(['x'], 'a.png', { type: 'image/png' })
  const edit = client.images.edit({ model: 'by-token', prompt: 'x', image, stream: true })
  expect(await failureOf(edit)).toMatchObject({ status: 404, code: 'unknown_url' })
})
