import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI, { toFile } from 'openai'
import { readSentForm } from '../../../src/gateway/vendors/sandbox/sent-form'
import { transcriptReply } from '../../../src/gateway/vendors/sandbox/transcripts'
import { recording } from '../../support/audio-gateway'
import { openTestGateway, type TestGateway } from '../../support/gateway'

let chapar: TestGateway
let client: OpenAI
beforeAll(async () => {
  chapar = await openTestGateway()
  client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
})
afterAll(() => chapar.close())

/** A minute of silence that is not the same everywhere. */
const head = recording('pcm16.wav')
const minute = Buffer.concat([
  head.subarray(0, head.indexOf('data') + 4),
  // As one writes who does not know the length yet.
  Buffer.alloc(4),
  Buffer.from(Array.from({ length: 60 * 16_000 }, (_, at) => at % 251)),
])
const fileOf = (bytes: Buffer, name: string) => toFile(bytes, name)
const hear = async (rest: object = {}, bytes = minute) => {
  const file = await fileOf(bytes, 'minute.wav')
  const asked = { file, model: 'sandbox/listen', ...rest }
  return (await client.audio.transcriptions.create(asked)) as unknown
}

describe('the sandbox', () => {
  test('hears a sentence every four seconds, the same ones in the same recording', async () => {
    const first = (await hear({
      response_format: 'verbose_json',
    })) as OpenAI.Audio.TranscriptionVerbose
    expect(first.duration).toBeCloseTo(60, 0)
    expect(first.segments?.length).toBe(15)
    expect(first.language).toBe('english')
    expect(await hear({ response_format: 'verbose_json' })).toMatchObject({ text: first.text })
    const other = Buffer.from(minute)
    other[5000] = 255
    other[9000] = 1
    const heard = new Set([first.text])
    for (let place = 0; place < 4; place++) {
      other[place * 7 + 100] = 77
      heard.add(((await hear({}, other)) as { text: string }).text)
    }
    expect(heard.size).toBeGreaterThan(1)
  })

  test('hears the same however a recording comes in', async () => {
    const form = (size: number) => {
      const text =
        '--b\r\ncontent-disposition: form-data; name="sandbox_seconds"\r\n\r\n9\r\n' +
        '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
      const bytes = Buffer.concat([Buffer.from(text), minute, Buffer.from('\r\n--b--\r\n')])
      let at = 0
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (at >= bytes.length) return controller.close()
          controller.enqueue(new Uint8Array(bytes.subarray(at, (at += size))))
        },
      })
      const headers = { 'content-type': 'multipart/form-data; boundary=b' }
      return readSentForm(new Request('http://sandbox.invalid', { method: 'POST', body, headers }))
    }
    const replies = await Promise.all(
      [7919, 65_536, 2_000_000].map(async (size) => await form(size)),
    )
    expect(new Set(replies.map((heard) => transcriptReply(heard, false))).size).toBe(1)
  })

  test('writes Persian where that is asked for, and English in a translation', async () => {
    expect(await hear({ language: 'fa' })).toMatchObject({
      text: expect.stringMatching(/[آ-ی]/) as unknown,
    })
    const file = await fileOf(minute, 'minute.wav')
    const { text } = await client.audio.translations.create({ file, model: 'sandbox/listen' })
    expect(text).toMatch(/^[A-Za-z ,.]+$/)
  })

  test('has subtitles and streams', async () => {
    expect(await hear({ response_format: 'srt' })).toMatch(/^1\n00:00:00,000 --> 00:00:04,000\n/)
    expect(await hear({ response_format: 'vtt' })).toMatch(/^WEBVTT\n\n00:00:00\.000 --> /)
    const stream = await client.audio.transcriptions.create({
      file: await fileOf(minute, 'minute.wav'),
      model: 'sandbox/listen',
      stream: true,
    })
    const types: string[] = []
    for await (const event of stream) types.push(event.type)
    expect(types.length).toBeGreaterThan(5)
    expect(types.at(-1)).toBe('transcript.text.done')
  })

  test('costs nothing, and its twin what the seconds cost', async () => {
    const cost = async (model: string) => {
      const file = await fileOf(minute, 'minute.wav')
      const { response } = await client.audio.transcriptions.create({ file, model }).withResponse()
      return response.headers.get('x-cost-usd')
    }
    expect(await cost('sandbox/listen')).toBe('0.000000')
    expect(await cost('sandbox/listen-priced')).toBe('0.006000')
  })

  test.each([
    ['upstream_rejected', 400],
    ['upstream_rate_limited', 429],
    ['upstream_capacity_full', 429],
    ['upstream_error', 502],
    ['upstream_unreachable', 502],
    ['model_temporarily_unavailable', 503],
  ])('fails by name: %s', async (code, status) => {
    const outcome = await hear({ model: `sandbox/listen-error-${code}` }).catch(
      (thrown: unknown) => thrown,
    )
    expect(outcome).toMatchObject({ status, code })
  })
})
