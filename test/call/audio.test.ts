import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI, { toFile } from 'openai'
import type { Capabilities, PriceLine, Traits } from '../../src/domain/model'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openListener, type Listener } from '../support/listener'
import * as recorded from '../support/recorded/audio'

const recording = (name: string) => readFileSync(join(import.meta.dir, '../media/recordings', name))
/** 3.135 seconds. */
const mp3 = recording('cbr.mp3')

const bySecond: readonly PriceLine[] = [{ meter: 'audio_second', unit: 'minute', price: '0.006' }]
const byToken: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '2.5' },
  { meter: 'input_audio', unit: 'million', price: '6' },
  { meter: 'output', unit: 'million', price: '10' },
]

interface Sold {
  readonly id: string
  readonly kind?: string
  readonly lines?: readonly PriceLine[]
  readonly capabilities?: Capabilities
  readonly traits?: Traits
  readonly vendors?: readonly string[]
}

const allForms = ['json', 'text', 'srt', 'vtt', 'verbose_json']
const sold: readonly Sold[] = [
  { id: 'whisper', capabilities: { formats: allForms, translation: true } },
  { id: 'unknown-forms' },
  { id: 'tokens', lines: byToken, capabilities: { formats: ['json'], translation: false } },
  {
    id: 'diarize',
    capabilities: { formats: ['json', 'text', 'diarized_json'] },
  },
  { id: 'gemini', kind: 'google', lines: byToken, traits: { audioTokensPerSecond: 32 } },
  { id: 'claude', kind: 'anthropic' },
  { id: 'two-ways', vendors: ['dead', 'openai'], capabilities: { formats: allForms } },
]

let vendor: Listener
let chapar: TestGateway
let client: OpenAI
beforeAll(() => {
  vendor = openListener(() => new Response('not told what to say', { status: 500 }))
  chapar = openTestGateway({
    prepare({ catalogue }) {
      const base = {
        credential: 'sk-vendor-secret',
        timeoutMs: 10_000,
        marginPercent: '0',
        active: true,
        source: 'command',
      } as const
      for (const kind of ['openai', 'google', 'anthropic'])
        catalogue.saveVendor({ ...base, name: kind, kind, dialect: kind, baseUrl: vendor.url })
      const away = { name: 'dead', kind: 'openai', dialect: 'openai' }
      catalogue.saveVendor({ ...base, ...away, baseUrl: 'http://127.0.0.1:1/v1' })
      for (const { id, kind = 'openai', lines, capabilities, traits, vendors } of sold)
        catalogue.saveModel(
          {
            id,
            type: 'audio_stt',
            name: id,
            ownedBy: kind,
            description: null,
            contextLength: null,
            maxOutputTokens: null,
            capabilities: capabilities ?? {},
            traits: traits ?? {},
            isFree: false,
            status: 'active',
            routes: (vendors ?? [kind]).map((each, priority) => ({
              vendor: each,
              vendorModel: `${id}-1`,
              priority,
              weight: 1,
            })),
          },
          lines ?? bySecond,
        )
    },
  })
  client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})
beforeEach(async () => {
  expect(await chapar.rest()).toMatchObject({ held: 0, seats: 0 })
})

const answers = (reply: unknown) => vendor.play(() => Response.json(reply))
const heardLast = () => {
  const last = vendor.heard.at(-1)
  if (last === undefined) throw new Error('nobody asked')
  return last
}

type Fields = Readonly<Record<string, string | readonly string[]>>

function send(
  fields: Fields,
  { path = 'transcriptions', file = mp3, name = 'a.mp3', headers = {} }: SendOptions = {},
): Promise<Response> {
  const body = new FormData()
  for (const [key, value] of Object.entries(fields))
    for (const each of [value].flat()) body.append(key, each)
  if (file !== null) body.append('file', new Blob([new Uint8Array(file)]), name)
  return fetch(`${chapar.url}/audio/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'accept-language': 'en', ...headers },
    body,
  })
}
interface SendOptions {
  readonly path?: 'transcriptions' | 'translations'
  readonly file?: Buffer | null
  readonly name?: string
  readonly headers?: Readonly<Record<string, string>>
}

const cost = (answer: Response) => answer.headers.get('x-cost-usd')
const refusalOf = async (answer: Response) => {
  const { error } = (await answer.json()) as { error: { param: unknown; code: unknown } }
  return { status: answer.status, ...error }
}

describe('a recording at a vendor of the reference format', () => {
  test('arrives byte by byte as it was sent, under a name that tells nothing', async () => {
    answers(recorded.whisper)
    const answer = await send(
      {
        model: 'whisper',
        language: 'en',
        prompt: 'Chapar, "سلام"',
        temperature: '0.2',
        user: 'somebody',
      },
      { name: 'Interview with Ali.MP3' },
    )
    expect(answer.status).toBe(200)
    const { path, fields, file, headers } = heardLast()
    expect(path).toBe('/v1/audio/transcriptions')
    expect(fields).toEqual({
      model: 'whisper-1',
      response_format: 'verbose_json',
      language: 'en',
      prompt: 'Chapar, "سلام"',
      temperature: '0.2',
    })
    expect(file?.name).toBe('audio.mp3')
    expect(file?.bytes.equals(mp3)).toBe(true)
    expect(headers.get('authorization')).toBe('Bearer sk-vendor-secret')
    expect(Number(headers.get('content-length'))).toBe(heardLast().bytes.length)
    expect(headers.get('transfer-encoding')).toBeNull()
  })

  test('comes back in every form through the official client, and costs its seconds', async () => {
    answers(recorded.whisper)
    const ask = async (response_format: 'json' | 'text' | 'srt' | 'vtt' | 'verbose_json') => {
      const file = await toFile(mp3, 'a.mp3')
      const asked = { file, model: 'whisper', response_format } as const
      const { data, response } = await client.audio.transcriptions.create(asked).withResponse()
      expect(cost(response)).toBe('0.000900')
      return { data: data as unknown, type: response.headers.get('content-type') }
    }
    const { text, segments, usage } = recorded.whisper
    expect(await ask('json')).toMatchObject({ data: { text, usage } })
    expect(await ask('text')).toEqual({ data: `${text}\n`, type: 'text/plain; charset=utf-8' })
    expect((await ask('srt')).type).toBe('application/x-subrip; charset=utf-8')
    expect((await ask('srt')).data).toBe(
      '1\n00:00:00,000 --> 00:00:03,320\nThe beach was a popular spot on a hot summer day.\n\n' +
        '2\n00:00:03,320 --> 00:00:07,810\nPeople were swimming in the ocean.\n\n',
    )
    expect((await ask('vtt')).type).toBe('text/vtt; charset=utf-8')
    expect((await ask('vtt')).data).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:03.320\nThe beach was a popular spot on a hot summer day.\n\n' +
        '00:00:03.320 --> 00:00:07.810\nPeople were swimming in the ocean.\n\n',
    )
    const { language, duration } = recorded.whisper
    expect((await ask('verbose_json')).data).toMatchObject({
      task: 'transcribe',
      language,
      duration,
      text,
      segments,
      usage,
    })
    expect((await ask('verbose_json')).data).not.toHaveProperty('words')
  })

  test('has the times that were asked for, in both ways of writing a list', async () => {
    answers(recorded.whisper)
    const forms: readonly Fields[] = [
      { 'timestamp_granularities[]': ['word', 'segment'] },
      { timestamp_granularities: ['word', 'segment'] },
    ]
    for (const form of forms) {
      const asked = { model: 'whisper', response_format: 'verbose_json', ...form }
      const reply = await (await send(asked)).json()
      expect(reply).toMatchObject({
        words: recorded.whisper.words,
        segments: recorded.whisper.segments,
      })
      expect(heardLast().fields['timestamp_granularities[]']).toBe('word,segment')
    }
    const words = { timestamp_granularities: 'word', response_format: 'verbose_json' }
    expect(await (await send({ model: 'whisper', ...words })).json()).not.toHaveProperty('segments')
  })

  test('is charged by the length a vendor tells, where it counts nothing', async () => {
    answers(recorded.groqWhisper)
    const answer = await send({ model: 'whisper', response_format: 'verbose_json' })
    // 36.71 seconds at a hundredth of a cent.
    expect(cost(answer)).toBe('0.003671')
    const reply = (await answer.json()) as object
    expect(reply).toMatchObject({ language: 'english', usage: { type: 'duration', seconds: 37 } })
    expect(reply).not.toHaveProperty('x_groq')
  })

  test('is charged by its own head where the vendor tells nothing at all', async () => {
    answers({ text: 'Words.' })
    const answer = await send({ model: 'unknown-forms' })
    expect(heardLast().fields['response_format']).toBe('json')
    expect(Number(cost(answer))).toBeCloseTo((3.135 * 0.006) / 60, 6)
    expect(await answer.json()).toEqual({ text: 'Words.', usage: { type: 'duration', seconds: 4 } })
  })

  test('of no known length is charged by the times in the answer, or as an ordinary one', async () => {
    const flat = Buffer.alloc(80_000, 'x')
    answers({ text: 'Words.', segments: [{ start: 1, end: 7.5, text: 'Words.' }] })
    const timed = await send({ model: 'unknown-forms' }, { file: flat, name: 'a.mp3' })
    expect(cost(timed)).toBe('0.000750')
    answers({ text: 'Words.' })
    // 80 thousand bytes at 64 thousand bits a second.
    const untimed = await send({ model: 'unknown-forms' }, { file: flat, name: 'a.mp3' })
    expect(cost(untimed)).toBe('0.001000')
  })

  test('is charged by tokens where they are sold', async () => {
    answers(recorded.tokens)
    const file = await toFile(mp3, 'a.mp3')
    const asked = client.audio.transcriptions.create({ file, model: 'tokens' })
    const { data, response } = await asked.withResponse()
    expect(data as unknown).toMatchObject({ text: 'A letter came.', usage: recorded.tokens.usage })
    expect(heardLast().fields['response_format']).toBe('json')
    // 4 × 2.5 + 10 × 6 + 31 × 10, by the million.
    expect(cost(response)).toBe('0.000380')
  })

  test('tells its speakers apart where the model can', async () => {
    answers(recorded.diarized)
    const answer = await send({
      model: 'diarize',
      response_format: 'diarized_json',
      chunking_strategy: 'auto',
      'known_speaker_names[]': ['agent', 'caller'],
    })
    expect(heardLast().fields).toMatchObject({
      response_format: 'diarized_json',
      chunking_strategy: 'auto',
      'known_speaker_names[]': 'agent,caller',
    })
    expect(cost(answer)).toBe('0.002800')
    expect(await answer.json()).toEqual(recorded.diarized)
  })

  test('is not sent for a form that the model does not have', async () => {
    const before = vendor.heard.length
    for (const response_format of ['srt', 'vtt', 'verbose_json'])
      expect(await refusalOf(await send({ model: 'tokens', response_format }))).toMatchObject({
        status: 400,
        param: 'response_format',
        message: '`response_format` must be json | text.',
      })
    const diarized = await send({ model: 'whisper', response_format: 'diarized_json' })
    expect((await refusalOf(diarized)).param).toBe('response_format')
    expect(vendor.heard.length).toBe(before)
  })

  test('goes the next way with the same bytes when the first is dead', async () => {
    answers(recorded.whisper)
    const answer = await send({ model: 'two-ways' })
    expect(answer.status).toBe(200)
    expect(heardLast().file?.bytes.equals(mp3)).toBe(true)
  })

  test.each([
    [400, { error: { message: 'Audio file might be corrupted' } }, 400, 'upstream_rejected'],
    [413, { error: { message: 'Maximum content size limit exceeded' } }, 400, 'upstream_rejected'],
    [429, { error: { message: 'slow down' } }, 429, 'upstream_rate_limited'],
    [500, 'oops', 502, 'upstream_error'],
    [200, 'no JSON', 502, 'upstream_error'],
    [200, [], 502, 'upstream_error'],
    [200, { no: 'text' }, 502, 'upstream_error'],
    [
      200,
      { error: { message: 'no such', type: 'invalid_request_error' } },
      400,
      'upstream_rejected',
    ],
  ])('that ends with %p %j costs nothing', async (status, reply, expected, code) => {
    vendor.play(() =>
      typeof reply === 'string'
        ? new Response(reply, { status })
        : Response.json(reply, { status }),
    )
    const before = (await chapar.rest()).balance
    const answer = await send({ model: 'whisper' })
    expect(await refusalOf(answer)).toMatchObject({ status: expected, code })
    expect((await chapar.rest()).balance).toBe(before)
  })
})

describe('a recording that is streamed', () => {
  const plays = (events: readonly unknown[], end = '') =>
    vendor.play(() => {
      const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
      return new Response(text + end, { headers: { 'content-type': 'text/event-stream' } })
    })
  const streamed = async (model: string) => {
    const file = await toFile(mp3, 'a.mp3')
    const stream = await client.audio.transcriptions.create({ file, model, stream: true })
    const events: unknown[] = []
    for await (const event of stream) events.push(event)
    return events
  }

  test.each(['', 'data: [DONE]\n\n'])('comes as its vendor writes it, ended by %j', async (end) => {
    plays(recorded.transcriptEvents, end)
    expect(await streamed('tokens')).toEqual([
      { type: 'transcript.text.delta', delta: 'A letter' },
      { type: 'transcript.text.delta', delta: ' came.', logprobs: [] },
      {
        type: 'transcript.text.done',
        text: 'A letter came.',
        usage: recorded.tokens.usage,
        cost_usd: '0.000380',
      },
    ])
    expect(heardLast().fields['stream']).toBe('true')
  })

  test('comes from a model that answers whole as the same events', async () => {
    answers(recorded.whisper)
    const events = await streamed('whisper')
    expect(heardLast().fields).not.toHaveProperty('stream')
    const deltas = events.slice(0, -1) as { delta: string }[]
    expect(deltas.length).toBe(3)
    expect(deltas.map(({ delta }) => delta).join('')).toBe(recorded.whisper.text)
    expect(events.at(-1)).toEqual({
      type: 'transcript.text.done',
      text: recorded.whisper.text,
      usage: recorded.whisper.usage,
      cost_usd: '0.000900',
    })
  })

  test('comes with its speakers', async () => {
    plays([...recorded.diarized.segments, { type: 'transcript.text.done', text: 'All.' }])
    const asked = { model: 'diarize', response_format: 'diarized_json', stream: 'true' }
    const text = await (await send(asked)).text()
    const events = text.split('\n\n').filter(Boolean)
    expect(events.slice(0, 2).map((each) => JSON.parse(each.slice(6)) as unknown)).toEqual([
      ...recorded.diarized.segments,
    ])
    answers(recorded.diarized)
    const whole = await (await send(asked)).text()
    expect(whole.split('\n\n').filter(Boolean).slice(0, 2)).toEqual(events.slice(0, 2))
  })

  test('that breaks off says so, and costs what was sent', async () => {
    plays(recorded.transcriptEvents.slice(0, 1))
    const answer = await send({ model: 'tokens', stream: 'true' })
    const events = (await answer.text()).split('\n\n').filter(Boolean)
    expect(events[0]).toContain('A letter')
    expect(JSON.parse(events[1]?.slice(6) ?? '')).toMatchObject({
      error: { code: 'stream_interrupted' },
    })
    const id = answer.headers.get('x-request-id') ?? ''
    const status = await fetch(`${chapar.url}/requests/${id}`, {
      headers: { authorization: `Bearer ${chapar.key}` },
    })
    const { usd, usage } = (await status.json()) as { usd: string; usage: unknown }
    // 32 tokens of sound and the words that came.
    expect(Number(usd)).toBeGreaterThan(0.000_19)
    expect(Number(usd)).toBeLessThan(0.000_25)
    expect(usage).toBeDefined()
  })

  test('that fails before it begins is an ordinary error', async () => {
    plays([{ type: 'error', error: { message: 'too short', type: 'invalid_request_error' } }])
    expect(await refusalOf(await send({ model: 'tokens', stream: 'true' }))).toMatchObject({
      status: 400,
      code: 'upstream_rejected',
    })
  })

  test('in a form that has no stream comes whole', async () => {
    answers(recorded.whisper)
    const answer = await send({ model: 'whisper', response_format: 'srt', stream: 'true' })
    expect(await answer.text()).toStartWith('1\n00:00:00,000')
  })
})

describe('a recording in English', () => {
  test('comes through the official client', async () => {
    answers({ ...recorded.whisper, task: 'translate' })
    const file = await toFile(mp3, 'a.mp3')
    const model = 'whisper'
    const plain = await client.audio.translations.create({ file, model, prompt: 'Ali' })
    expect(plain.text).toBe(recorded.whisper.text)
    expect(heardLast()).toMatchObject({
      path: '/v1/audio/translations',
      fields: { model: 'whisper-1', response_format: 'verbose_json', prompt: 'Ali' },
    })
    const form = 'verbose_json'
    const verbose = await client.audio.translations.create({ file, model, response_format: form })
    expect(verbose as unknown).toMatchObject({ task: 'translate', language: 'english' })
    const srt = await client.audio.translations.create({ file, model, response_format: 'srt' })
    expect(srt as unknown).toStartWith('1\n00:00:00,000')
  })

  test('is refused where the model or its vendor cannot', async () => {
    for (const model of ['tokens', 'claude'])
      expect(await refusalOf(await send({ model }, { path: 'translations' }))).toMatchObject({
        status: 400,
        code: 'endpoint_not_supported',
      })
  })

  test('takes no fields that are only of the other endpoint', async () => {
    answers(recorded.whisper)
    const fields = { model: 'whisper', language: 'fa', stream: 'true', 'include[]': 'logprobs' }
    expect((await send(fields, { path: 'translations' })).status).toBe(200)
    expect(heardLast().fields).toEqual({ model: 'whisper-1', response_format: 'verbose_json' })
  })
})

describe('a recording at Google', () => {
  test('goes as base64, and comes back as plain words', async () => {
    answers(recorded.gemini('A letter came.\n'))
    for (const path of ['transcriptions', 'translations'] as const) {
      const answer = await send({ model: 'gemini', prompt: 'Ali', language: 'fa' }, { path })
      // 50 × 2.5 + 100 × 6 + 12 × 10, by the million.
      expect(cost(answer)).toBe('0.000845')
      expect(await answer.json()).toEqual({
        text: 'A letter came.',
        usage: {
          type: 'tokens',
          input_tokens: 150,
          input_token_details: { text_tokens: 50, audio_tokens: 100 },
          output_tokens: 12,
          total_tokens: 162,
        },
      })
      expect(heardLast().path).toBe('/v1/models/gemini-1:generateContent')
      expect(heardLast().headers.get('x-goog-api-key')).toBe('sk-vendor-secret')
      const { contents } = JSON.parse(heardLast().bytes.toString()) as {
        contents: { parts: { text?: string; inlineData?: { mimeType: string; data: string } }[] }[]
      }
      const [sound, words] = contents[0]?.parts ?? []
      expect(sound?.inlineData?.mimeType).toBe('audio/mp3')
      expect(Buffer.from(sound?.inlineData?.data ?? '', 'base64').equals(mp3)).toBe(true)
      expect(words?.text).toContain(path === 'translations' ? 'in English' : 'word for word')
      expect(words?.text).toContain('"Ali"')
      expect(words?.text?.includes('`fa`')).toBe(path === 'transcriptions')
    }
  })

  test('has times where they are asked for', async () => {
    const said = {
      language: 'fa',
      segments: [
        { start: '00:00.000', end: '00:01.500', text: 'نامه‌ای آمد.', speaker: 'A' },
        { start: '0:01.5', end: '00:03', text: 'سلام.', speaker: 'B' },
        { start: 'soon', end: '00:04', text: 'never' },
      ],
    }
    answers(recorded.gemini(JSON.stringify(said)))
    const srt = await (await send({ model: 'gemini', response_format: 'srt' })).text()
    expect(srt).toBe(
      '1\n00:00:00,000 --> 00:00:01,500\nA: نامه‌ای آمد.\n\n2\n00:00:01,500 --> 00:00:03,000\nB: سلام.\n\n',
    )
    expect(heardLast().bytes.toString()).toContain('"responseMimeType":"application/json"')
    const verbose = await (await send({ model: 'gemini', response_format: 'verbose_json' })).json()
    expect(verbose).toMatchObject({
      language: 'persian',
      text: 'نامه‌ای آمد. سلام.',
      segments: [{ id: 0, start: 0, end: 1.5, tokens: [] }, { id: 1 }],
    })
    const speakers = await send({ model: 'gemini', response_format: 'diarized_json' })
    expect(await speakers.json()).toMatchObject({ segments: [{ speaker: 'A' }, { speaker: 'B' }] })
  })

  test('is streamed as it is heard', async () => {
    const [first, last] = [recorded.gemini('A letter'), recorded.gemini(' came.')]
    const { finishReason: _, ...open } = first.candidates[0] ?? {}
    const events = [{ ...first, candidates: [open] }, last]
    vendor.play(
      () =>
        new Response(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''), {
          headers: { 'content-type': 'text/event-stream' },
        }),
    )
    const text = await (await send({ model: 'gemini', stream: 'true' })).text()
    expect(heardLast().path).toBe('/v1/models/gemini-1:streamGenerateContent')
    expect(heardLast().search).toBe('?alt=sse')
    const told = text.split('\n\n').filter(Boolean)
    expect(told.map((each) => JSON.parse(each.slice(6)) as unknown)).toMatchObject([
      { type: 'transcript.text.delta', delta: 'A letter' },
      { type: 'transcript.text.delta', delta: ' came.' },
      { type: 'transcript.text.done', text: 'A letter came.', cost_usd: '0.000845' },
    ])
  })

  test('that is refused costs nothing', async () => {
    answers({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })
    expect(await refusalOf(await send({ model: 'gemini' }))).toMatchObject({
      code: 'upstream_rejected',
    })
  })
})

describe('a form that cannot be taken', () => {
  test.each([
    ['no model', {}, 'missing_model', 'model'],
    ['an empty model', { model: '' }, 'invalid_model', 'model'],
    ['a model of another kind', { model: 'sandbox/echo' }, 'model_endpoint_mismatch', 'model'],
    ['no such model', { model: 'nothing' }, 'model_not_found', 'model'],
    ['a form of answer that is none', { response_format: 'xml' }, null, 'response_format'],
    ['a temperature in words', { temperature: 'hot' }, null, 'temperature'],
    ['a temperature too high', { temperature: '2.1' }, null, 'temperature'],
    ['a language that is a sentence', { language: 'in Persian please' }, null, 'language'],
    ['times of nothing', { timestamp_granularities: 'hour' }, null, 'timestamp_granularities'],
    ['a stream of maybe', { stream: 'maybe' }, null, 'stream'],
  ])('has %s', async (_, fields, code, param) => {
    const before = vendor.heard.length
    const all = { model: 'whisper', ...fields }
    const sent = 'model' in fields || Object.keys(fields).length > 0 ? all : {}
    const { status, ...refused } = await refusalOf(await send(sent))
    expect(refused).toMatchObject({ code, param })
    expect([400, 404]).toContain(status)
    expect(vendor.heard.length).toBe(before)
  })

  test('has no file, an empty one, or one that is no recording', async () => {
    const missing = { status: 400, code: 'missing_file', param: 'file' }
    expect(await refusalOf(await send({ model: 'whisper' }, { file: null }))).toMatchObject(missing)
    const empty = { file: Buffer.alloc(0) }
    expect(await refusalOf(await send({ model: 'whisper' }, empty))).toMatchObject(missing)
    const text = { file: Buffer.from('some words'), name: 'words.txt' }
    expect(await refusalOf(await send({ model: 'whisper' }, text))).toMatchObject({
      status: 400,
      param: 'file',
    })
  })

  test('is named by what its bytes are, whatever it is called', async () => {
    answers(recorded.whisper)
    const cases = [
      ['opus.ogg', 'voice', 'audio.ogg', 'audio/ogg'],
      ['aac.m4a', 'voice.mp4', 'audio.mp4', 'audio/mp4'],
      ['aac.m4a', 'voice.mp3', 'audio.m4a', 'audio/mp4'],
      ['opus.webm', 'voice.webm', 'audio.webm', 'audio/webm'],
      ['pcm16.wav', '../../etc/passwd', 'audio.wav', 'audio/wav'],
      ['flac.flac', 'a"\r\nx: y', 'audio.flac', 'audio/flac'],
    ] as const
    for (const [source, name, told, type] of cases) {
      expect((await send({ model: 'whisper' }, { file: recording(source), name })).status).toBe(200)
      const form = heardLast().bytes.toString('latin1')
      expect(form).toContain(`filename="${told}"\r\ncontent-type: ${type}\r\n\r\n`)
    }
  })
})

describe('money for a recording', () => {
  test('is set aside by the length in its head, and told before anything is spent', async () => {
    const before = vendor.heard.length
    const answer = await send({ model: 'whisper' }, { headers: { 'x-dry-run': '1' } })
    expect(await answer.json()).toMatchObject({
      object: 'dry_run',
      endpoint: 'transcriptions',
      estimate: { low: { units: { audio_second: 3.135 } }, high: { units: { audio_second: 6 } } },
      hold_usd: '0.000600',
    })
    const tokens = await send({ model: 'gemini' }, { headers: { 'x-dry-run': '1' } })
    expect(await tokens.json()).toMatchObject({
      estimate: { high: { units: { input_audio: 192 } } },
    })
    expect(vendor.heard.length).toBe(before)
  })

  test('that is not there is missed before the vendor is asked', async () => {
    const poor = chapar.customer({ usd: '0.0005' })
    const answer = await send(
      { model: 'whisper' },
      { headers: { authorization: `Bearer ${poor.key}` } },
    )
    expect(await refusalOf(answer)).toMatchObject({ status: 402, code: 'insufficient_credit' })
  })

  test('adds up in the end, and no file is left', async () => {
    expect(chapar.audit()).toMatchObject({ ok: true, pending: 0 })
    expect(readdirSync('/tmp').filter((name) => name.startsWith('.upload-'))).toEqual([])
  })
})
