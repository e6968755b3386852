import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Newest from 'openai'
import Older from 'openai-6'
import { filmFile } from '../../src/gateway/vendors/sandbox/film-files'
import { openDesk, type Desk } from '../endpoints/videos/desk'
import { filmBytes, openVideoStandIn, type VideoStandIn } from '../support/video-stand-in'

let vendor: VideoStandIn
let desk: Desk
beforeAll(async () => {
  vendor = openVideoStandIn()
  desk = await openDesk(vendor.url)
})
afterAll(async () => {
  expect(await desk.chapar.audit()).toMatchObject({ differences: [], pending: 0 })
  await desk.chapar.close()
  await vendor.close()
})

async function thrown(call: () => Promise<unknown>): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

// What we use of it has not changed between the two.
const majors: readonly (readonly [string, typeof Newest])[] = [
  ['newest', Newest],
  ['one before', Older as unknown as typeof Newest],
]
// The vendor names its model, and so may we.
const film = 'film' as 'sora-2'
const sandbox = 'sandbox/video' as 'sora-2'

describe.each(majors)('the videos of the official client, %s major', (_, OpenAI) => {
  let client: Newest
  beforeAll(() => {
    const { key, url } = desk.chapar
    client = new OpenAI({ apiKey: key, baseURL: url, maxRetries: 0 })
  })

  test('are ordered with a picture, looked at until they are made, fetched and deleted', async () => {
    const { data: video, response } = await client.videos
      .create({
        model: film,
        prompt: 'the sea',
        seconds: '8',
        size: '720x1280',
        input_reference: new File([new Uint8Array([0xff, 0xd8, 0xff])], 'a.jpg', {
          type: 'image/jpeg',
        }),
      })
      .withResponse()
    expect(video).toMatchObject({ object: 'video', status: 'queued', seconds: '8' })
    expect(response.headers.get('openai-poll-after-ms')).toBe('10000')
    expect(vendor.last().file?.type).toBe('image/jpeg')
    vendor.last().state = { status: 'completed', progress: 100 }
    const made = async () => (await client.videos.retrieve(video.id)).status === 'completed'
    await desk.pass(15_000, made)
    expect((await client.videos.retrieve(video.id)).progress).toBe(100)
    const content = await client.videos.downloadContent(video.id)
    expect(new Uint8Array(await content.arrayBuffer())).toEqual(filmBytes)
    const thumbnail = await client.videos.downloadContent(video.id, { variant: 'thumbnail' })
    await thumbnail.arrayBuffer()
    expect(vendor.fetched.at(-1)?.variant).toBe('thumbnail')
    expect(await client.videos.delete(video.id)).toMatchObject({
      id: video.id,
      deleted: true,
      object: 'video.deleted',
    })
    const gone = await thrown(async () => client.videos.retrieve(video.id))
    expect(gone).toBeInstanceOf(OpenAI.NotFoundError)
    expect(gone).toMatchObject({ code: 'video_not_found' })
  })

  test('are listed page by page, each once', async () => {
    const customer = await desk.chapar.customer()
    const own = new OpenAI({ apiKey: customer.key, baseURL: desk.chapar.url })
    const ids: string[] = []
    for (let count = 0; count < 7; count++)
      ids.push((await own.videos.create({ model: film, prompt: 'the sea' })).id)
    const listed: string[] = []
    for await (const { id } of own.videos.list({ limit: 3 })) listed.push(id)
    expect(listed).toEqual(ids.toReversed())
  })

  test('of the sandbox are made without any vendor', async () => {
    // Its time is the real one.
    const video = await client.videos.create({ model: sandbox, prompt: 'the sea' })
    await Bun.sleep(2200)
    const made = async () => (await client.videos.retrieve(video.id)).status === 'completed'
    await desk.pass(5000, made)
    const content = await client.videos.downloadContent(video.id)
    expect(content.headers.get('content-type')).toBe('video/mp4')
    expect(Buffer.from(await content.arrayBuffer())).toEqual(
      Buffer.from(filmFile('video', '1280x720', 4) ?? []),
    )
  })

  test('that are refused are refused as its own errors', async () => {
    const wrong = await thrown(async () =>
      client.videos.create({ model: film, prompt: 'sea', seconds: '5' as '4' }),
    )
    expect(wrong).toBeInstanceOf(OpenAI.BadRequestError)
    expect(wrong).toMatchObject({ code: 'invalid_seconds', param: 'seconds' })
  })
})
