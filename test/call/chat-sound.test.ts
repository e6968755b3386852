import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addModel, ask, openTestGateway, type TestGateway } from '../support/gateway'
import { readUntil } from '../support/sse'
import { chunk, openStandIn, streamReply, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    vendorUrl: vendor.url,
    prepare: (storage) =>
      addModel(storage, 'voiced', ['standin'], {}, [
        { meter: 'input', unit: 'million', price: '2.5' },
        { meter: 'output', unit: 'million', price: '10' },
        { meter: 'input_audio', unit: 'million', price: '32' },
        { meter: 'output_audio', unit: 'million', price: '64' },
      ]),
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const spoken = { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'pcm16' } }
/** A second of it. */
const second = Buffer.alloc(48_000).toString('base64')

test('sound is held for at its own price, in the question and in the answer', async () => {
  const input_audio = { data: 'A'.repeat(4_000_000), format: 'mp3' }
  const messages = [{ role: 'user', content: [{ type: 'input_audio', input_audio }] }]
  const body = ask('voiced', { ...spoken, messages, max_tokens: 500 })
  const told = await chapar.post(body, { 'x-dry-run': '1' })
  const { estimate } = (await told.json()) as {
    estimate: { high: { units: Record<string, number>; usd: string } }
  }
  const { units, usd } = estimate.high
  expect(units).toMatchObject({ output_audio: 500, input_audio: 8250 })
  expect(units['input']).toBeLessThan(200)
  expect(units).not.toHaveProperty('output')
  expect(Number(usd)).toBeGreaterThan((8250 * 32 + 500 * 64) / 1e6)
})

test('what was heard before a client left is charged', async () => {
  vendor.play(() =>
    streamReply(
      [
        chunk({ role: 'assistant', audio: { id: 'audio_1', transcript: 'Hel' } }),
        ...Array.from({ length: 10 }, () => chunk({ audio: { data: second } })),
        chunk({ audio: { transcript: 'until here' } }),
      ],
      { hangAfter: 12 },
    ),
  )
  const before = Number((await chapar.rest()).balance)
  const leaving = new AbortController()
  const body = ask('voiced', { ...spoken, stream: true })
  await readUntil(await chapar.post(body, {}, leaving.signal), 'until here')
  leaving.abort()
  const { held, slots, balance } = await chapar.rest()
  expect({ held, slots }).toEqual({ held: 0, slots: 0 })
  const spent = before - Number(balance)
  // Ten seconds at twenty tokens a second, and little else.
  expect(spent).toBeGreaterThanOrEqual(200 * 64_000)
  expect(spent).toBeLessThan(200 * 64_000 * 1.1)
})
