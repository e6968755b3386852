import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { toFile } from 'openai'
import {
  costOf as cost,
  longMp3,
  mp3,
  openAudioGateway,
  recording,
  refusalOf,
  type AudioGateway,
  type FormFields,
  type SendOptions,
} from '../support/audio-gateway'
import * as recorded from '../support/recorded/audio'

let audio: AudioGateway
beforeAll(async () => void (audio = await openAudioGateway()))
afterAll(() => audio.close())
beforeEach(async () => {
  expect(await audio.chapar.rest()).toMatchObject({ held: 0, slots: 0 })
})

const send = (fields: FormFields, options?: SendOptions) => audio.send(fields, options)

describe('a recording at a vendor of the reference format', () => {
  test('arrives byte by byte as it was sent, under a name that tells nothing', async () => {
    audio.answers(recorded.whisper)
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
    const { path, fields, file, headers } = audio.heardLast()
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
    expect(Number(headers.get('content-length'))).toBe(audio.heardLast().bytes.length)
    expect(headers.get('transfer-encoding')).toBeNull()
  })

  test('comes back in every form through the official client, and costs its seconds', async () => {
    audio.answers(recorded.whisper)
    const ask = async (response_format: 'json' | 'text' | 'srt' | 'vtt' | 'verbose_json') => {
      const file = await toFile(longMp3, 'a.mp3')
      const asked = { file, model: 'whisper', response_format } as const
      const { data, response } = await audio.client.audio.transcriptions
        .create(asked)
        .withResponse()
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
    audio.answers(recorded.whisper)
    const forms: readonly FormFields[] = [
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
      expect(audio.heardLast().fields['timestamp_granularities[]']).toBe('word,segment')
    }
    const words = { timestamp_granularities: 'word', response_format: 'verbose_json' }
    expect(await (await send({ model: 'whisper', ...words })).json()).not.toHaveProperty('segments')
  })

  test('is charged by the length a vendor tells, where it counts nothing', async () => {
    audio.answers(recorded.groqWhisper)
    const asked = { model: 'whisper', response_format: 'verbose_json' }
    const answer = await send(asked, { file: longMp3 })
    // 36.71 seconds at a hundredth of a cent.
    expect(cost(answer)).toBe('0.003671')
    const reply = (await answer.json()) as object
    expect(reply).toMatchObject({ language: 'english', usage: { type: 'duration', seconds: 37 } })
    expect(reply).not.toHaveProperty('x_groq')
  })

  test('is charged by its own head where the vendor tells nothing at all', async () => {
    audio.answers({ text: 'Words.' })
    const answer = await send({ model: 'unknown-forms' })
    expect(audio.heardLast().fields['response_format']).toBe('json')
    expect(Number(cost(answer))).toBeCloseTo((3.135 * 0.006) / 60, 6)
    expect(await answer.json()).toEqual({ text: 'Words.', usage: { type: 'duration', seconds: 4 } })
  })

  test('is charged by its own head where the vendor tells of years', async () => {
    const usage = { type: 'duration', seconds: 1e300 }
    audio.answers({ text: 'Words.', usage })
    expect(Number(cost(await send({ model: 'unknown-forms' })))).toBeCloseTo(0.0003135, 6)
    audio.plays([
      { type: 'transcript.text.delta', delta: 'Words.' },
      { type: 'transcript.text.done', text: 'Words.', usage },
    ])
    const streamed = await (await send({ model: 'unknown-forms', stream: 'true' })).text()
    expect(streamed).toContain('"type":"transcript.text.done"')
    expect(await audio.chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  })

  test('is charged by what was said in it, where its head says that it is over before', async () => {
    const forged = Buffer.concat([recording('opus.webm'), Buffer.alloc(800_000)])
    const at = forged.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3
    expect(at).toBeGreaterThan(3)
    // A tenth of a second.
    forged.writeDoubleBE(100, at)
    const told = async (reply: object) => {
      audio.answers(reply)
      return cost(await send({ model: 'unknown-forms' }, { file: forged, name: 'a.webm' }))
    }
    // What its blocks hold, whatever the head says.
    expect(Number(await told({ text: '' }))).toBeCloseTo(0.000231, 5)
    const many = Number(await told({ text: 'Many words that were said. '.repeat(100) }))
    // Fifty seconds at the fastest, a hundredth of a cent each.
    expect(many).toBeGreaterThan(0.003)
    // No more than an ordinary recording of as many bytes.
    const segments = [{ start: 0, end: 9000, text: 'Words.' }]
    expect(Number(await told({ text: 'Words.', segments }))).toBeLessThan(0.0102)
  })

  test('of no known length is charged by the times in the answer, or as an ordinary one', async () => {
    const flat = Buffer.alloc(80_000, 'x')
    audio.answers({ text: 'Words.', segments: [{ start: 1, end: 7.5, text: 'Words.' }] })
    const timed = await send({ model: 'unknown-forms' }, { file: flat, name: 'a.mp3' })
    expect(cost(timed)).toBe('0.000750')
    audio.answers({ text: 'Words.', duration: 0, usage: { type: 'duration', seconds: 0 } })
    // 80 thousand bytes at 64 thousand bits a second.
    const untimed = await send({ model: 'unknown-forms' }, { file: flat, name: 'a.mp3' })
    expect(cost(untimed)).toBe('0.001000')
  })

  test('is charged by tokens where they are sold', async () => {
    audio.answers(recorded.tokens)
    const file = await toFile(mp3, 'a.mp3')
    const asked = audio.client.audio.transcriptions.create({ file, model: 'tokens' })
    const { data, response } = await asked.withResponse()
    expect(data as unknown).toMatchObject({ text: 'A letter came.', usage: recorded.tokens.usage })
    expect(audio.heardLast().fields['response_format']).toBe('json')
    // 4 × 2.5 + 10 × 6 + 31 × 10, by the million.
    expect(cost(response)).toBe('0.000380')
  })

  test('tells its speakers apart where the model can', async () => {
    audio.answers(recorded.diarized)
    const asked = {
      model: 'diarize',
      response_format: 'diarized_json',
      chunking_strategy: 'auto',
      'known_speaker_names[]': ['agent', 'caller'],
    }
    const answer = await send(asked, { file: longMp3 })
    expect(audio.heardLast().fields).toMatchObject({
      response_format: 'diarized_json',
      chunking_strategy: 'auto',
      'known_speaker_names[]': 'agent,caller',
    })
    expect(cost(answer)).toBe('0.002800')
    expect(await answer.json()).toEqual(recorded.diarized)
  })

  test('is not sent for a form that the model does not have', async () => {
    const before = audio.vendor.heard.length
    for (const response_format of ['srt', 'vtt', 'verbose_json'])
      expect(await refusalOf(await send({ model: 'tokens', response_format }))).toMatchObject({
        status: 400,
        param: 'response_format',
        message: '`response_format` must be json | text.',
      })
    const diarized = await send({ model: 'whisper', response_format: 'diarized_json' })
    expect((await refusalOf(diarized)).param).toBe('response_format')
    expect(audio.vendor.heard.length).toBe(before)
  })

  test('goes the next way with the same bytes when the first is dead', async () => {
    audio.answers(recorded.whisper)
    const answer = await send({ model: 'two-ways' })
    expect(answer.status).toBe(200)
    expect(audio.heardLast().file?.bytes.equals(mp3)).toBe(true)
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
    audio.vendor.play(() =>
      typeof reply === 'string'
        ? new Response(reply, { status })
        : Response.json(reply, { status }),
    )
    const before = (await audio.chapar.rest()).balance
    const answer = await send({ model: 'whisper' })
    expect(await refusalOf(answer)).toMatchObject({ status: expected, code })
    expect((await audio.chapar.rest()).balance).toBe(before)
  })
})

describe('a recording that is streamed', () => {
  const streamed = async (model: string) => {
    const file = await toFile(longMp3, 'a.mp3')
    const stream = await audio.client.audio.transcriptions.create({ file, model, stream: true })
    const events: unknown[] = []
    for await (const event of stream) events.push(event)
    return events
  }

  test.each(['', 'data: [DONE]\n\n'])('comes as its vendor writes it, ended by %j', async (end) => {
    audio.plays(recorded.transcriptEvents, end)
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
    expect(audio.heardLast().fields['stream']).toBe('true')
  })

  test('comes from a model that answers whole as the same events', async () => {
    audio.answers(recorded.whisper)
    const events = await streamed('whisper')
    expect(audio.heardLast().fields).not.toHaveProperty('stream')
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
    audio.plays([...recorded.diarized.segments, { type: 'transcript.text.done', text: 'All.' }])
    const asked = { model: 'diarize', response_format: 'diarized_json', stream: 'true' }
    const text = await (await send(asked)).text()
    const events = text.split('\n\n').filter(Boolean)
    expect(events.slice(0, 2).map((each) => JSON.parse(each.slice(6)) as unknown)).toEqual([
      ...recorded.diarized.segments,
    ])
    audio.answers(recorded.diarized)
    const whole = await (await send(asked)).text()
    expect(whole.split('\n\n').filter(Boolean).slice(0, 2)).toEqual(events.slice(0, 2))
  })

  test('of a long recording that is sold by the minute comes to its end', async () => {
    const deltas = Array.from({ length: 20_000 }, () => ({
      type: 'transcript.text.delta',
      delta: 'word ',
    }))
    audio.plays([...deltas, { type: 'transcript.text.done', text: 'All.' }])
    const text = await (await send({ model: 'unknown-forms', stream: 'true' })).text()
    expect(text.length).toBeGreaterThan(1_000_000)
    expect(text).toContain('"text":"All."')
    expect(text).not.toContain('stream_interrupted')
  })

  test('that breaks off says so, and costs what was sent', async () => {
    audio.plays(recorded.transcriptEvents.slice(0, 1))
    const answer = await send({ model: 'tokens', stream: 'true' })
    const events = (await answer.text()).split('\n\n').filter(Boolean)
    expect(events[0]).toContain('A letter')
    expect(JSON.parse(events[1]?.slice(6) ?? '')).toMatchObject({
      error: { code: 'stream_interrupted' },
    })
    const id = answer.headers.get('x-request-id') ?? ''
    const status = await fetch(`${audio.chapar.url}/requests/${id}`, {
      headers: { authorization: `Bearer ${audio.chapar.key}` },
    })
    const { usd, usage } = (await status.json()) as { usd: string; usage: unknown }
    // 32 tokens of sound and the words that came.
    expect(Number(usd)).toBeGreaterThan(0.000_19)
    expect(Number(usd)).toBeLessThan(0.000_25)
    expect(usage).toBeDefined()
  })

  test('that fails before it begins is an ordinary error', async () => {
    audio.plays([{ type: 'error', error: { message: 'too short', type: 'invalid_request_error' } }])
    expect(await refusalOf(await send({ model: 'tokens', stream: 'true' }))).toMatchObject({
      status: 400,
      code: 'upstream_rejected',
    })
  })

  test('in a form that has no stream comes whole', async () => {
    audio.answers(recorded.whisper)
    const answer = await send({ model: 'whisper', response_format: 'srt', stream: 'true' })
    expect(await answer.text()).toStartWith('1\n00:00:00,000')
  })
})

describe('a recording in English', () => {
  test('comes through the official client', async () => {
    audio.answers({ ...recorded.whisper, task: 'translate' })
    const file = await toFile(mp3, 'a.mp3')
    const model = 'whisper'
    const plain = await audio.client.audio.translations.create({ file, model, prompt: 'Ali' })
    expect(plain.text).toBe(recorded.whisper.text)
    expect(audio.heardLast()).toMatchObject({
      path: '/v1/audio/translations',
      fields: { model: 'whisper-1', response_format: 'verbose_json', prompt: 'Ali' },
    })
    const form = 'verbose_json'
    const verbose = await audio.client.audio.translations.create({
      file,
      model,
      response_format: form,
    })
    expect(verbose as unknown).toMatchObject({ task: 'translate', language: 'english' })
    const srt = await audio.client.audio.translations.create({
      file,
      model,
      response_format: 'srt',
    })
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
    audio.answers(recorded.whisper)
    const fields = { model: 'whisper', language: 'fa', stream: 'true', 'include[]': 'logprobs' }
    expect((await send(fields, { path: 'translations' })).status).toBe(200)
    expect(audio.heardLast().fields).toEqual({
      model: 'whisper-1',
      response_format: 'verbose_json',
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
    const before = audio.vendor.heard.length
    const all = { model: 'whisper', ...fields }
    const sent = 'model' in fields || Object.keys(fields).length > 0 ? all : {}
    const { status, ...refused } = await refusalOf(await send(sent))
    expect(refused).toMatchObject({ code, param })
    expect([400, 404]).toContain(status)
    expect(audio.vendor.heard.length).toBe(before)
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
    audio.answers(recorded.whisper)
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
      const form = audio.heardLast().bytes.toString('latin1')
      expect(form).toContain(`filename="${told}"\r\ncontent-type: ${type}\r\n\r\n`)
    }
  })
})

describe('money for a recording', () => {
  test('is set aside by the length in its head, and told before anything is spent', async () => {
    const before = audio.vendor.heard.length
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
    expect(audio.vendor.heard.length).toBe(before)
  })

  test('that is not there is missed before the vendor is asked', async () => {
    const poor = await audio.chapar.customer({ usd: '0.0005' })
    const answer = await send(
      { model: 'whisper' },
      { headers: { authorization: `Bearer ${poor.key}` } },
    )
    expect(await refusalOf(answer)).toMatchObject({ status: 402, code: 'insufficient_credit' })
  })

  test('adds up in the end, and no file is left', async () => {
    expect(await audio.chapar.audit()).toMatchObject({ ok: true, pending: 0 })
    expect(readdirSync('/tmp').filter((name) => name.startsWith('.upload-'))).toEqual([])
  })
})
