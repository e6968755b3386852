import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { RequestId } from '../../src/domain/ids'
import { addModel, ask, openTestGateway, type TestGateway } from '../support/gateway'
import { readUntil } from '../support/sse'
import {
  chunk,
  openStandIn,
  streamReply,
  usageChunk,
  type SeenRequest,
  type StandIn,
} from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    vendorUrl: vendor.url,
    prepare: (storage) =>
      addModel(storage, 'drawing', ['standin'], {}, [
        { meter: 'input', unit: 'million', price: '0.3' },
        { meter: 'output', unit: 'million', price: '2.5' },
        { meter: 'output_image', unit: 'million', price: '30' },
      ]),
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const drawn = { modalities: ['text', 'image'] }
const images = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,UE5H' } }]
const usage = {
  prompt_tokens: 6,
  completion_tokens: 1299,
  total_tokens: 1305,
  completion_tokens_details: { image_tokens: 1290 },
}
const cost = 6 * 300 + 9 * 2500 + 1290 * 30_000

test('pictures are held for at their own price', async () => {
  const told = await chapar.post(ask('drawing', { ...drawn, max_tokens: 500 }), {
    'x-dry-run': '1',
  })
  const { estimate } = (await told.json()) as {
    estimate: { high: { units: Record<string, number> } }
  }
  expect(estimate.high.units).toMatchObject({ output_image: 500 })
  expect(estimate.high.units).not.toHaveProperty('output')
})

test.each([false, true])('a picture costs what a picture costs, streamed: %p', async (stream) => {
  const said = { role: 'assistant', content: 'Here it is.', images }
  vendor.play(() =>
    stream
      ? streamReply([chunk(said), chunk({}, 'stop'), usageChunk(usage), 'data: [DONE]\n\n'])
      : Response.json({
          id: 'c',
          object: 'chat.completion',
          choices: [{ index: 0, message: said, finish_reason: 'stop' }],
          usage,
        }),
  )
  const before = Number((await chapar.rest()).balance)
  const reply = await chapar.post(ask('drawing', { ...drawn, stream }))
  expect(await reply.text()).toContain('UE5H')
  expect(before - Number((await chapar.rest()).balance)).toBe(cost)
})

/** Usage that counts no output. */
const uncounted = [
  ['nothing', null],
  ['the prompt alone', { prompt_tokens: 6, completion_tokens: 0, total_tokens: 6 }],
  ['zeros', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
] as const

const draws = (said: object, told: object | null) => (seen: SeenRequest) =>
  seen.body['stream'] === true
    ? streamReply([
        chunk(said),
        chunk({}, 'stop'),
        ...(told === null ? [] : [usageChunk(told)]),
        'data: [DONE]\n\n',
      ])
    : Response.json({
        object: 'chat.completion',
        choices: [{ index: 0, message: said, finish_reason: 'stop' }],
        ...(told === null ? {} : { usage: told }),
      })

describe.each(uncounted)('a picture whose vendor counts %s', (_, told) => {
  test.each([
    [false, '', 1, 0],
    [true, '', 1, 0],
    [false, 'Here it is.', 2, 0],
    [true, 'Here it is.', 2, 0],
    [false, 'Here it is.', 1, 2_000_000],
  ])('is estimated, streamed: %p, beside %p', async (stream, content, count, more) => {
    const url = `data:image/png;base64,UE5H${'A'.repeat(more)}`
    const list = Array.from({ length: count }, () => ({ type: 'image_url', image_url: { url } }))
    vendor.play(draws({ role: 'assistant', content, images: list }, told))
    const reply = await chapar.post(ask('drawing', { ...drawn, stream }))
    expect(await reply.text()).toContain('UE5H')
    await chapar.rest()
    const id = reply.headers.get('x-request-id') as RequestId
    const call = await chapar.storage.reports.call(id, null)
    const { input = 0, output = 0, output_image: pictures } = call?.units ?? {}
    expect([pictures, call?.estimated]).toEqual([count * 1290, true])
    expect(output).toBe(content === '' ? 0 : 4)
    if (told?.prompt_tokens === 6) expect(input).toBe(6)
    else expect(input).toBeGreaterThan(3)
    expect(Number(call?.cost)).toBe(input * 300 + output * 2500 + count * 1290 * 30_000)
  })
})

test('output that a vendor counted is its last word', async () => {
  const told = { prompt_tokens: 6, completion_tokens: 9, total_tokens: 15 }
  for (const stream of [false, true]) {
    vendor.play(draws({ role: 'assistant', content: 'Here it is.', images }, told))
    const before = Number((await chapar.rest()).balance)
    await (await chapar.post(ask('drawing', { ...drawn, stream }))).text()
    expect(before - Number((await chapar.rest()).balance)).toBe(6 * 300 + 9 * 2500)
  }
})

test('a picture that a client has before it leaves is charged', async () => {
  vendor.play(() =>
    streamReply([chunk({ role: 'assistant', images }), chunk({ content: 'and so until here' })], {
      hangAfter: 2,
    }),
  )
  const before = Number((await chapar.rest()).balance)
  const leaving = new AbortController()
  const body = ask('drawing', { ...drawn, stream: true })
  await readUntil(await chapar.post(body, {}, leaving.signal), 'until here')
  leaving.abort()
  const { held, slots, balance } = await chapar.rest()
  expect({ held, slots }).toEqual({ held: 0, slots: 0 })
  const spent = before - Number(balance)
  expect(spent).toBeGreaterThanOrEqual(1290 * 30_000)
  expect(spent).toBeLessThan(1290 * 30_000 * 1.1)
})
