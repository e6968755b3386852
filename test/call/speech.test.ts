import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { fieldsOf } from '../../src/gateway/json/fields'
import { audioFormats, audioTypes, type AudioFormat } from '../../src/gateway/media/audio-format'
import { readWavHead, wavHead } from '../../src/gateway/media/wav'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'
import {
  geminiAudio,
  perCharacter,
  perToken,
  piecesOf,
  poured,
  recorded,
  recordedMp3At44100,
  saveAudioModel,
  spoken,
  spokenEvents,
} from '../support/voices'

let vendor: StandIn
let chapar: TestGateway
let client: OpenAI
/** Path and query of the last request to the vendor. */
let asked = ''

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      const { url } = vendor
      const common = { url, lines: perCharacter }
      await saveAudioModel(storage, { id: 'tts', kind: 'openai', vendorModel: 'tts-1', ...common })
      await saveAudioModel(storage, {
        id: 'mini-tts',
        kind: 'openai',
        vendorModel: 'gpt-4o-mini-tts',
        url,
        lines: perToken,
      })
      await saveAudioModel(storage, {
        id: 'eleven',
        kind: 'elevenlabs',
        vendorModel: 'eleven_v3',
        capabilities: { voices: ['George', 'Rachel'], formats: ['mp3', 'opus', 'wav', 'pcm'] },
        traits: { voiceIds: true },
        ...common,
      })
      await saveAudioModel(storage, {
        id: 'aura',
        kind: 'deepgram',
        vendorModel: 'aura-2',
        capabilities: { voices: ['thalia-en'] },
        traits: { voiceIds: true },
        ...common,
      })
      const gemini = { kind: 'google', url, lines: perToken } as const
      const voices = ['Kore', 'Puck']
      await saveAudioModel(storage, {
        id: 'gemini-tts',
        vendorModel: 'gemini-2.5-flash-preview-tts',
        capabilities: { voices, formats: ['wav', 'pcm'] },
        ...gemini,
      })
      await saveAudioModel(storage, {
        id: 'gemini-flowing',
        vendorModel: 'gemini-3.1-flash-tts-preview',
        capabilities: { voices, streaming: true },
        ...gemini,
      })
    },
  })
  client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const play = (answer: () => Response) =>
  vendor.play((_, request) => {
    const { pathname, search } = new URL(request.url)
    asked = pathname + search
    return answer()
  })
const send = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${chapar.url}/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, ...headers },
    body: JSON.stringify({ model: 'tts', input: 'Hello there', voice: 'alloy', ...body }),
  })
const bytesOf = async (answer: { arrayBuffer(): Promise<ArrayBuffer> }) =>
  new Uint8Array(await answer.arrayBuffer())
const lastBody = () => vendor.seen.at(-1)?.body
const recordOf = async (answer: Response) => {
  await chapar.rest()
  const id = answer.headers.get('x-request-id')
  const response = await fetch(`${chapar.url}/requests/${id}`, {
    headers: { authorization: `Bearer ${chapar.key}` },
  })
  return fieldsOf(await response.json())
}
const refusalOf = async (answer: Response) => ({
  status: answer.status,
  ...fieldsOf(fieldsOf(await answer.json())['error']),
})

/** What each vendor sends for a format, and what the client must get of it; null where it has none. */
interface PriceSource {
  readonly model: string
  readonly voice: string
  readonly sends: (format: AudioFormat) => Response
  readonly gets: (format: AudioFormat) => Uint8Array<ArrayBuffer> | null
  readonly path: (format: AudioFormat) => string
  readonly signed: readonly [string, string]
}
const bearer = ['authorization', 'Bearer sk-vendor-secret'] as const
const passes = (format: AudioFormat) => recorded[format]
const json = (value: unknown) => Response.json(value)
const { pcm } = recorded
const pcmType = 'audio/L16;codec=pcm;rate=24000'
const joined = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
const ofSamples = (head: Uint8Array) => (format: AudioFormat) =>
  format === 'wav' ? joined(head, pcm) : format === 'pcm' ? pcm : null
const deepgramQuery: Readonly<Record<AudioFormat, string>> = {
  mp3: 'encoding=mp3',
  opus: 'encoding=opus&container=ogg',
  aac: 'encoding=aac',
  flac: 'encoding=flac',
  wav: 'encoding=linear16&container=wav&sample_rate=24000',
  pcm: 'encoding=linear16&container=none&sample_rate=24000',
}
const elevenOutput: Readonly<Partial<Record<AudioFormat, string>>> = {
  mp3: 'mp3_44100_128',
  opus: 'opus_48000_128',
  wav: 'pcm_24000',
  pcm: 'pcm_24000',
}
const elevenFile = (format: AudioFormat): Uint8Array<ArrayBuffer> =>
  format === 'mp3' ? recordedMp3At44100 : format === 'opus' ? recorded.opus : pcm

const voices: readonly PriceSource[] = [
  {
    model: 'tts',
    voice: 'alloy',
    sends: spoken,
    gets: passes,
    path: () => '/v1/audio/speech',
    signed: bearer,
  },
  {
    model: 'mini-tts',
    voice: 'coral',
    sends: (format) =>
      poured(
        spokenEvents(recorded[format], { input_tokens: 4, output_tokens: 11, total_tokens: 15 }),
        'text/event-stream; charset=utf-8',
        { bytesAtATime: 333 },
      ),
    gets: passes,
    path: () => '/v1/audio/speech',
    signed: bearer,
  },
  {
    model: 'eleven',
    voice: 'george',
    sends: (format) => poured(elevenFile(format), format === 'pcm' ? 'audio/pcm' : 'audio/mpeg'),
    gets: (format) =>
      format === 'aac' || format === 'flac'
        ? null
        : format === 'wav'
          ? joined(wavHead(24_000, null), pcm)
          : elevenFile(format),
    path: (format) =>
      `/v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb?output_format=${elevenOutput[format]}`,
    signed: ['xi-api-key', 'sk-vendor-secret'],
  },
  {
    model: 'aura',
    voice: 'thalia-en',
    sends: spoken,
    gets: passes,
    path: (format) => `/v1/speak?model=aura-2-thalia-en&${deepgramQuery[format]}`,
    signed: ['authorization', 'Token sk-vendor-secret'],
  },
  {
    model: 'gemini-tts',
    voice: 'kore',
    sends: () => json(geminiAudio(pcm, pcmType)),
    gets: ofSamples(wavHead(24_000, pcm.byteLength)),
    path: () => '/v1/models/gemini-2.5-flash-preview-tts:generateContent',
    signed: ['x-goog-api-key', 'sk-vendor-secret'],
  },
  {
    model: 'gemini-flowing',
    voice: 'puck',
    sends() {
      const events = [0, 1, 2, 3].map((at) => {
        const part = pcm.slice((at * pcm.length) / 4, ((at + 1) * pcm.length) / 4)
        const value = geminiAudio(part, pcmType, at === 3 ? 'STOP' : null)
        return `data: ${JSON.stringify(value)}\r\n\r\n`
      })
      const bytes = new TextEncoder().encode(events.join(''))
      return poured(bytes, 'text/event-stream', { bytesAtATime: 1777 })
    },
    gets: ofSamples(wavHead(24_000, null)),
    path: () => '/v1/models/gemini-3.1-flash-tts-preview:streamGenerateContent?alt=sse',
    signed: ['x-goog-api-key', 'sk-vendor-secret'],
  },
]

describe.each([...voices])('the official client hears $model', ({ model, voice, ...has }) => {
  test.each([...audioFormats])('as %s, whole and as it comes', async (format) => {
    play(() => has.sends(format))
    const wanted = has.gets(format)
    const asking = () =>
      client.audio.speech.create({ model, input: 'Hello there', voice, response_format: format })
    const calls = vendor.seen.length
    if (wanted === null) {
      const failed: unknown = await asking().then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(failed).toMatchObject({
        status: 400,
        code: 'upstream_rejected',
        param: 'response_format',
      })
      expect(String(failed)).toContain('wav | pcm')
      expect(vendor.seen.length).toBe(calls)
      return
    }
    const whole = await asking()
    expect(whole.headers.get('content-type')).toBe(audioTypes[format])
    expect(await bytesOf(whole)).toEqual(wanted)
    expect(asked).toBe(has.path(format))
    const [name, value] = has.signed
    expect(vendor.seen.at(-1)?.headers.get(name)).toBe(value)
    const pieces: Uint8Array[] = []
    for await (const piece of piecesOf(await asking())) pieces.push(piece)
    expect(joined(...pieces)).toEqual(wanted)
  })
})

describe('what a vendor is asked', () => {
  test('by the reference: every field but those that tell who asks, and the format by its name', async () => {
    play(() => spoken('mp3'))
    await client.audio.speech.create({
      model: 'tts',
      input: 'Hello there',
      voice: 'alloy',
      instructions: 'whisper',
      speed: 1.5,
      stream_format: 'audio',
      // @ts-expect-error: a field that the vendor may know
      pitch: 3,
      user: 'me',
    })
    expect(lastBody()).toEqual({
      model: 'tts-1',
      input: 'Hello there',
      voice: 'alloy',
      instructions: 'whisper',
      response_format: 'mp3',
      speed: 1.5,
      pitch: 3,
    })
    await (await send({ voice: { id: 'voice_1234' } })).arrayBuffer()
    expect(lastBody()).toMatchObject({ voice: { id: 'voice_1234' } })
  })

  test('for its count of tokens, where they are sold and only events tell them', async () => {
    const [, tokens] = voices
    play(() => tokens?.sends('mp3') ?? new Response())
    await (await send({ model: 'mini-tts' })).arrayBuffer()
    expect(lastBody()).toMatchObject({ stream_format: 'sse', response_format: 'mp3' })
    play(() => spoken('mp3'))
    await (await send({})).arrayBuffer()
    expect(lastBody()).not.toHaveProperty('stream_format')
  })

  test('at ElevenLabs: a voice by its name or its id, at a speed that it knows', async () => {
    play(() => poured(recordedMp3At44100, 'audio/mpeg'))
    await (await send({ model: 'eleven', voice: 'RACHEL', speed: 0.8 })).arrayBuffer()
    expect(asked).toStartWith('/v1/text-to-speech/21m00Tcm4TlvDq8ikWAM?')
    expect(lastBody()).toEqual({
      text: 'Hello there',
      model_id: 'eleven_v3',
      voice_settings: { speed: 0.8 },
    })
    await (await send({ model: 'eleven', voice: 'own/voice' })).arrayBuffer()
    expect(asked).toStartWith('/v1/text-to-speech/own%2Fvoice?')
    expect(lastBody()).toEqual({ text: 'Hello there', model_id: 'eleven_v3' })
    expect(await refusalOf(await send({ model: 'eleven', voice: 'x', speed: 2 }))).toMatchObject({
      code: 'upstream_rejected',
      param: 'speed',
    })
  })

  test('at Deepgram: a voice by its end or its whole name', async () => {
    play(() => spoken('mp3'))
    for (const voice of ['Thalia-EN', 'aura-2-thalia-en']) {
      await (await send({ model: 'aura', voice })).arrayBuffer()
      expect(asked).toStartWith('/v1/speak?model=aura-2-thalia-en&')
    }
    expect(lastBody()).toEqual({ text: 'Hello there' })
    const fast = await send({ model: 'aura', voice: 'thalia-en', speed: 2 })
    expect(await refusalOf(fast)).toMatchObject({ code: 'upstream_rejected', param: 'speed' })
  })

  test('at Google: manner before the text, a voice in its own spelling, WAV unless told', async () => {
    play(() => json(geminiAudio(pcm, pcmType)))
    const answer = await send({ model: 'gemini-tts', voice: 'kORE', instructions: 'Whisper' })
    expect(answer.headers.get('content-type')).toBe('audio/wav')
    expect(lastBody()).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Whisper: Hello there' }] }],
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      },
    })
    expect(readWavHead(await bytesOf(answer))).toMatchObject({
      rate: 24_000,
      channels: 1,
      bits: 16,
      dataBytes: pcm.byteLength,
    })
  })

  test('a file that Google finished is no more wrapped than it needs', async () => {
    for (const model of ['gemini-tts', 'gemini-flowing']) {
      play(() => json(geminiAudio(recorded.wav, 'audio/wav')))
      const file = await bytesOf(await send({ model, voice: 'Kore' }))
      expect(file.slice(readWavHead(file)?.dataAt)).toEqual(pcm)
      const bare = await bytesOf(await send({ model, voice: 'Kore', response_format: 'pcm' }))
      expect(bare).toEqual(pcm)
    }
  })

  test('samples at another rate say so in the header of the file', async () => {
    play(() => json(geminiAudio(pcm, 'audio/L16;codec=pcm;rate=16000')))
    const file = await bytesOf(await send({ model: 'gemini-tts', voice: 'Kore' }))
    expect(readWavHead(file)?.rate).toBe(16_000)
  })
})

describe('what it cannot be asked is refused, and nobody is asked', () => {
  test.each([
    [
      { model: 'gemini-tts', voice: 'Kore', response_format: 'mp3' },
      'response_format',
      'wav | pcm',
    ],
    [
      { model: 'gemini-flowing', voice: 'Kore', response_format: 'flac' },
      'response_format',
      'wav | pcm',
    ],
    [{ model: 'gemini-tts', voice: 'Kore', speed: 2 }, 'speed', '1'],
    [{ model: 'eleven', response_format: 'aac' }, 'response_format', 'mp3 | opus | wav | pcm'],
  ])('%j', async (body, param, allowed) => {
    const calls = vendor.seen.length
    const refusal = await refusalOf(await send(body))
    expect(refusal).toMatchObject({ status: 400, code: 'upstream_rejected', param })
    expect(refusal).toHaveProperty('message', expect.stringContaining(allowed))
    expect(vendor.seen.length).toBe(calls)
  })

  test('a voice that the model does not have, with those that it has', async () => {
    const refusal = await refusalOf(await send({ model: 'gemini-tts', voice: 'alloy' }))
    expect(refusal).toMatchObject({ status: 400, code: null, param: 'voice' })
    expect(refusal).toHaveProperty('message', expect.stringMatching(/Kore.*Puck/))
  })

  test('a vendor without a voice', async () => {
    const { parts } = chapar.gateway
    const kinds = parts.vendors
    const { openai } = kinds
    if (openai === undefined) throw new Error('no such kind')
    Object.assign(parts, { vendors: { ...kinds, openai: { ...openai, abilities: {} } } })
    expect(await refusalOf(await send({}))).toMatchObject({ code: 'endpoint_not_supported' })
    Object.assign(parts, { vendors: kinds })
  })
})

describe('a refusal in the words of its vendor', () => {
  const told = (status: number, body: object) => () => Response.json(body, { status })
  test.each([
    ['aura', told(401, { err_code: 'INVALID_AUTH', err_msg: 'Invalid' }), 502, 'upstream_error'],
    [
      'aura',
      told(402, { err_code: 'ASR_PAYMENT_REQUIRED', err_msg: 'No funds' }),
      429,
      'upstream_capacity_full',
    ],
    ['aura', told(429, { err_code: 'TOO_MANY', err_msg: 'Slow' }), 429, 'upstream_rate_limited'],
    ['aura', told(400, { err_code: 'Bad Request', err_msg: 'No' }), 400, 'upstream_rejected'],
    ['eleven', told(401, { detail: { status: 'invalid_api_key' } }), 502, 'upstream_error'],
    ['eleven', told(401, { detail: { status: 'quota_exceeded' } }), 429, 'upstream_capacity_full'],
    ['eleven', told(422, { detail: [{ loc: ['body'], msg: 'No' }] }), 400, 'upstream_rejected'],
    [
      'gemini-tts',
      () => json({ promptFeedback: { blockReason: 'SAFETY' } }),
      400,
      'upstream_rejected',
    ],
    ['gemini-tts', () => json({ candidates: [{ finishReason: 'STOP' }] }), 502, 'upstream_error'],
  ] as const)('%s %#', async (model, answer, status, code) => {
    play(answer)
    const voice = model === 'gemini-tts' ? 'Kore' : 'x'
    expect(await refusalOf(await send({ model, voice }))).toMatchObject({ status, code })
  })
})

describe('characters are counted as people count them', () => {
  test('4096 of two units each are said, one more is too long', async () => {
    play(() => spoken('mp3'))
    const answer = await send({ input: '😀'.repeat(4096) })
    expect(answer.headers.get('x-cost-usd')).toBe('0.061440')
    await answer.arrayBuffer()
    expect(await recordOf(answer)).toMatchObject({
      status: 'success',
      endpoint: 'speech',
      usd: '0.061440',
      streamed: false,
    })
    const refusal = await refusalOf(await send({ input: '😀'.repeat(4097) }))
    expect(refusal).toMatchObject({ code: 'input_too_long', param: 'input' })
    expect(refusal).toHaveProperty('message', expect.stringContaining('4097'))
  })

  test('a dry run tells them without a vendor', async () => {
    const calls = vendor.seen.length
    const told = fieldsOf(await (await send({ input: 'سلام' }, { 'x-dry-run': '1' })).json())
    expect(told['estimate']).toMatchObject({ high: { units: { character: 4 }, usd: '0.000060' } })
    expect(vendor.seen.length).toBe(calls)
  })
})
