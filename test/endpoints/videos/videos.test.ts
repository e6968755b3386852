import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { filmBytes, openVideoStandIn, type VideoStandIn } from '../../support/video-stand-in'
import { wholeLedger } from '../../storage/whole-ledger'
import { openDesk, type Desk, type ShownVideo } from './desk'

let vendor: VideoStandIn
let desk: Desk

beforeEach(async () => {
  vendor = openVideoStandIn()
  desk = await openDesk(vendor.url)
})
afterEach(async () => {
  expect(await desk.chapar.audit()).toMatchObject({ differences: [], pending: 0 })
  await desk.chapar.close()
  await vendor.close()
})

const hour = 3_600_000
const errorOf = async (answer: Response) => {
  const { error } = (await answer.json()) as {
    error: { code: string | null; param: string | null }
  }
  return { status: answer.status, code: error.code, param: error.param }
}
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])

async function completed(): Promise<ShownVideo> {
  const video = await desk.order()
  vendor.last().state = { status: 'completed', progress: 100 }
  await desk.pass(15_000, async () => (await desk.show(video.id)).status === 'completed')
  return desk.show(video.id)
}

describe('ordering a video', () => {
  test('answers at once with a job, and its cost is charged by then', async () => {
    const answer = await desk.send('POST', '/videos', {
      model: 'film',
      prompt: 'the sea',
      seconds: 8,
      size: '720x1280',
    })
    expect(answer.headers.get('x-cost-usd')).toBe('0.800000')
    expect(answer.headers.get('openai-poll-after-ms')).toBe('10000')
    expect((await answer.json()) as object).toMatchObject({
      object: 'video',
      status: 'queued',
      progress: 0,
      model: 'film',
      seconds: '8',
      size: '720x1280',
      usd: '0.800000',
      refunded: false,
      error: null,
      completed_at: null,
      expires_at: null,
    })
    expect(vendor.last().fields).toEqual({
      model: 'vendor-film',
      prompt: 'the sea',
      seconds: '8',
      size: '720x1280',
    })
    expect(await desk.balance()).toBe(99.2)
    expect(await desk.chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  })

  test('leaves nothing behind that listens for its end', async () => {
    const sent = spyOn(desk.chapar.gateway.parts, 'send')
    await desk.order()
    await desk.order()
    const signals = sent.mock.calls.map(([, , signal]) => signal)
    expect(signals.length).toBe(2)
    // One that lasts as long as the process would keep what waits for it.
    expect(signals[0]).not.toBe(signals[1])
    sent.mockRestore()
  })

  test('takes the defaults of the model where nothing is said', async () => {
    await desk.order({ size: 'auto', seconds: null })
    expect(vendor.last().fields).toMatchObject({ seconds: '4', size: '1280x720' })
  })

  test.each(['input_reference[file_id]', 'input_reference[url]'])(
    'a picture that is named by %s is refused, not left out',
    async (name) => {
      const form = new FormData()
      for (const [each, value] of Object.entries({
        model: 'film',
        prompt: 'sea',
        [name]: 'file_1',
      }))
        form.set(each, value)
      expect(await errorOf(await desk.send('POST', '/videos', form))).toEqual({
        status: 400,
        code: null,
        param: 'input_reference',
      })
      expect(vendor.jobs.size).toBe(0)
    },
  )

  test('takes a form as it takes JSON, with a picture in it', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ model: 'film', prompt: 'sea', seconds: '12' }))
      form.set(name, value)
    form.set('input_reference', new File([png], 'a.bin', { type: 'application/octet-stream' }))
    const answer = await desk.send('POST', '/videos', form)
    expect(answer.status).toBe(200)
    expect(vendor.last().fields['seconds']).toBe('12')
    expect(vendor.last().file).toEqual({ type: 'image/png', bytes: png })
  })

  test('takes a picture as a data: URL, in JSON and in a form', async () => {
    const url = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
    await desk.order({ input_reference: { image_url: url } })
    expect(vendor.last().file).toEqual({ type: 'image/png', bytes: png })
    const form = new FormData()
    form.set('model', 'film')
    form.set('prompt', 'sea')
    form.set('input_reference[image_url]', url)
    expect((await desk.send('POST', '/videos', form)).status).toBe(200)
    expect(vendor.last().file).toEqual({ type: 'image/png', bytes: png })
  })

  test.each([
    ['a file that is no picture', { image_url: 'data:text/plain;base64,aGk=' }],
    ['a picture inside of our network', { image_url: 'https://127.0.0.1/a.png' }],
    ['a file of the vendor’s account', { file_id: 'file_1' }],
  ])('refuses %s, and asks no vendor', async (_, input_reference) => {
    const body = { model: 'film', prompt: 'sea', input_reference }
    const refused = await errorOf(await desk.send('POST', '/videos', body))
    expect({ ...refused, param: refused.param?.replace(/\..*/, '') }).toEqual({
      status: 400,
      code: null,
      param: 'input_reference',
    })
    expect(vendor.jobs.size).toBe(0)
    expect(await desk.balance()).toBe(100)
  })

  test('refuses a form that is none', async () => {
    const answer = await fetch(`${desk.chapar.url}/videos`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${desk.chapar.key}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
      body: 'nothing of the kind',
    })
    expect((await errorOf(answer)).status).toBe(400)
  })

  test('that the account cannot pay asks no vendor', async () => {
    const poor = await desk.chapar.customer({ usd: '0.3' })
    const answer = await desk.send(
      'POST',
      '/videos',
      { model: 'film', prompt: 'sea' },
      { authorization: `Bearer ${poor.key}` },
    )
    expect((await errorOf(answer)).code).toBe('insufficient_credit')
    expect(vendor.jobs.size).toBe(0)
  })

  test('dry, costs nothing and tells what it would cost', async () => {
    const body = { model: 'film', prompt: 'sea', seconds: '8' }
    const answer = await desk.send('POST', '/videos', body, { 'x-dry-run': '1' })
    expect((await answer.json()) as object).toMatchObject({
      object: 'dry_run',
      hold_usd: '0.800000',
      estimate: { high: { units: { video_second: 8 }, usd: '0.800000' } },
    })
    expect(vendor.jobs.size).toBe(0)
    expect(await desk.balance()).toBe(100)
  })

  test.each([
    ['refuses', 400, 400, 'upstream_rejected'],
    ['fails', 500, 502, 'upstream_error'],
    ['is busy', 429, 429, 'upstream_rate_limited'],
  ])('from a vendor that %s costs nothing and leaves no job', async (_, said, status, code) => {
    vendor.play(() => Response.json({ error: { message: 'no' } }, { status: said }))
    const answer = await desk.send('POST', '/videos', { model: 'film', prompt: 'sea' })
    expect(await errorOf(answer)).toMatchObject({ status, code })
    expect(await desk.balance()).toBe(100)
    expect(await (await desk.send('GET', '/videos')).json()).toMatchObject({ data: [] })
  })

  test('from a vendor that says at once that it will not, costs nothing', async () => {
    vendor.play(() =>
      Response.json({ id: 'v', status: 'failed', error: { code: 'moderation_blocked' } }),
    )
    const answer = await desk.send('POST', '/videos', { model: 'film', prompt: 'sea' })
    expect(await errorOf(answer)).toMatchObject({ status: 400, code: 'upstream_rejected' })
    expect(await desk.balance()).toBe(100)
  })

  test('by a client that leaves before the answer costs nothing, and the vendor is told', async () => {
    const gate = Promise.withResolvers<null>()
    const asked = Promise.withResolvers<void>()
    vendor.play((request) => {
      if (request.method !== 'POST') return null
      asked.resolve()
      return gate.promise
    })
    const left = new AbortController()
    const answer = fetch(`${desk.chapar.url}/videos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${desk.chapar.key}` },
      body: JSON.stringify({ model: 'film', prompt: 'sea' }),
      signal: left.signal,
    }).catch(() => null)
    await asked.promise
    left.abort()
    await answer
    await Bun.sleep(20)
    gate.resolve(null)
    await desk.pass(100, () => vendor.jobs.size === 1 && vendor.last().deleted === 1)
    expect(await desk.balance()).toBe(100)
    expect(await (await desk.send('GET', '/videos')).json()).toMatchObject({ data: [] })
  })
})

describe('a job', () => {
  test('walks its states, and its progress never falls', async () => {
    const { id } = await desk.order()
    vendor.last().state = { status: 'in_progress', progress: 60 }
    await desk.pass(15_000, async () => (await desk.show(id)).progress === 60)
    expect((await desk.show(id)).status).toBe('in_progress')
    vendor.last().state = { status: 'queued', progress: 10 }
    const { looks } = vendor.last()
    await desk.pass(30_000, () => vendor.last().looks > looks)
    expect(await desk.show(id)).toMatchObject({ status: 'in_progress', progress: 60 })
    vendor.last().state = { status: 'completed', progress: 100 }
    await desk.pass(30_000, async () => (await desk.show(id)).status === 'completed')
    const made = await desk.show(id)
    expect(made).toMatchObject({ progress: 100, refunded: false, error: null })
    expect(made.completed_at).not.toBeNull()
    expect(await desk.balance()).toBe(99.6)
  })

  test('that the vendor fails is refunded once, though nobody asks for it', async () => {
    const { id } = await desk.order()
    vendor.last().state = { status: 'failed', error: { code: 'moderation_blocked' } }
    await desk.pass(15_000, async () => (await desk.balance()) === 100)
    const video = await desk.show(id)
    expect(video).toMatchObject({ status: 'failed', refunded: true, usd: '0.400000' })
    expect(video.error?.code).toBe('content_policy')
    await desk.pass(60_000)
    expect(await desk.balance()).toBe(100)
  })

  test('that is not made in time fails, is refunded, and the vendor is told', async () => {
    const { id } = await desk.order()
    vendor.last().state = { status: 'in_progress', progress: 40 }
    await desk.pass(29 * 60_000, async () => (await desk.show(id)).progress === 40)
    expect((await desk.show(id)).refunded).toBe(false)
    await desk.pass(2 * 60_000, () => vendor.last().deleted === 1)
    const video = await desk.show(id)
    expect(video).toMatchObject({ status: 'failed', refunded: true, progress: 40 })
    expect(video.error?.code).toBe('video_timeout')
    expect(await desk.balance()).toBe(100)
  })

  test('that times out although its vendor hangs, is refunded all the same', async () => {
    const { id } = await desk.order()
    vendor.play(() => new Promise(() => {}))
    await desk.pass(15_000)
    await desk.pass(31 * 60_000, async () => (await desk.show(id)).refunded)
    expect(await desk.balance()).toBe(100)
  })

  test('that its vendor knows nothing of any more is refunded, but not for one such answer', async () => {
    const { id } = await desk.order()
    const { state } = vendor.last()
    let asked = 0
    vendor.play(() => (asked++, null))
    vendor.last().state = null
    await desk.pass(15_000, () => asked === 1)
    vendor.last().state = state
    await desk.pass(30_000, () => asked === 2)
    vendor.last().state = null
    for (const time of [3, 4]) await desk.pass(30_000, () => asked === time)
    expect((await desk.show(id)).status).toBe('queued')
    await desk.pass(30_000, async () => (await desk.show(id)).status === 'failed')
    expect((await desk.show(id)).error?.code).toBe('video_lost')
    expect(await desk.balance()).toBe(100)
  })

  test('outlives answers that are none', async () => {
    const { id } = await desk.order()
    let asked = 0
    vendor.play(() => (asked++, new Response('<html>', { status: asked === 1 ? 502 : 200 })))
    await desk.pass(15_000, () => asked === 1)
    await desk.pass(60_000, () => asked === 2)
    vendor.play(null)
    vendor.last().state = { status: 'completed' }
    await desk.pass(120_000, async () => (await desk.show(id)).status === 'completed')
    expect(await desk.balance()).toBe(99.6)
  })

  test('shows its failure and refund in its request, its receipt, the usage and the account’s ledger', async () => {
    const answer = await desk.send('POST', '/videos', { model: 'film', prompt: 'sea' })
    const request = answer.headers.get('x-request-id') ?? ''
    expect((await (await desk.send('GET', `/requests/${request}`)).json()) as object).toMatchObject(
      {
        endpoint: 'videos',
        status: 'success',
        usd: '0.400000',
        receipt: {
          lines: [{ meter: 'video_second', units: 4, unit_price_usd: '0.1', amount_usd: '0.4' }],
          refunded_usd: '0.000000',
        },
      },
    )
    vendor.last().state = { status: 'failed' }
    await desk.pass(15_000, async () => (await desk.balance()) === 100)
    expect((await (await desk.send('GET', `/requests/${request}`)).json()) as object).toMatchObject(
      {
        status: 'error',
        error: { type: 'upstream_error', code: 'video_failed' },
        usd: '0.000000',
        refunded_usd: '0.400000',
        receipt: { charged_usd: '0.400000', refunded_usd: '0.400000' },
      },
    )
    const day = new Date(desk.clock.now()).toISOString().slice(0, 10)
    const usage = await desk.send('GET', `/usage?from=${day}&to=${day}`)
    expect((await usage.json()) as object).toMatchObject({
      total_usd: '0.000000',
      data: [{ requests: 1, errors: 1, usd: '0.000000' }],
    })
    const { lines } = await wholeLedger(desk.chapar.storage, {
      account: desk.chapar.account,
      from: 0 as never,
      to: Number.MAX_SAFE_INTEGER as never,
    })
    const kinds = lines.map(({ kind, amount, reference }) => [kind, Number(amount), reference])
    expect(kinds.slice(1)).toEqual([
      ['charge', -400_000_000, request],
      ['refund', 400_000_000, request],
    ])
    const me = (await (await desk.send('GET', '/me')).json()) as { key: { spent_usd: string } }
    expect(me.key.spent_usd).toBe('0.000000')
  })

  test('that was refunded gives its room under a cap back', async () => {
    const capped = await desk.chapar.customer({ key: { spendLimit: 500_000_000 as never } })
    const as = { authorization: `Bearer ${capped.key}` }
    const body = { model: 'film', prompt: 'sea' }
    expect((await desk.send('POST', '/videos', body, as)).status).toBe(200)
    expect(await errorOf(await desk.send('POST', '/videos', body, as))).toMatchObject({
      code: 'key_spend_limit_reached',
    })
    vendor.last().state = { status: 'failed' }
    const { ledger } = desk.chapar.gateway.parts
    await desk.pass(15_000, async () => (await ledger.spentByKey(capped.keyId)) === 0)
    expect((await desk.send('POST', '/videos', body, as)).status).toBe(200)
  })
})

describe('deleting', () => {
  test('the file of a job is no deleting of the job', async () => {
    const { id } = await desk.order()
    const answer = await desk.send('DELETE', `/videos/${id}/content`)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
    expect((await desk.show(id)).status).toBe('queued')
  })

  test('a job that is not made yet cancels it, with its cost back, and tells the vendor', async () => {
    const { id } = await desk.order()
    const answer = await desk.send('DELETE', `/videos/${id}`)
    expect(await answer.json()).toEqual({
      id,
      object: 'video.deleted',
      deleted: true,
      refunded: true,
    })
    expect(await desk.balance()).toBe(100)
    await desk.pass(100, () => vendor.last().deleted === 1)
    expect((await desk.send('GET', `/videos/${id}`)).status).toBe(404)
    expect(await errorOf(await desk.send('DELETE', `/videos/${id}`))).toEqual({
      status: 404,
      code: 'video_not_found',
      param: 'id',
    })
    vendor.last().state = { status: 'completed' }
    await desk.pass(60_000)
    expect(await desk.balance()).toBe(100)
  })

  test('a video that is made hides it and returns nothing', async () => {
    const { id } = await completed()
    const answer = await desk.send('DELETE', `/videos/${id}`)
    expect(await answer.json()).toMatchObject({ deleted: true, refunded: false })
    expect((await desk.send('GET', `/videos/${id}/content`)).status).toBe(404)
    expect(await desk.balance()).toBe(99.6)
  })

  test('many times at once refunds once', async () => {
    const { id } = await desk.order()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => desk.send('DELETE', `/videos/${id}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await desk.balance()).toBe(100)
  })

  test('while a look is on its way wins over what the look finds', async () => {
    const { id } = await desk.order()
    const gate = Promise.withResolvers<null>()
    const asked = Promise.withResolvers<void>()
    vendor.last().state = { status: 'completed' }
    vendor.play((request) => (request.method === 'GET' ? (asked.resolve(), gate.promise) : null))
    await desk.pass(15_000)
    await asked.promise
    await desk.send('DELETE', `/videos/${id}`)
    gate.resolve(null)
    await desk.pass(1000, () => vendor.last().looks > 0)
    expect(await desk.balance()).toBe(100)
  })
})

describe('the file', () => {
  test('is streamed through, whole', async () => {
    const { id } = await completed()
    const answer = await desk.send('GET', `/videos/${id}/content`)
    expect(answer.headers.get('content-type')).toBe('video/mp4')
    expect(answer.headers.get('content-disposition')).toBeNull()
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(filmBytes)
    expect(vendor.fetched).toEqual([{ variant: 'video', range: null }])
  })

  test('tells its length, and that of a range, to who asks for its head', async () => {
    const { id } = await completed()
    const head = async (headers: Record<string, string> = {}) => {
      const answer = await desk.send('HEAD', `/videos/${id}/content`, undefined, headers)
      expect((await answer.bytes()).length).toBe(0)
      return [
        answer.status,
        answer.headers.get('content-length'),
        answer.headers.get('content-type'),
      ]
    }
    expect(await head()).toEqual([200, String(filmBytes.length), 'video/mp4'])
    expect(await head({ range: 'bytes=1000-1999' })).toEqual([206, '1000', 'video/mp4'])
  })

  test('comes in the range that is asked for, to be saved when that is asked', async () => {
    const { id } = await completed()
    const range = { range: 'bytes=1000-1999' }
    const answer = await desk.send('GET', `/videos/${id}/content?download=1`, undefined, range)
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(`bytes 1000-1999/${filmBytes.length}`)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${id}.mp4"`)
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(filmBytes.slice(1000, 2000))
  })

  test.each(['bytes=0-1,5-9', 'items=0-1', 'bytes=-'])(
    'comes whole for a range that is none, or several (%s)',
    async (range) => {
      const { id } = await completed()
      const answer = await desk.send('GET', `/videos/${id}/content`, undefined, { range })
      expect(answer.status).toBe(200)
      expect((await answer.bytes()).length).toBe(filmBytes.length)
      expect(vendor.fetched).toEqual([{ variant: 'video', range: null }])
    },
  )

  test('of a range beyond its end is answered as the vendor answers', async () => {
    const { id } = await completed()
    vendor.play(
      () => new Response(null, { status: 416, headers: { 'content-range': 'bytes */9' } }),
    )
    const answer = await desk.send('GET', `/videos/${id}/content`, undefined, {
      range: 'bytes=99-',
    })
    expect(answer.status).toBe(416)
    expect(answer.headers.get('content-range')).toBe('bytes */9')
  })

  test('in a variant is asked of the vendor in it; a variant that is none is refused', async () => {
    const { id } = await completed()
    await (await desk.send('GET', `/videos/${id}/content?variant=spritesheet`)).arrayBuffer()
    expect(vendor.fetched).toEqual([{ variant: 'spritesheet', range: null }])
    const refused = await desk.send('GET', `/videos/${id}/content?variant=subtitles`)
    expect(await errorOf(refused)).toEqual({ status: 400, code: null, param: 'variant' })
  })

  test('is not there before it is made, nor when it failed', async () => {
    const { id } = await desk.order()
    const early = await desk.send('GET', `/videos/${id}/content`)
    expect(await errorOf(early)).toEqual({ status: 400, code: null, param: 'id' })
    vendor.last().state = { status: 'failed' }
    await desk.pass(15_000, async () => (await desk.show(id)).status === 'failed')
    const late = await desk.send('GET', `/videos/${id}/content`)
    expect(await errorOf(late)).toEqual({ status: 404, code: 'video_not_found', param: 'id' })
  })

  test('is gone 48 hours after it was ordered; the job is still told of', async () => {
    const made = await completed()
    await desk.pass(47 * hour)
    await (await desk.send('GET', `/videos/${made.id}/content`)).arrayBuffer()
    expect(vendor.fetched).toHaveLength(1)
    await desk.pass(hour)
    const answer = await desk.send('GET', `/videos/${made.id}/content`)
    expect(await errorOf(answer)).toEqual({ status: 404, code: 'video_not_found', param: 'id' })
    expect(vendor.fetched).toHaveLength(1)
    expect((await desk.show(made.id)).status).toBe('completed')
  })

  test('that the vendor keeps for less long is told to be gone by then', async () => {
    const { id } = await desk.order()
    const until = Math.floor(desk.clock.now() / 1000) + 3600
    vendor.last().state = { status: 'completed', expires_at: until }
    await desk.pass(15_000, async () => (await desk.show(id)).status === 'completed')
    expect((await desk.show(id)).expires_at).toBe(until)
    await desk.pass(hour)
    expect((await desk.send('GET', `/videos/${id}/content`)).status).toBe(404)
  })

  test('that the vendor has lost is not found; its failure is told as one', async () => {
    const { id } = await completed()
    vendor.play(() => Response.json({ error: {} }, { status: 404 }))
    expect((await errorOf(await desk.send('GET', `/videos/${id}/content`))).status).toBe(404)
    vendor.play(() => Response.json({ error: {} }, { status: 500 }))
    const answer = await desk.send('GET', `/videos/${id}/content`)
    expect(await errorOf(answer)).toMatchObject({ status: 502, code: 'upstream_error' })
  })

  test('that breaks on its way is broken for the client too, never short and whole', async () => {
    const { id } = await completed()
    vendor.play(() => {
      let sent = 0
      const body = new ReadableStream({
        async pull(controller) {
          if (sent++ < 3) return controller.enqueue(new Uint8Array(10_000))
          await Bun.sleep(10)
          controller.error('cut')
        },
      })
      return new Response(body, { headers: { 'content-type': 'video/mp4' } })
    })
    const read = async () => {
      await (await desk.send('GET', `/videos/${id}/content`)).arrayBuffer()
      return 'whole'
    }
    expect(await read().catch(() => 'broken')).toBe('broken')
  })

  test('comes no faster than its reader reads, and stops when he leaves', async () => {
    const { id } = await completed()
    let sent = 0
    const stopped = Promise.withResolvers<void>()
    const piece = new Uint8Array(65_536)
    vendor.play(
      () =>
        new Response(
          new ReadableStream({
            pull: (controller) => (sent++, controller.enqueue(piece)),
            cancel: () => stopped.resolve(),
          }),
          { headers: { 'content-type': 'video/mp4' } },
        ),
    )
    const left = new AbortController()
    const answer = await fetch(`${desk.chapar.url}/videos/${id}/content`, {
      headers: { authorization: `Bearer ${desk.chapar.key}` },
      signal: left.signal,
    })
    const reader = answer.body?.getReader()
    await reader?.read()
    await Bun.sleep(300)
    // What fits into the buffers of the sockets between, and no more.
    expect(sent).toBeLessThan(400)
    const before = sent
    await Bun.sleep(100)
    expect(sent).toBe(before)
    left.abort()
    await stopped.promise
  })
})

describe('the list', () => {
  test('is of the project, newest first, page by page', async () => {
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.unshift((await desk.order()).id)
    const page = async (query: string) =>
      (await (await desk.send('GET', `/videos?${query}`)).json()) as {
        data: ShownVideo[]
        has_more: boolean
        first_id: string
        last_id: string
      }
    const first = await page('limit=2')
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(first).toMatchObject({ has_more: true, first_id: ids[0], last_id: ids[1] })
    const rest = await page(`limit=3&after=${first.last_id}`)
    expect(rest.data.map(({ id }) => id)).toEqual(ids.slice(2))
    expect(rest.has_more).toBe(false)
    const oldest = await page('order=asc&limit=1')
    expect(oldest.data.map(({ id }) => id)).toEqual(ids.slice(-1))
    const other = await desk.chapar.customer()
    const theirs = await desk.send('GET', '/videos', undefined, {
      authorization: `Bearer ${other.key}`,
    })
    expect(await theirs.json()).toEqual({
      object: 'list',
      data: [],
      first_id: null,
      last_id: null,
      has_more: false,
    })
    const [id] = ids
    const stolen = await desk.send('GET', `/videos/${id}`, undefined, {
      authorization: `Bearer ${other.key}`,
    })
    expect((await errorOf(stolen)).code).toBe('video_not_found')
  })

  test.each(['limit=0', 'limit=101', 'limit=two', 'order=up'])('refuses %s', async (query) => {
    const [param = ''] = query.split('=')
    const answer = await desk.send('GET', `/videos?${query}`)
    expect(await errorOf(answer)).toEqual({ status: 400, code: null, param })
  })
})
