import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, type Script, type StandIn } from '../support/stand-in'
import { perPiece, poured, recorded, recordedMp3At44100, saveAudioModel } from '../support/voices'

let vendor: StandIn
let chapar: TestGateway
let asked = ''

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      const common = { url: vendor.url, type: 'music', lines: perPiece } as const
      await saveAudioModel(storage, {
        id: 'lyria',
        kind: 'google',
        vendorModel: 'lyria-3',
        ...common,
      })
      const eleven = { kind: 'elevenlabs', vendorModel: 'music_v1', ...common } as const
      await saveAudioModel(storage, { id: 'eleven-music', ...eleven })
      await saveAudioModel(storage, {
        id: 'eleven-short',
        ...eleven,
        capabilities: { seconds: ['12'] },
      })
      await saveAudioModel(storage, { id: 'no-music', kind: 'openai', vendorModel: 'x', ...common })
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const play = (script: Script) =>
  vendor.play((seen, request) => {
    const { pathname, search } = new URL(request.url)
    asked = pathname + search
    return script(seen, request)
  })
const send = (body: object): Promise<Response> =>
  fetch(`${chapar.url}/audio/music`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}` },
    body: JSON.stringify({ prompt: 'a calm piece', ...body }),
  })
const lyria = (parts: readonly object[], rest: object = {}) =>
  Response.json({ candidates: [{ content: { parts }, finishReason: 'STOP', ...rest }] })
const audioPart = (bytes: Uint8Array, mimeType: string) => ({
  inlineData: { mimeType, data: Buffer.from(bytes).toString('base64') },
})

test('Google makes a piece with the words that are sung, charged by the piece', async () => {
  play(() => lyria([{ text: 'La la' }, audioPart(recorded.mp3, 'audio/mpeg'), { text: ' lala' }]))
  const answer = await send({ model: 'lyria', temperature: 0.5, seed: 7 })
  expect(answer.headers.get('x-cost-usd')).toBe('0.080000')
  expect(await answer.json()).toEqual({
    id: answer.headers.get('x-request-id'),
    object: 'music.generation',
    model: 'lyria',
    text: 'La la lala',
    data: [
      {
        b64_json: Buffer.from(recorded.mp3).toString('base64'),
        format: 'mp3',
        bytes: recorded.mp3.byteLength,
      },
    ],
  })
  expect(asked).toBe('/v1/models/lyria-3:generateContent')
  expect(vendor.seen.at(-1)?.body).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'a calm piece' }] }],
    generationConfig: { responseModalities: ['AUDIO', 'TEXT'], temperature: 0.5, seed: 7 },
  })
  await chapar.rest()
  expect((await chapar.audit()).differences).toEqual([])
})

test('a piece that is a WAV file says so', async () => {
  play(() => lyria([audioPart(recorded.wav, 'audio/wav')]))
  const { data } = fieldsOf(await (await send({ model: 'lyria' })).json())
  expect(data).toMatchObject([{ format: 'wav', bytes: recorded.wav.byteLength }])
})

test('ElevenLabs makes a piece as long as its price is for', async () => {
  play(() => poured(recordedMp3At44100, 'audio/mpeg'))
  const answer = await send({ model: 'eleven-music' })
  const { data, text } = fieldsOf(await answer.json())
  expect(text).toBe('')
  expect(data).toEqual([
    {
      b64_json: Buffer.from(recordedMp3At44100).toString('base64'),
      format: 'mp3',
      bytes: recordedMp3At44100.byteLength,
    },
  ])
  expect(asked).toBe('/v1/music?output_format=mp3_44100_128')
  expect(vendor.seen.at(-1)?.body).toEqual({
    prompt: 'a calm piece',
    music_length_ms: 60_000,
    model_id: 'music_v1',
  })
  await (await send({ model: 'eleven-short' })).json()
  expect(vendor.seen.at(-1)?.body).toMatchObject({ music_length_ms: 12_000 })
})

test('a long piece comes whole', async () => {
  const long = Buffer.alloc(4_000_001, recordedMp3At44100)
  play(() => poured(long, 'audio/mpeg'))
  const { data } = fieldsOf(await (await send({ model: 'eleven-music' })).json())
  expect(data).toEqual([{ b64_json: long.toString('base64'), format: 'mp3', bytes: 4_000_001 }])
})

describe('nothing that can be heard costs nothing', () => {
  test.each<[string, string, Script, number, string]>([
    ['a refused prompt', 'lyria', () => blocked('SAFETY'), 400, 'upstream_rejected'],
    ['words alone', 'lyria', () => lyria([{ text: 'no' }]), 400, 'upstream_rejected'],
    ['an answer that is none', 'lyria', () => new Response('oops'), 502, 'upstream_error'],
    ['an empty file', 'eleven-music', () => poured(empty, 'audio/mpeg'), 502, 'upstream_error'],
    ['JSON', 'eleven-music', () => Response.json({ job: 1 }), 502, 'upstream_error'],
    ['a quota', 'eleven-music', () => detail(401, 'quota_exceeded'), 429, 'upstream_capacity_full'],
    [
      'a full house',
      'eleven-music',
      () => detail(429, 'system_busy'),
      429,
      'upstream_capacity_full',
    ],
    ['a wrong key', 'eleven-music', () => detail(401, 'invalid_api_key'), 502, 'upstream_error'],
    [
      'JSON that takes long to parse',
      'lyria',
      () => new Response(manyNames),
      502,
      'upstream_error',
    ],
    ['a refusal', 'eleven-music', () => detail(422, 'bad_prompt'), 400, 'upstream_rejected'],
  ])('%s from %s', async (_, model, script, status, code) => {
    const { balance } = await chapar.rest()
    play(script)
    const answer = await send({ model })
    expect({
      status: answer.status,
      ...fieldsOf(fieldsOf(await answer.json())['error']),
    }).toMatchObject({ status, code })
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0, balance })
  })
})

const empty = new Uint8Array()
const manyNames = `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":0`).join()}}`
const blocked = (blockReason: string) => Response.json({ promptFeedback: { blockReason } })
const detail = (status: number, name: string) =>
  Response.json({ detail: { status: name, message: 'it will not do' } }, { status })

test('a vendor that composes nothing says so', async () => {
  const answer = await send({ model: 'no-music' })
  expect(fieldsOf(await answer.json())).toMatchObject({ error: { code: 'endpoint_not_supported' } })
})
