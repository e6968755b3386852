import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openTestGateway, type TestGateway } from '../../support/gateway'
import { filmSizes } from '../../../src/gateway/vendors/sandbox/films'
import { filmFile } from '../../../src/gateway/vendors/sandbox/film-files'

let chapar: TestGateway
beforeAll(async () => {
  chapar = await openTestGateway()
})
afterAll(async () => {
  expect(await chapar.audit()).toMatchObject({ differences: [] })
  await chapar.close()
})

interface Video {
  readonly id: string
  readonly status: string
  readonly refunded: boolean
  readonly usd: string
  readonly error: { readonly code: string } | null
}

const send = (method: string, path: string, body?: object) =>
  fetch(`${chapar.url}/videos${path}`, {
    method,
    headers: { authorization: `Bearer ${chapar.key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const order = async (model: string, rest: object = {}) =>
  (await (await send('POST', '', { model, prompt: 'the sea', ...rest })).json()) as Video
const show = async (id: string) => (await (await send('GET', `/${id}`)).json()) as Video

async function ended(id: string): Promise<Video> {
  for (let tries = 0; tries < 100; tries++) {
    const video = await show(id)
    if (video.status === 'completed' || video.status === 'failed') return video
    await Bun.sleep(100)
  }
  throw new Error('it never ended')
}

/** The boxes of an MP4: name, and what is in it. */
function boxesOf(bytes: Buffer): readonly { name: string; body: Buffer }[] {
  const boxes: { name: string; body: Buffer }[] = []
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readUInt32BE(at)
    expect(size).toBeGreaterThanOrEqual(8)
    boxes.push({
      name: bytes.toString('latin1', at + 4, at + 8),
      body: bytes.subarray(at + 8, at + size),
    })
    at += size
  }
  return boxes
}

function boxIn(bytes: Buffer, ...path: readonly string[]): Buffer {
  let body = bytes
  for (const name of path) {
    const found = boxesOf(body).find((box) => box.name === name)
    if (found === undefined) throw new Error(`no ${name}`)
    body = found.body
  }
  return body
}

describe('a film', () => {
  test.each(
    filmSizes.flatMap((size) => ['4', '8', '12'].map((seconds) => [size, seconds] as const)),
  )('of %s is a whole MP4 of that size, %s seconds long', (size, seconds) => {
    const file = Buffer.from(filmFile('video', size, Number(seconds)) ?? [])
    expect(boxesOf(file).map(({ name }) => name)).toEqual(['ftyp', 'moov', 'free', 'mdat'])
    const [width, height] = size.split('x').map(Number)
    // Seconds: how many ticks it lasts, by how many a second has.
    for (const clock of [boxIn(file, 'moov', 'mvhd'), boxIn(file, 'moov', 'trak', 'mdia', 'mdhd')])
      expect(clock.readUInt32BE(16) / clock.readUInt32BE(12)).toBe(Number(seconds))
    const track = boxIn(file, 'moov', 'trak', 'tkhd')
    expect([track.readUInt32BE(76) / 65_536, track.readUInt32BE(80) / 65_536]).toEqual([
      width ?? 0,
      height ?? 0,
    ])
    const table = ['moov', 'trak', 'mdia', 'minf', 'stbl'] as const
    const described = boxesOf(boxIn(file, ...table, 'stsd').subarray(8))
    expect(described.map(({ name }) => name)).toEqual(['avc1'])
    // Every frame that the table tells of lies inside of the data.
    const sizes = boxIn(file, ...table, 'stsz')
    const frames = sizes.readUInt32BE(8)
    let bytes = 0
    for (let frame = 0; frame < frames; frame++) bytes += sizes.readUInt32BE(12 + 4 * frame)
    expect(frames).toBe(32)
    expect(bytes).toBe(boxIn(file, 'mdat').length)
  })

  test.each([...filmSizes])('of %s has a thumbnail and a sprite sheet', (size) => {
    const thumbnail = Buffer.from(filmFile('thumbnail', size, 4) ?? [])
    expect(thumbnail.toString('latin1', 0, 4) + thumbnail.toString('latin1', 8, 12)).toBe(
      'RIFFWEBP',
    )
    expect(thumbnail.readUInt32LE(4) + 8).toBe(thumbnail.length)
    const sheet = Buffer.from(filmFile('spritesheet', size, 4) ?? [])
    expect(sheet.toString('hex', 0, 3)).toBe('ffd8ff')
    expect(sheet.toString('hex', sheet.length - 2)).toBe('ffd9')
  })
})

describe('the sandbox', () => {
  test('makes a video in seconds, for the price of its size, and gives all its files', async () => {
    const before = (await chapar.rest()).balance
    const { id, usd } = await order('sandbox/video-priced', { size: '1792x1024', seconds: '8' })
    expect(usd).toBe('2.400000')
    expect(Number(before) - Number((await chapar.rest()).balance)).toBe(2_400_000_000)
    expect(await ended(id)).toMatchObject({ status: 'completed', refunded: false })
    const files = await Promise.all(
      ['', '?variant=thumbnail', '?variant=spritesheet'].map(async (query) => {
        const answer = await send('GET', `/${id}/content${query}`)
        return [
          answer.headers.get('content-type'),
          Buffer.from(await answer.arrayBuffer()),
        ] as const
      }),
    )
    expect(files).toEqual([
      ['video/mp4', Buffer.from(filmFile('video', '1792x1024', 8) ?? [])],
      ['image/webp', Buffer.from(filmFile('thumbnail', '1792x1024', 8) ?? [])],
      ['image/jpeg', Buffer.from(filmFile('spritesheet', '1792x1024', 8) ?? [])],
    ])
    const part = await fetch(`${chapar.url}/videos/${id}/content`, {
      headers: { authorization: `Bearer ${chapar.key}`, range: 'bytes=-5' },
    })
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 5])
  })

  test.each([
    ['video-failed', 'content_policy'],
    ['video-lost', 'video_lost'],
  ])('has a %s for clients’ own tests: its cost comes back', async (model, code) => {
    const before = (await chapar.rest()).balance
    const { id } = await order(`sandbox/${model}-priced`)
    expect((await chapar.rest()).balance).not.toBe(before)
    const video = await ended(id)
    expect(video).toMatchObject({ status: 'failed', refunded: true })
    expect(video.error?.code).toBe(code)
    expect((await chapar.rest()).balance).toBe(before)
  })

  test('has one that never gets further, until it is cancelled', async () => {
    const before = (await chapar.rest()).balance
    const { id } = await order('sandbox/video-stalled-priced')
    await Bun.sleep(1500)
    expect((await show(id)).status).toBe('in_progress')
    expect((await send('DELETE', `/${id}`)).status).toBe(200)
    expect((await chapar.rest()).balance).toBe(before)
  })

  test('has one that is refused at once', async () => {
    const before = (await chapar.rest()).balance
    const answer = await send('POST', '', { model: 'sandbox/video-refused-priced', prompt: 'sea' })
    const { error } = (await answer.json()) as { error: { code: string } }
    expect([answer.status, error.code]).toEqual([400, 'upstream_rejected'])
    expect((await chapar.rest()).balance).toBe(before)
  })
})
