import { afterEach, describe, expect, test } from 'bun:test'
import type { VendorConfig } from '../../src/domain/model'
import { openDesk, type Desk, type ShownVideo } from '../endpoints/videos/desk'
import { filmBytes } from '../support/video-stand-in'

interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: unknown
}

/** A vendor that answers by method and path; what is not told is a 404. */
function openWire(answers: (origin: string) => Record<string, () => Response>) {
  const seen: Seen[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname: path, search, origin } = new URL(request.url)
      const { method, headers } = request
      const text = await request.text()
      seen.push({ method, path, headers, body: text === '' ? null : JSON.parse(text) })
      const answer = answers(origin)[`${method} ${path}${search}`]
      return answer?.() ?? new Response('nothing here', { status: 404 })
    },
  })
  return { origin: `http://127.0.0.1:${server.port}`, seen, close: () => server.stop(true) }
}

let wire: ReturnType<typeof openWire>
let desk: Desk
afterEach(async () => {
  expect(await desk.chapar.audit()).toMatchObject({ differences: [] })
  await desk.chapar.close()
  await wire.close()
})

const at = async (path: string, vendor: Partial<VendorConfig>) => {
  desk = await openDesk(`${wire.origin}${path}`, { vendor })
}
const until = async (id: string, status: string): Promise<ShownVideo> => {
  await desk.pass(20_000, async () => (await desk.show(id)).status === status)
  return desk.show(id)
}
const ofPath = (path: string): Seen => {
  const found = wire.seen.find((each) => each.path === path)
  if (found === undefined) throw new Error(`nobody asked for ${path}`)
  return found
}
const film = () => new Response(filmBytes, { headers: { 'content-type': 'video/mp4' } })
const contentOf = async (id: string, query = '') =>
  desk.send('GET', `/videos/${id}/content${query}`)
const codeOf = async (answer: Response) =>
  ((await answer.json()) as { error: { code: string | null; param: string | null } }).error
const picture = `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64')}`

describe('Veo', () => {
  const operation = 'models/vendor-film/operations/abc-1'
  let state: object = { name: operation }
  const answers = (origin: string) => ({
    'POST /v1beta/models/vendor-film:predictLongRunning': () => Response.json({ name: operation }),
    [`GET /v1beta/${operation}`]: () => Response.json(state),
    'GET /v1beta/files/f1:download?alt=media': () =>
      new Response(null, { status: 302, headers: { location: `${origin}/download/f1` } }),
    'GET /download/f1': film,
  })
  const begin = async () => {
    state = { name: operation }
    wire = openWire(answers)
    await at('/v1beta', { kind: 'google', credential: 'google-secret' })
  }
  const made = (uri: string) => ({
    name: operation,
    done: true,
    response: { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } },
  })

  test('is asked for a long-running operation, which is looked at until it is done', async () => {
    await begin()
    const { id } = await desk.order({
      seconds: '8',
      size: '720x1280',
      input_reference: { image_url: picture },
    })
    const asked = ofPath('/v1beta/models/vendor-film:predictLongRunning')
    expect(asked.headers.get('x-goog-api-key')).toBe('google-secret')
    expect(asked.body).toEqual({
      instances: [
        {
          prompt: 'the sea',
          image: { bytesBase64Encoded: '/9j/4A==', mimeType: 'image/jpeg' },
        },
      ],
      parameters: { aspectRatio: '9:16', durationSeconds: 8, sampleCount: 1 },
    })
    expect((await desk.show(id)).status).toBe('in_progress')
    state = made(`${wire.origin}/v1beta/files/f1:download?alt=media`)
    await until(id, 'completed')
    const answer = await contentOf(id)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(filmBytes)
    expect(ofPath('/v1beta/files/f1:download').headers.get('x-goog-api-key')).toBe('google-secret')
  })

  test('never gives its key to another host, and is not led into our network', async () => {
    await begin()
    const { id } = await desk.order()
    const other = openWire(() => ({ 'GET /stolen': film }))
    state = made(`${other.origin}/stolen`)
    await until(id, 'completed')
    const answer = await contentOf(id)
    expect({ status: answer.status, ...(await codeOf(answer)) }).toMatchObject({
      status: 502,
      code: 'upstream_error',
    })
    expect(other.seen).toEqual([])
    await other.close()
  })

  test.each([
    [
      'what its filter took is refused',
      { response: { generateVideoResponse: { raiMediaFilteredCount: 1 } } },
      'content_policy',
    ],
    [
      'what it says breaks its rules is refused',
      { error: { code: 3, message: 'The prompt violates our usage guidelines: safety.' } },
      'content_policy',
    ],
    [
      'what it could not make is a failure',
      { error: { code: 13, message: 'Internal' } },
      'video_failed',
    ],
    ['nothing at all is a failure', { response: {} }, 'video_failed'],
  ])('%s, and its cost comes back', async (_, said, code) => {
    await begin()
    const { id } = await desk.order()
    state = { name: operation, done: true, ...said }
    expect((await until(id, 'failed')).error?.code).toBe(code)
    expect(await desk.balance()).toBe(100)
  })

  test('has no thumbnails', async () => {
    await begin()
    const { id } = await desk.order()
    state = made(`${wire.origin}/v1beta/files/f1:download?alt=media`)
    await until(id, 'completed')
    const answer = await contentOf(id, '?variant=thumbnail')
    expect({ status: answer.status, ...(await codeOf(answer)) }).toMatchObject({
      status: 400,
      code: 'endpoint_not_supported',
      param: 'variant',
    })
  })
})

describe('xAI', () => {
  let state: object
  const begin = async () => {
    state = { status: 'pending' }
    wire = openWire(() => ({
      'POST /v1/videos/generations': () => Response.json({ request_id: 'r/1' }),
      'GET /v1/videos/r%2F1': () => Response.json(state),
      'GET /files/film.mp4?sig=x': film,
    }))
    await at('/v1', { dialect: 'xai' })
  }

  test('is asked in its own words, and its file is fetched where it says', async () => {
    await begin()
    const { id } = await desk.order({
      seconds: '12',
      size: '1280x720',
      input_reference: { image_url: picture },
    })
    expect(ofPath('/v1/videos/generations').body).toEqual({
      model: 'vendor-film',
      prompt: 'the sea',
      duration: 12,
      aspect_ratio: '16:9',
      resolution: '720p',
      image: { url: picture },
    })
    await until(id, 'in_progress')
    const url = `${wire.origin}/files/film.mp4?sig=x`
    state = { status: 'done', video: { url, duration: 12, respect_moderation: true } }
    expect((await until(id, 'completed')).expires_at).toBe(
      Math.floor(desk.clock.now() / 1000) + 86_400,
    )
    expect(new Uint8Array(await (await contentOf(id)).arrayBuffer())).toEqual(filmBytes)
    expect(wire.seen.filter(({ method }) => method === 'DELETE')).toEqual([])
  })

  test.each([
    [{ status: 'done', video: { url: 'https://x', respect_moderation: false } }, 'content_policy'],
    [{ status: 'failed', error: { code: 'internal_error' } }, 'video_failed'],
    [{ status: 'expired' }, 'video_failed'],
  ])('%j is a failure, and its cost comes back', async (said, code) => {
    await begin()
    const { id } = await desk.order()
    state = said
    expect((await until(id, 'failed')).error?.code).toBe(code)
    expect(await desk.balance()).toBe(100)
  })
})

describe('Alibaba', () => {
  let output: object
  const begin = async () => {
    output = { task_id: 't1', task_status: 'RUNNING' }
    wire = openWire(() => ({
      'POST /api/v1/services/aigc/video-generation/video-synthesis': () =>
        Response.json({ output: { task_id: 't1', task_status: 'PENDING' }, request_id: 'x' }),
      'GET /api/v1/tasks/t1': () => Response.json({ output }),
      'POST /api/v1/tasks/t1/cancel': () => Response.json({ request_id: 'y' }),
      'GET /film.mp4': film,
    }))
    await at('/compatible-mode/v1', { dialect: 'alibaba' })
  }

  test('is given a task beside the path of its texts, and its file is fetched where it says', async () => {
    await begin()
    const { id } = await desk.order({ seconds: '8', size: '1280x720' })
    const asked = ofPath('/api/v1/services/aigc/video-generation/video-synthesis')
    expect(asked.headers.get('x-dashscope-async')).toBe('enable')
    expect(asked.headers.get('authorization')).toBe('Bearer sk-vendor-secret')
    expect(asked.body).toEqual({
      model: 'vendor-film',
      input: { prompt: 'the sea' },
      parameters: { size: '1280*720', duration: 8 },
    })
    expect((await desk.show(id)).status).toBe('queued')
    await until(id, 'in_progress')
    output = { task_status: 'SUCCEEDED', video_url: `${wire.origin}/film.mp4` }
    await until(id, 'completed')
    expect(new Uint8Array(await (await contentOf(id)).arrayBuffer())).toEqual(filmBytes)
  })

  test('goes on from a picture in the sharpness that is asked for', async () => {
    await begin()
    await desk.order({ input_reference: { image_url: picture } })
    expect(ofPath('/api/v1/services/aigc/video-generation/video-synthesis').body).toMatchObject({
      input: { prompt: 'the sea', img_url: picture },
      parameters: { resolution: '720P', duration: 4 },
    })
  })

  test('is told of a job that is cancelled', async () => {
    await begin()
    const { id } = await desk.order()
    await desk.send('DELETE', `/videos/${id}`)
    await desk.pass(100, () => wire.seen.some(({ path }) => path === '/api/v1/tasks/t1/cancel'))
    expect(await desk.balance()).toBe(100)
  })

  test.each([
    [{ task_status: 'FAILED', code: 'DataInspectionFailed' }, 'content_policy'],
    [{ task_status: 'FAILED', code: 'InternalError' }, 'video_failed'],
    [{ task_status: 'UNKNOWN' }, 'video_lost'],
    [{ task_status: 'SUCCEEDED' }, 'video_failed'],
  ])('%j is a failure, and its cost comes back', async (said, code) => {
    await begin()
    const { id } = await desk.order()
    output = said
    expect((await until(id, 'failed')).error?.code).toBe(code)
    expect(await desk.balance()).toBe(100)
  })
})

describe('a vendor without videos', () => {
  test('is not asked for one', async () => {
    wire = openWire(() => ({}))
    await at('/v1', { kind: 'anthropic' })
    const answer = await desk.send('POST', '/videos', { model: 'film', prompt: 'sea' })
    expect((await codeOf(answer)).code).toBe('endpoint_not_supported')
    expect(wire.seen).toEqual([])
    expect(await desk.balance()).toBe(100)
  })
})
