import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { fieldsOf } from '../../src/gateway/json/fields'
import { audioFormats } from '../../src/gateway/media/audio-format'
import { wavHead } from '../../src/gateway/media/wav'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { failure, hang, openStandIn, type Script, type StandIn } from '../support/stand-in'
import {
  geminiAudio,
  perCharacter,
  perToken,
  piecesOf,
  poured,
  recorded,
  saveAudioModel,
  spoken,
  spokenEvents,
  type PouringOptions,
} from '../support/voices'

let vendor: StandIn
let second: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn()
  second = openStandIn(() => spoken('mp3'))
  chapar = await openTestGateway({
    async prepare(storage) {
      const { url } = vendor
      const openai = { kind: 'openai', dialect: 'openai', vendorModel: 'voice-1' } as const
      await saveAudioModel(storage, {
        id: 'other',
        ...openai,
        url: second.url,
        lines: perCharacter,
      })
      await saveAudioModel(storage, {
        id: 'tts',
        ...openai,
        url,
        lines: perCharacter,
        also: ['other'],
      })
      await saveAudioModel(storage, { id: 'alone', ...openai, url, lines: perCharacter })
      await saveAudioModel(storage, {
        id: 'impatient',
        ...openai,
        url,
        lines: perCharacter,
        timeoutMs: 150,
        also: ['other'],
      })
      await saveAudioModel(storage, { id: 'mini', ...openai, url, lines: perToken })
      await saveAudioModel(storage, {
        id: 'gemini',
        kind: 'google',
        vendorModel: 'gemini-tts',
        url,
        lines: perToken,
      })
      await saveAudioModel(storage, {
        id: 'half-priced',
        ...openai,
        url,
        lines: perToken.filter(({ meter }) => meter === 'input'),
      })
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
  await second.close()
})

const input = 'Hello there'
const price = '0.000165'
const send = (body: object, signal?: AbortSignal, key = chapar.key): Promise<Response> =>
  fetch(`${chapar.url}/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'tts', input, voice: 'alloy', ...body }),
    ...(signal === undefined ? {} : { signal }),
  })

/** How the call ended, by its record. */
async function recordOf(answer: Response, key = chapar.key) {
  await chapar.rest()
  const response = await fetch(`${chapar.url}/requests/${answer.headers.get('x-request-id')}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { status, usd, error, usage } = fieldsOf(await response.json())
  return { status, usd, code: fieldsOf(error)['code'] ?? null, usage: fieldsOf(usage) }
}

/** What came, and whether it came to an end. */
async function heard(answer: Response): Promise<{ bytes: number; whole: boolean }> {
  let bytes = 0
  try {
    for await (const piece of piecesOf(answer)) bytes += piece.length
    return { bytes, whole: true }
  } catch {
    return { bytes, whole: false }
  }
}

/** The head of an answer, and nothing behind it. */
const silent = (type: string) =>
  new Response(
    new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(type === 'application/json' ? '{' : ''))
        await Bun.sleep(30_000)
      },
    }),
    { headers: { 'content-type': type } },
  )
const events = (usage: object | null) =>
  poured(spokenEvents(recorded.mp3, usage), 'text/event-stream')
const nothingHeld = async () => {
  const { held, slots } = await chapar.rest()
  expect({ held, slots }).toEqual({ held: 0, slots: 0 })
  expect(await chapar.audit()).toMatchObject({ differences: [], pending: 0 })
}

describe('a voice that is sold by the character', () => {
  test('tells its price before it begins, and charges it', async () => {
    vendor.play(() => spoken('opus'))
    const answer = await send({ response_format: 'opus' })
    expect(answer.headers.get('x-cost-usd')).toBe(price)
    expect(await heard(answer)).toEqual({ bytes: recorded.opus.byteLength, whole: true })
    expect(await recordOf(answer)).toMatchObject({ status: 'success', usd: price, code: null })
    await nothingHeld()
  })
})

describe('a voice that is sold by tokens', () => {
  test.each([0, 1])('a head that tells of %d samples a second is not believed', async (rate) => {
    const file = Buffer.concat([wavHead(rate, null), new Uint8Array(40_000)])
    vendor.play(() => poured(file, 'audio/wav', { bytesAtATime: 10_000, delayMs: 2 }))
    const answer = await send({ model: 'mini', response_format: 'wav' })
    expect(await heard(answer)).toEqual({ bytes: file.byteLength, whole: true })
    const { status, usd } = await recordOf(answer)
    expect(status).toBe('success')
    // Eighty seconds at most: a voice takes four thousand bits for each.
    expect(Number(usd)).toBeLessThan(0.02)
    await nothingHeld()
  })

  test('costs what its events count', async () => {
    vendor.play(() => events({ input_tokens: 4, output_tokens: 11, total_tokens: 15 }))
    const answer = await send({ model: 'mini' })
    expect(answer.headers.get('x-cost-usd')).toBeNull()
    expect(await heard(answer)).toMatchObject({ whole: true })
    expect(await recordOf(answer)).toMatchObject({
      usd: '0.000142',
      usage: { input_tokens: 4, output_tokens: 11 },
    })
  })

  test('costs the same when all of it comes at once', async () => {
    const all = spokenEvents(recorded.mp3, { input_tokens: 4, output_tokens: 11 })
    vendor.play(() => new Response(all, { headers: { 'content-type': 'text/event-stream' } }))
    const answer = await send({ model: 'mini' })
    expect(await heard(answer)).toEqual({ bytes: recorded.mp3.byteLength, whole: true })
    expect(await recordOf(answer)).toMatchObject({ status: 'success', usd: '0.000142' })
  })

  test('costs what Google counts, which a whole answer tells in front', async () => {
    vendor.play(() => Response.json(geminiAudio(recorded.pcm, 'audio/L16;rate=24000')))
    const answer = await send({ model: 'gemini', voice: 'Kore' })
    expect(answer.headers.get('x-cost-usd')).toBe('0.0001735')
    expect(await recordOf(answer)).toMatchObject({ usd: '0.0001735' })
  })

  test.each([
    ['tells nothing at the end', () => events(null)],
    ['counts nothing', () => events({ input_tokens: 4, output_tokens: 0 })],
    ['sends bare audio', () => spoken('mp3')],
  ])('is never free: a vendor that %s is charged by how long it plays', async (_, answers) => {
    vendor.play(answers)
    const answer = await send({ model: 'mini' })
    expect(await heard(answer)).toMatchObject({ whole: true })
    // 24 frames of 24 ms, 20 tokens a second.
    expect((await recordOf(answer)).usage).toMatchObject({ output_tokens: 12 })
  })

  test.each([...audioFormats])('that is not counted costs about as much as %s', async (format) => {
    vendor.play(() => spoken(format))
    const answer = await send({ model: 'mini', response_format: format })
    await heard(answer)
    const { usage } = await recordOf(answer)
    // Half a second of audio, or as long as the two words would take.
    expect(Number(usage['output_tokens'])).toBeGreaterThanOrEqual(10)
    expect(Number(usage['output_tokens'])).toBeLessThanOrEqual(14)
  })

  test('that breaks off costs the seconds that were sent', async () => {
    const long = new Uint8Array(48_000 * 10)
    vendor.play(() => poured(long, 'audio/pcm', { bytesAtATime: 9600, cutAfter: 10, delayMs: 1 }))
    const answer = await send({ model: 'mini', response_format: 'pcm' })
    const { bytes, whole } = await heard(answer)
    expect(whole).toBe(false)
    const record = await recordOf(answer)
    expect(record).toMatchObject({ status: 'error', code: 'stream_interrupted' })
    expect(record.usage['output_tokens']).toBe(Math.ceil((bytes / 48_000) * 20))
  })

  test('stops where the money does, and costs what was sent', async () => {
    const poor = await chapar.customer({ usd: '0.003' })
    vendor.play(() =>
      poured(new Uint8Array(48_000 * 60), 'audio/pcm', { bytesAtATime: 24_000, delayMs: 1 }),
    )
    const asked = { model: 'mini', response_format: 'pcm' }
    const answer = await send(asked, undefined, poor.key)
    expect(answer.status).toBe(200)
    expect(await heard(answer)).toMatchObject({ whole: false })
    const record = await recordOf(answer, poor.key)
    expect(record).toMatchObject({ status: 'error', code: 'insufficient_credit' })
    expect(Number(record.usd)).toBeGreaterThan(0.0005)
    expect(Number(record.usd)).toBeLessThanOrEqual(0.003)
    await nothingHeld()
  })

  test('is not on sale when a price is missing', async () => {
    const calls = vendor.seen.length
    const answer = await send({ model: 'half-priced' })
    expect(answer.status).toBe(404)
    expect(fieldsOf(await answer.json())).toMatchObject({ error: { code: 'model_not_found' } })
    expect(vendor.seen.length).toBe(calls)
  })
})

describe('a vendor that fails before a byte', () => {
  const cutAtOnce: PouringOptions = { cutAfter: 0 }
  test.each<[string, Script]>([
    ['answers with an error', failure(500, { message: 'oops' })],
    ['is full', failure(429, { message: 'slow down' })],
    ['answers with nothing', () => new Response('', { headers: { 'content-type': 'audio/mpeg' } })],
    ['breaks off at once', () => spoken('mp3', cutAtOnce)],
    ['says in a success that it failed', () => Response.json({ error: { message: 'oops' } })],
    [
      'sends a page for people',
      () => new Response('<p>oops</p>'.repeat(500), { headers: { 'content-type': 'text/html' } }),
    ],
    [
      'says so in an event',
      () => poured(Buffer.from('data: {"error":{"message":"oops"}}\n\n'), 'text/event-stream'),
    ],
  ])('and %s leaves its place to the next, once charged', async (_, script) => {
    vendor.play(script)
    const calls = second.seen.length
    const answer = await send({})
    expect(answer.status).toBe(200)
    expect(await heard(answer)).toEqual({ bytes: recorded.mp3.byteLength, whole: true })
    expect(await recordOf(answer)).toMatchObject({ status: 'success', usd: price })
    expect(second.seen.length).toBe(calls + 1)
  })

  test.each<[string, Script]>([
    ['audio', () => silent('audio/mpeg')],
    ['events', () => silent('text/event-stream')],
    ['JSON', () => silent('application/json')],
  ])('and promises %s but falls silent leaves its place too', async (_, script) => {
    vendor.play(script)
    const answer = await send({ model: 'impatient' })
    expect(await heard(answer)).toEqual({ bytes: recorded.mp3.byteLength, whole: true })
    const stopped = () => vendor.seen.at(-1)?.abortedAt ?? null
    for (let tries = 0; stopped() === null && tries < 100; tries++) await Bun.sleep(5)
    expect(stopped()).not.toBeNull()
  })

  test('costs nothing when there is no other', async () => {
    const { balance } = await chapar.rest()
    vendor.play(() => spoken('mp3', cutAtOnce))
    const answer = await send({ model: 'alone' })
    expect(answer.status).toBe(502)
    expect(fieldsOf(await answer.json())).toMatchObject({
      error: { code: 'upstream_unreachable' },
    })
    expect((await chapar.rest()).balance).toBe(balance)
  })
})

describe('a voice that breaks off', () => {
  test('ends with its connection, after all that was sent, and costs the whole text', async () => {
    vendor.play(() => spoken('mp3', { cutAfter: 3, delayMs: 5 }))
    const answer = await send({ model: 'alone' })
    expect(answer.status).toBe(200)
    expect(await heard(answer)).toEqual({ bytes: 3000, whole: false })
    expect(await recordOf(answer)).toMatchObject({
      status: 'error',
      usd: price,
      code: 'stream_interrupted',
    })
    await nothingHeld()
  })

  test('has sent even a slow client all that is charged before its connection ends', async () => {
    const mark = 0xaa
    const sent = 2_000_000
    vendor.play(() =>
      poured(new Uint8Array(sent + 1).fill(mark), 'audio/mpeg', {
        bytesAtATime: 10_000,
        cutAfter: sent / 10_000,
        cutDelayMs: 300,
      }),
    )
    const url = new URL(chapar.url)
    const body = JSON.stringify({ model: 'alone', input, voice: 'alloy' })
    const socket = connect(Number(url.port), url.hostname)
    socket.on('error', () => {})
    socket.write(
      `POST /v1/audio/speech HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${chapar.key}\r\n` +
        `connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    let heardBytes = 0
    let pauseMs = 900
    let end = ''
    socket.on('data', (bytes: Buffer) => {
      heardBytes += bytes.reduce((sum, each) => sum + (each === mark ? 1 : 0), 0)
      end = (end + bytes.subarray(-8).toString('latin1')).slice(-8)
      socket.pause()
      // Slow once, while the vendor breaks off.
      setTimeout(() => socket.resume(), pauseMs)
      pauseMs = 0
    })
    await new Promise<void>((resolve) => socket.once('close', () => resolve()))
    expect(heardBytes).toBe(sent)
    expect(end).not.toContain('0\r\n\r\n')
    await nothingHeld()
  })

  test('costs nothing below 1024 bytes, where no word is yet', async () => {
    vendor.play(() => spoken('mp3', { cutAfter: 1, bytesAtATime: 1023, delayMs: 5 }))
    const answer = await send({ model: 'alone' })
    expect(await heard(answer)).toEqual({ bytes: 1023, whole: false })
    expect(await recordOf(answer)).toMatchObject({
      status: 'error',
      usd: '0.000000',
      code: 'stream_interrupted',
    })
  })

  test('is cut when the gateway stops', async () => {
    vendor.play(() => poured(new Uint8Array(50_000), 'audio/mpeg', { delayMs: 20 }))
    const answer = await send({ model: 'alone' })
    setTimeout(() => chapar.gateway.parts.streams.cutAll(), 200)
    const { bytes, whole } = await heard(answer)
    expect({ whole, some: bytes > 1024 }).toEqual({ whole: false, some: true })
    expect(await recordOf(answer)).toMatchObject({ code: 'stream_interrupted', usd: price })
  })
})

describe('a client that leaves', () => {
  test('stops the vendor at once, and pays the text', async () => {
    vendor.play(() => poured(new Uint8Array(500_000), 'audio/mpeg', { delayMs: 10 }))
    const leaving = new AbortController()
    const answer = await send({ model: 'alone' }, leaving.signal)
    let bytes = 0
    for await (const piece of piecesOf(answer)) if ((bytes += piece.byteLength) > 2000) break
    const left = performance.now()
    leaving.abort()
    const record = await recordOf(answer)
    expect(record).toMatchObject({ status: 'cancelled', usd: price, code: null })
    const stopped = () => vendor.seen.at(-1)?.abortedAt ?? null
    for (let tries = 0; stopped() === null && tries < 100; tries++) await Bun.sleep(5)
    expect((stopped() ?? Infinity) - left).toBeLessThan(100)
    await nothingHeld()
  })

  const soon = async () => {
    await Bun.sleep(15)
    return poured(new Uint8Array(50_000), 'audio/pcm')
  }
  test.each([
    ['which never comes', hang],
    ['which comes soon', soon],
  ])('before the first byte, %s, pays nothing', async (_, script) => {
    const { balance } = await chapar.rest()
    vendor.play(script)
    const calls = vendor.seen.length
    const leaving = new AbortController()
    const asked = send({ model: 'alone' }, leaving.signal).catch(() => null)
    while (vendor.seen.length === calls) await Bun.sleep(1)
    leaving.abort()
    expect(await asked).toBeNull()
    await Bun.sleep(50)
    expect((await chapar.rest()).balance).toBe(balance)
    await nothingHeld()
  })
})

test('after hundreds of clients that left at random nothing is held, and the audit is exact', async () => {
  vendor.play(() => poured(new Uint8Array(30_000), 'audio/pcm', { delayMs: 2 }))
  const leave = async (model: string) => {
    const leaving = new AbortController()
    const timer = setTimeout(() => leaving.abort(), Math.random() * 90)
    try {
      await heard(await send({ model, response_format: 'pcm' }, leaving.signal))
    } catch {
      // It left before the first byte.
    } finally {
      clearTimeout(timer)
    }
  }
  for (let wave = 0; wave < 4; wave++)
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => leave(index % 2 === 0 ? 'alone' : 'mini')),
    )
  await nothingHeld()
  expect(chapar.gateway.parts.streams.count()).toBe(0)
})

test('a client that reads slowly makes the vendor wait, and hears everything in the end', async () => {
  const pieceBytes = 20_000
  const count = 3000
  let sent = 0
  vendor.play(() => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent === count) return controller.close()
        sent++
        controller.enqueue(new Uint8Array(pieceBytes))
      },
    })
    return new Response(body, { headers: { 'content-type': 'audio/mpeg' } })
  })
  const url = new URL(chapar.url)
  const body = JSON.stringify({ model: 'alone', input, voice: 'alloy' })
  const socket = connect(Number(url.port), url.hostname)
  socket.write(
    `POST /v1/audio/speech HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${chapar.key}\r\n` +
      `connection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await new Promise<void>((resolve) => socket.once('data', () => resolve()))
  socket.pause()
  await Bun.sleep(400)
  const whileSlow = sent
  // Buffers of the system and ours hold some megabytes; all of it would be sixty.
  expect(whileSlow).toBeLessThan(count / 2)
  await Bun.sleep(150)
  expect(sent - whileSlow).toBeLessThan(50)
  let received = 0
  socket.on('data', (bytes) => void (received += bytes.length))
  socket.resume()
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  expect(received).toBeGreaterThan((count - 50) * pieceBytes)
  expect(sent).toBe(count)
  await nothingHeld()
})
