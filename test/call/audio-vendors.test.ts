import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  costOf as cost,
  longMp3,
  mp3,
  openAudioGateway,
  refusalOf,
  type AudioGateway,
  type FormFields,
  type SendOptions,
} from '../support/audio-gateway'
import * as recorded from '../support/recorded/audio'

let audio: AudioGateway
beforeAll(async () => void (audio = await openAudioGateway()))
afterAll(() => audio.close())

const send = (fields: FormFields, options?: SendOptions) => audio.send(fields, options)

describe('a recording at Google', () => {
  test('goes as base64, and comes back as plain words', async () => {
    audio.answers(recorded.gemini('A letter came.\n'))
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
      expect(audio.heardLast().path).toBe('/v1/models/gemini-1:generateContent')
      expect(audio.heardLast().headers.get('x-goog-api-key')).toBe('sk-vendor-secret')
      const { contents } = JSON.parse(audio.heardLast().bytes.toString()) as {
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
    audio.answers(recorded.gemini(JSON.stringify(said)))
    const srt = await (await send({ model: 'gemini', response_format: 'srt' })).text()
    expect(srt).toBe(
      '1\n00:00:00,000 --> 00:00:01,500\nA: نامه‌ای آمد.\n\n2\n00:00:01,500 --> 00:00:03,000\nB: سلام.\n\n',
    )
    expect(audio.heardLast().bytes.toString()).toContain('"responseMimeType":"application/json"')
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
    audio.vendor.play(
      () =>
        new Response(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''), {
          headers: { 'content-type': 'text/event-stream' },
        }),
    )
    const text = await (await send({ model: 'gemini', stream: 'true' })).text()
    expect(audio.heardLast().path).toBe('/v1/models/gemini-1:streamGenerateContent')
    expect(audio.heardLast().search).toBe('?alt=sse')
    const told = text.split('\n\n').filter(Boolean)
    expect(told.map((each) => JSON.parse(each.slice(6)) as unknown)).toMatchObject([
      { type: 'transcript.text.delta', delta: 'A letter' },
      { type: 'transcript.text.delta', delta: ' came.' },
      { type: 'transcript.text.done', text: 'A letter came.', cost_usd: '0.000845' },
    ])
  })

  test('that is refused costs nothing', async () => {
    audio.answers({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })
    expect(await refusalOf(await send({ model: 'gemini' }))).toMatchObject({
      code: 'upstream_rejected',
    })
  })
})

describe('a recording at ElevenLabs', () => {
  test('comes with its words, and is charged by its own head', async () => {
    audio.answers(recorded.elevenLabs)
    const answer = await send({ model: 'scribe', language: 'en', temperature: '0' })
    expect(audio.heardLast()).toMatchObject({
      path: '/v1/speech-to-text',
      fields: {
        model_id: 'scribe-1',
        timestamps_granularity: 'word',
        tag_audio_events: 'false',
        language_code: 'en',
        temperature: '0',
      },
    })
    expect(audio.heardLast().file?.bytes.equals(mp3)).toBe(true)
    expect(audio.heardLast().headers.get('xi-api-key')).toBe('sk-vendor-secret')
    expect(cost(answer)).toBe('0.0003135')
    expect(await answer.json()).toEqual({
      text: 'Hello there. Good day!',
      usage: { type: 'duration', seconds: 4 },
    })
  })

  test('is charged by the length that it tells, where it does', async () => {
    audio.answers({ ...recorded.elevenLabs, audio_duration_secs: 60 })
    expect(cost(await send({ model: 'scribe' }, { file: longMp3 }))).toBe('0.006000')
  })

  test('has subtitles made of its words, and speakers', async () => {
    audio.answers(recorded.elevenLabs)
    const vtt = await (await send({ model: 'scribe', response_format: 'vtt' })).text()
    expect(vtt).toBe(
      'WEBVTT\n\n00:00:00.119 --> 00:00:00.900\nA: Hello there.\n\n00:00:01.000 --> 00:00:01.700\nB: Good day!\n\n',
    )
    const speakers = await send({ model: 'scribe', response_format: 'diarized_json' })
    expect(audio.heardLast().fields['diarize']).toBe('true')
    expect(await speakers.json()).toMatchObject({
      task: 'transcribe',
      segments: [
        { type: 'transcript.text.segment', id: 'seg_0', speaker: 'A', text: 'Hello there.' },
        { id: 'seg_1', speaker: 'B', text: 'Good day!', start: 1, end: 1.7 },
      ],
    })
    const words = { response_format: 'verbose_json', 'timestamp_granularities[]': 'word' }
    expect(await (await send({ model: 'scribe', ...words })).json()).toMatchObject({
      language: 'english',
      words: [{ word: 'Hello', start: 0.119, end: 0.4 }, {}, {}, { word: 'day!' }],
    })
  })

  test('fails in our words', async () => {
    const detail = { status: 'invalid_file', message: 'no sound' }
    audio.vendor.play(() => Response.json({ detail }, { status: 400 }))
    expect(await refusalOf(await send({ model: 'scribe' }))).toMatchObject({
      status: 400,
      code: 'upstream_rejected',
    })
    audio.answers({ no: 'text' })
    expect(await refusalOf(await send({ model: 'scribe' }))).toMatchObject({ status: 502 })
  })
})

describe('a recording at Deepgram', () => {
  test('is the whole body, and is charged by the length that it tells', async () => {
    audio.answers(recorded.deepgram)
    const answer = await send({ model: 'nova' }, { file: longMp3 })
    const { path, search, headers, bytes } = audio.heardLast()
    expect(path + search).toBe(
      '/v1/listen?model=nova-1&smart_format=true&punctuate=true&detect_language=true',
    )
    expect(headers.get('authorization')).toBe('Token sk-vendor-secret')
    expect(headers.get('content-type')).toBe('audio/mpeg')
    expect(bytes.equals(longMp3)).toBe(true)
    // 25.933313 seconds at a hundredth of a cent.
    expect(cost(answer)).toBe('0.002593332')
    expect(await answer.json()).toEqual({
      text: 'Yep. I said it before.',
      usage: { type: 'duration', seconds: 26 },
    })
  })

  test('has subtitles made of its words, as they are written', async () => {
    audio.answers(recorded.deepgram)
    const srt = await (await send({ model: 'nova', response_format: 'srt', language: 'en' })).text()
    expect(audio.heardLast().search).toContain('&language=en')
    expect(srt).toBe(
      '1\n00:00:05,520 --> 00:00:06,020\nYep.\n\n2\n00:00:07,095 --> 00:00:08,000\nI said it before.\n\n',
    )
    const verbose = await send({ model: 'nova', response_format: 'verbose_json' })
    expect(await verbose.json()).toMatchObject({
      language: 'english',
      duration: 25.933_313,
      segments: [{ text: 'Yep.' }, { text: 'I said it before.' }],
    })
  })

  test('is not heard in several languages at once, at another price', async () => {
    audio.answers(recorded.deepgram)
    await (await send({ model: 'nova', language: 'Multi' })).text()
    expect(audio.heardLast().search).toEndWith('&detect_language=true')
  })

  test('comes as a stream where one is asked for', async () => {
    audio.answers(recorded.deepgram)
    const text = await (await send({ model: 'nova', stream: 'true' }, { file: longMp3 })).text()
    const events = text.split('\n\n').filter(Boolean)
    expect(events.map((each) => JSON.parse(each.slice(6)) as unknown)).toMatchObject([
      { type: 'transcript.text.delta', delta: 'Yep. I said it before.' },
      { type: 'transcript.text.done', text: 'Yep. I said it before.', cost_usd: '0.002593332' },
    ])
  })

  test('fails in our words', async () => {
    const body = { err_code: 'Bad Request', err_msg: 'corrupt or unsupported data' }
    audio.vendor.play(() => Response.json(body, { status: 400 }))
    expect(await refusalOf(await send({ model: 'nova' }))).toMatchObject({
      status: 400,
      code: 'upstream_rejected',
      message: expect.stringContaining('corrupt or unsupported data') as unknown,
    })
    audio.answers({ results: { channels: [] } })
    expect(await refusalOf(await send({ model: 'nova' }))).toMatchObject({ status: 502 })
  })
})

describe('speakers at Deepgram, which bills them', () => {
  test('are not sold at the price of plain text', async () => {
    const asked = audio.vendor.heard.length
    const refused = await send({ model: 'nova', response_format: 'diarized_json' })
    expect(await refusalOf(refused)).toMatchObject({
      status: 400,
      code: 'endpoint_not_supported',
      param: 'response_format',
    })
    expect(audio.vendor.heard).toHaveLength(asked)
  })

  test('cost their own price, and plain text its own', async () => {
    audio.answers(recorded.deepgram)
    const plain = await send({ model: 'nova-speakers' }, { file: longMp3 })
    expect(cost(plain)).toBe('0.002593332')
    const speakers = { model: 'nova-speakers', response_format: 'diarized_json' }
    const answer = await send(speakers, { file: longMp3 })
    expect(audio.heardLast().search).toContain('diarize=true')
    // 25.933313 seconds at nine tenths of a cent a minute.
    expect(cost(answer)).toBe('0.003889997')
  })
})

test.each(['scribe', 'nova'])('%s does not translate', async (model) => {
  const answer = await send({ model }, { path: 'translations' })
  expect(await refusalOf(answer)).toMatchObject({ status: 400, code: 'endpoint_not_supported' })
})
