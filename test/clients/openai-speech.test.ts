import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Newest from 'openai'
import Older from 'openai-6'
import { audioFormats } from '../../src/gateway/media/audio-format'
import { openPlayingTime } from '../../src/gateway/media/playing-time'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { piecesOf } from '../support/voices'

let chapar: TestGateway
beforeAll(async () => void (chapar = await openTestGateway()))
afterAll(() => chapar.close())

// What we use of it has not changed between the two.
const majors: readonly (readonly [string, typeof Newest])[] = [
  ['newest', Newest],
  ['one before', Older as unknown as typeof Newest],
]

describe.each(majors)('the official client, %s major', (_, OpenAI) => {
  let client: Newest
  beforeAll(() => {
    client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
  })
  const asked = { model: 'sandbox/speak-priced', voice: 'alloy', input: 'سلام دنیا' } as const

  test.each([...audioFormats])('hears %s', async (format) => {
    const response = await client.audio.speech.create({ ...asked, response_format: format })
    const playing = openPlayingTime(format)
    const bytes = new Uint8Array(await response.arrayBuffer())
    playing.take(bytes)
    expect(bytes.byteLength).toBeGreaterThan(1000)
    if (format !== 'flac') expect(playing.seconds()).toBeGreaterThan(0.5)
    expect(response.headers.get('x-cost-usd')).toBe('0.000135')
  })

  test('hears a slow voice piece by piece, before it is done', async () => {
    const began = performance.now()
    const response = await client.audio.speech.create({
      ...asked,
      model: 'sandbox/speak-slow',
      input: 'one two three four five',
    })
    const heard: { bytes: number; at: number }[] = []
    for await (const { byteLength: bytes } of piecesOf(response))
      heard.push({ bytes, at: performance.now() - began })
    expect(heard.length).toBeGreaterThan(3)
    expect((heard.at(-1)?.at ?? 0) - (heard[0]?.at ?? 0)).toBeGreaterThan(200)
  })

  test('meets a voice that breaks off as a broken connection', async () => {
    const response = await client.audio.speech.create({
      ...asked,
      model: 'sandbox/speak-error-stream_interrupted-priced',
    })
    const broken: unknown = await response.arrayBuffer().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(broken).toBeInstanceOf(Error)
    expect((await chapar.audit()).differences).toEqual([])
  })

  test.each([
    ['upstream_rejected', 400],
    ['upstream_rate_limited', 429],
    ['upstream_capacity_full', 429],
    ['upstream_error', 502],
    ['upstream_unreachable', 502],
    ['model_temporarily_unavailable', 503],
  ])('meets %s as an error of its own, from a voice and a composer', async (code, status) => {
    const failed: unknown[] = []
    const keep = (thrown: unknown) => void failed.push(thrown)
    await client.audio.speech
      .create({ ...asked, model: `sandbox/speak-error-${code}` })
      .then(keep, keep)
    await client
      .post('/audio/music', { body: { model: `sandbox/compose-error-${code}`, prompt: 'x' } })
      .then(keep, keep)
    expect(failed).toMatchObject([
      { status, code },
      { status, code },
    ])
  })
})
