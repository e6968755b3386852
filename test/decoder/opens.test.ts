import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI from 'openai'
import { fieldsOf, listOf } from '../../src/gateway/json/fields'
import { fileOfBytes } from '../media/file-of-bytes'
import { readRecording } from '../../src/gateway/media/recording'
import durations from '../media/recordings/durations.json'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { probe } from './ffprobe'

let chapar: TestGateway
let client: OpenAI
beforeAll(async () => {
  chapar = await openTestGateway()
  client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
})
afterAll(() => chapar.close())

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
const post = async (path: string, body: object) => {
  const answer = await fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}` },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  return fieldsOf(await answer.json())
}

describe('what the sandbox makes opens in a decoder that is not ours', () => {
  test.each([
    ['mp3', 'mp3', 'mp3'],
    ['opus', 'ogg', 'opus'],
    ['aac', 'aac', 'aac'],
    ['flac', 'flac', 'flac'],
    ['wav', 'wav', 'pcm_s16le'],
  ] as const)('a voice as %s', async (format, container, codec) => {
    const answer = await client.audio.speech.create({
      model: 'sandbox/speak',
      voice: 'alloy',
      input: 'one two three four',
      response_format: format,
    })
    const told = await probe(await bytesOf(answer))
    expect(told).toMatchObject({ format: container, codecs: [codec] })
    expect(told.frames).toBeGreaterThan(0)
  })

  test('a voice as bare samples', async () => {
    const answer = await client.audio.speech.create({
      model: 'sandbox/speak',
      voice: 'alloy',
      input: 'one two three four',
      response_format: 'pcm',
    })
    const told = await probe(await bytesOf(answer), ['-f', 's16le', '-ar', '24000'])
    expect(told.seconds).toBeGreaterThan(0.4)
  })

  test('a piece of music', async () => {
    const { data } = await post('/audio/music', { model: 'sandbox/compose', prompt: 'a tune' })
    const [piece] = listOf(data).map(fieldsOf)
    const told = await probe(Buffer.from(String(piece?.['b64_json']), 'base64'))
    expect(told.codecs).toEqual(['mp3'])
    expect(told.seconds).toBeGreaterThan(1)
  })

  test('a picture, in the size that was asked for', async () => {
    const reply = await client.images.generate({
      model: 'sandbox/draw',
      prompt: 'an apple',
      size: '512x512',
    })
    const told = await probe(Buffer.from(String(reply.data?.[0]?.b64_json), 'base64'))
    expect(told).toMatchObject({ codecs: ['png'], size: '512x512', frames: 1 })
  })

  test('a video, its thumbnail and its sprite sheet', async () => {
    let made = await client.videos.create({
      model: 'sandbox/video',
      prompt: 'a tune',
      seconds: '4',
      size: '1280x720',
    })
    for (let looks = 0; made.status !== 'completed' && looks < 100; looks++) {
      await Bun.sleep(50)
      made = await client.videos.retrieve(made.id)
    }
    expect(made.status).toBe('completed')
    const fileOf = async (variant: 'video' | 'thumbnail' | 'spritesheet') =>
      await probe(await bytesOf(await client.videos.downloadContent(made.id, { variant })))
    const film = await fileOf('video')
    expect(film.format).toContain('mp4')
    expect(film.codecs).toContain('h264')
    expect(film.frames).toBeGreaterThan(4)
    for (const variant of ['thumbnail', 'spritesheet'] as const) {
      const picture = await fileOf(variant)
      expect({ variant, frames: picture.frames }).toEqual({ variant, frames: 1 })
    }
  })
})

/** What it tells of these is what their head says, which is not true, or nothing. */
const decodedOnly = new Set(
  Object.entries(durations).flatMap(([name, { told }]) => (told === 'ffprobe' ? [] : [name])),
)

test.each(Object.keys(durations).filter((name) => !decodedOnly.has(name)))(
  'the recording %s lasts as long here as there',
  async (name) => {
    const bytes = readFileSync(join(import.meta.dir, '../media/recordings', name))
    const { seconds } = await probe(bytes)
    const ours = (await readRecording(fileOfBytes(bytes))).seconds
    expect(Math.abs((ours ?? 0) - (seconds ?? 0))).toBeLessThan(0.1)
  },
)
