import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { brokenForm } from '../support/broken-form'
import {
  costOf,
  mp3,
  openAudioGateway,
  refusalOf,
  type AudioGateway,
} from '../support/audio-gateway'
import * as recorded from '../support/recorded/audio'

const ceiling = 25 * 1024 * 1024
const type = 'multipart/form-data; boundary=b0'

let folder: string
let audio: AudioGateway
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chapar-audio-'))
  audio = await openAudioGateway({ folder })
})
afterAll(async () => {
  await audio.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => audio.answers(recorded.whisper))

const openFiles = () => readdirSync('/dev/fd').length
const uploads = () => readdirSync(folder).filter((name) => name.startsWith('.upload'))

/** What is held, taken or open, once everything has come to rest. */
async function atRest(files: number) {
  const { held, slots } = await audio.chapar.rest()
  for (let tries = 0; openFiles() > files && tries < 200; tries++) await Bun.sleep(5)
  return { held, slots, left: uploads(), files: openFiles() <= files }
}
const nothing = { held: 0, slots: 0, left: [], files: true }

const part = (name: string, content: string, filename?: string) =>
  `--b0\r\ncontent-disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n\r\n${content}\r\n`
const before = part('model', 'whisper') + part('file', '', 'a.mp3').slice(0, -2)
const after = '\r\n--b0--\r\n'

function post(body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>, signal?: AbortSignal) {
  return fetch(`${audio.chapar.url}/audio/transcriptions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${audio.chapar.key}`,
      'accept-language': 'en',
      'content-type': type,
    },
    body,
    ...(signal === undefined ? {} : { signal }),
  })
}

/** A form whose recording is as long as this; in chunks, so that its length is told by nobody. */
function streamed(bytes: number): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(Buffer.from(before))),
    pull(controller) {
      if (sent === bytes) {
        controller.enqueue(new Uint8Array(Buffer.from(after)))
        return controller.close()
      }
      const piece = new Uint8Array(Math.min(262_144, bytes - sent)).fill(1)
      if (sent === 0) piece.set(mp3.subarray(0, 4000))
      sent += piece.byteLength
      controller.enqueue(piece)
    },
  })
}

function whole(bytes: number): Uint8Array<ArrayBuffer> {
  const form = new Uint8Array(before.length + bytes + after.length)
  form.set(Buffer.from(before))
  form.set(mp3.subarray(0, 4000), before.length)
  form.set(Buffer.from(after), before.length + bytes)
  return form
}

describe('a recording of the largest size', () => {
  test.each([
    ['told', whole],
    ['in chunks', streamed],
  ])('is taken to the last byte, %s', async (_, formOf) => {
    const answer = await post(formOf(ceiling))
    expect(answer.status).toBe(200)
    expect(audio.heardLast().file?.bytes.length).toBe(ceiling)
  })

  test.each([
    ['told', whole],
    ['in chunks', streamed],
  ])('is refused with one byte more, %s', async (_, formOf) => {
    const files = openFiles()
    const heard = audio.vendor.heard.length
    expect(await refusalOf(await post(formOf(ceiling + 1)))).toMatchObject({
      status: 413,
      code: 'request_too_large',
      message: expect.stringContaining('25600') as unknown,
    })
    expect(audio.vendor.heard.length).toBe(heard)
    expect(await atRest(files)).toEqual(nothing)
  })

  test('is refused before it is sent where its length tells', async () => {
    const { port } = new URL(audio.chapar.url)
    const socket = connect(Number(port), '127.0.0.1')
    const head =
      `POST /v1/audio/transcriptions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${audio.chapar.key}\r\n` +
      `content-type: ${type}\r\ncontent-length: 99999999\r\n\r\n`
    const said = await new Promise<string>((resolve) => {
      socket.once('data', (bytes) => resolve(bytes.toString()))
      socket.write(head)
    })
    socket.destroy()
    expect(said).toStartWith('HTTP/1.1 413')
  })

  test('goes to Google as base64 without being whole anywhere', async () => {
    audio.answers(recorded.gemini('Noise.'))
    const form = whole(ceiling)
    const text = Buffer.from(form).toString('latin1').replace('whisper', 'gemini')
    const answer = await post(new Uint8Array(Buffer.from(text, 'latin1')))
    expect(costOf(answer)).toBe('0.000845')
    const { contents } = JSON.parse(audio.heardLast().bytes.toString()) as {
      contents: { parts: { inlineData?: { data: string } }[] }[]
    }
    const data = contents[0]?.parts[0]?.inlineData?.data ?? ''
    expect(Buffer.from(data, 'base64').length).toBe(ceiling)
  })
})

test('a recording that goes through a proxy tells its length too', async () => {
  const proxied = await openAudioGateway({ env: { HTTPS_PROXY: 'http://127.0.0.1:1' } })
  proxied.answers(recorded.whisper)
  expect((await proxied.send({ model: 'whisper' })).status).toBe(200)
  const { headers, bytes, file } = proxied.heardLast()
  expect(headers.get('content-length')).toBe(String(bytes.length))
  expect(headers.get('transfer-encoding')).toBeNull()
  expect(file?.bytes.equals(mp3)).toBe(true)
  await proxied.close()
})

test('a recording that a proxy takes nowhere is let go of', async () => {
  const files = openFiles()
  const proxied = await openAudioGateway({
    env: { HTTPS_PROXY: 'http://127.0.0.1:1' },
    vendorUrl: 'http://127.0.0.1:9/v1',
  })
  for (let times = 0; times < 3; times++)
    expect((await proxied.send({ model: 'whisper' })).status).toBe(502)
  await proxied.close()
  for (let tries = 0; openFiles() > files && tries < 200; tries++) await Bun.sleep(5)
  expect(openFiles()).toBeLessThanOrEqual(files)
})

test('a vendor that begins its answer before it has heard all hears the rest', async () => {
  const bytes = 8_000_000
  let received = 0
  const eager = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (piece) => {
      if (received === 0)
        socket.write(
          'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n',
        )
      const before = received
      received += piece.length
      // Slower than it is sent, and with a word in between.
      socket.pause()
      setTimeout(() => socket.resume(), 1)
      const delta = { type: 'transcript.text.delta', delta: 'Noise' }
      if (before === 0) socket.write(`data: ${JSON.stringify(delta)}\n\n`)
      if (before < bytes && received > bytes)
        socket.end(`data: ${JSON.stringify({ type: 'transcript.text.done', text: 'Noise' })}\n\n`)
    })
  })
  await new Promise<void>((resolve) => eager.listen(0, '127.0.0.1', resolve))
  const { port } = eager.address() as AddressInfo
  const gateway = await openAudioGateway({ vendorUrl: `http://127.0.0.1:${port}/v1` })
  // The client's own connection is there to stay.
  await (await gateway.send({})).text()
  const files = openFiles()
  const file = Buffer.alloc(bytes, 'ID3')
  const answer = await gateway.send({ model: 'tokens', stream: 'true' }, { file })
  expect(received).toBeLessThan(bytes)
  const text = await answer.text()
  expect(text).toContain('transcript.text.done')
  expect(text).not.toContain('error')
  expect(received).toBeGreaterThan(bytes)
  for (let tries = 0; openFiles() > files && tries < 200; tries++) await Bun.sleep(5)
  expect(openFiles()).toBeLessThanOrEqual(files)
  await gateway.close()
  eager.close()
})

test('a vendor that breaks off in the middle of an upload leaves nothing, with a proxy and without', async () => {
  const resetting = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => setTimeout(() => socket.resetAndDestroy(), 5))
  })
  await new Promise<void>((resolve) => resetting.listen(0, '127.0.0.1', resolve))
  const { port } = resetting.address() as AddressInfo
  const vendorUrl = `http://127.0.0.1:${port}/v1`
  for (const env of [{}, { HTTPS_PROXY: 'http://127.0.0.1:1' }]) {
    const breaking = await openAudioGateway({ env, vendorUrl })
    await (await breaking.send({})).text()
    const files = openFiles()
    for (let times = 0; times < 5; times++) {
      const file = Buffer.alloc(8_000_000, 'ID3')
      const answer = await breaking.send({ model: 'whisper' }, { file })
      expect(await refusalOf(answer)).toMatchObject({ status: 502, code: 'upstream_unreachable' })
    }
    for (let tries = 0; openFiles() > files && tries < 200; tries++) await Bun.sleep(5)
    expect(openFiles()).toBeLessThanOrEqual(files)
    await breaking.close()
  }
  resetting.close()
})

describe('a client that leaves', () => {
  test('in the middle of its upload leaves nothing', async () => {
    const files = openFiles()
    const heard = audio.vendor.heard.length
    for (const bytes of [0, 1, 70_000, 3_000_000]) {
      const { port } = new URL(audio.chapar.url)
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(
        `POST /v1/audio/transcriptions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${audio.chapar.key}\r\n` +
          `content-type: ${type}\r\ncontent-length: 9999999\r\n\r\n${before}`,
      )
      socket.write(Buffer.alloc(bytes))
      const { limits } = audio.chapar.gateway.parts
      for (let tries = 0; limits.slotsInUse() === 0 && tries < 400; tries++) await Bun.sleep(5)
      expect(limits.slotsInUse()).toBe(1)
      // A file that is being written has no name either: whatever ends us leaves nothing.
      expect(uploads()).toEqual([])
      socket.resetAndDestroy()
      expect(await atRest(files)).toEqual(nothing)
    }
    expect(audio.vendor.heard.length).toBe(heard)
  })

  test('while its vendor listens drops the vendor, and pays nothing', async () => {
    const files = openFiles()
    const { balance } = await audio.chapar.rest()
    const leaving = new AbortController()
    const arrived = Promise.withResolvers<undefined>()
    const dropped = Promise.withResolvers<undefined>()
    audio.vendor.play((_, request) => {
      request.signal.addEventListener('abort', () => dropped.resolve(undefined))
      arrived.resolve(undefined)
      return new Promise(() => {})
    })
    const asked = post(whole(200_000), leaving.signal).catch(() => 'gone')
    await arrived.promise
    expect(uploads()).toEqual([])
    leaving.abort()
    expect(await asked).toBe('gone')
    await dropped.promise
    expect(await atRest(files + 2)).toEqual(nothing)
    expect((await audio.chapar.rest()).balance).toBe(balance)
  })
})

describe('any broken form', () => {
  const form = `${before}some sound${after}`
  const broken = brokenForm(form, { mostChanges: 4, longest: 30 })

  test('is refused in our shape, and none is a fault of ours', async () => {
    const files = openFiles()
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(fc.array(broken, { minLength: 20, maxLength: 20 }), async (all) => {
        await Promise.all(
          all.map(async (text) => {
            const bytes = new Uint8Array(Buffer.from(text, 'latin1'))
            // A server may close an idle connection just as a client takes it again (RFC 9112 9.3.1).
            const answer = await post(bytes).catch(() => post(bytes))
            statuses.add(answer.status)
            if (answer.ok) return void (await answer.arrayBuffer())
            const { status, code, message } = await refusalOf(answer)
            expect(status).toBeWithin(400, 500)
            expect(message.length).toBeGreaterThan(5)
            expect(code === null || typeof code === 'string').toBe(true)
          }),
        )
      }),
      { numRuns: 500 },
    )
    expect(statuses.has(400)).toBe(true)
    expect([...statuses].every((status) => status === 200 || (status >= 400 && status < 500))).toBe(
      true,
    )
    expect(await atRest(files + 50)).toMatchObject({ held: 0, slots: 0, left: [] })
    expect(await audio.chapar.audit()).toMatchObject({ ok: true })
  })
})
