import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import fc from 'fast-check'
import { GatewayError } from '../../src/errors/gateway-error'
import { readForm } from '../../src/gateway/http/form-body'
import { readJson } from '../../src/gateway/http/json-body'
import { openSpool, type Spool } from '../../src/gateway/http/spool'
import { openDecodedReader } from '../../src/gateway/http/read-body'
import { isWholeZstd } from '../../src/gateway/http/zstd-frames'
import { ask, openTestGateway } from '../support/gateway'

const limit = 4096
const url = 'http://gateway.test/'

const encodings = [
  ['gzip', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
] as const

/** @param size of the pieces in which it comes; null for a body whose length is told */
function compressed(data: Uint8Array, encoding: string, size: number | null): Request {
  const bytes = Uint8Array.from(data)
  const headers: Record<string, string> = { 'content-encoding': encoding }
  if (size === null) headers['content-length'] = String(bytes.byteLength)
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close()
      controller.enqueue(bytes.slice(at, at + (size ?? 1)))
      at += size ?? 1
    },
  })
  const type = 'multipart/form-data; boundary=b0'
  return new Request(url, {
    method: 'POST',
    body: size === null ? bytes : stream,
    headers: { ...headers, 'content-type': type },
  })
}

async function refusal(answer: Promise<unknown>): Promise<GatewayError> {
  const outcome = await answer.catch((thrown: unknown) => thrown)
  if (!(outcome instanceof GatewayError)) throw new Error('not refused', { cause: outcome })
  return outcome
}

describe.each(encodings)('JSON in %s', (name, encode) => {
  test('is read as what it holds, however it comes', async () => {
    const text = JSON.stringify({ model: 'm', said: 'سلام'.repeat(100) })
    for (const size of [null, 1, 9, 10_000]) {
      const body = await readJson(compressed(encode(text), name.toUpperCase(), size), limit)
      expect(body).toEqual({ text, value: JSON.parse(text), bytes: Buffer.byteLength(text) })
    }
  })

  test('may hold as much as the limit, and not one byte more', async () => {
    const longest = `"${'x'.repeat(limit - 2)}"`
    expect((await readJson(compressed(encode(longest), name, null), limit)).bytes).toBe(limit)
    const { code, facts } = await refusal(
      readJson(compressed(encode(`${longest} `), name, null), limit),
    )
    expect({ code, facts }).toEqual({ code: 'request_too_large', facts: { limitKb: 4 } })
  })

  test('is decoded no further than the ceiling', async () => {
    const bomb = encode(Buffer.alloc(100_000_000, 32))
    Bun.gc(true)
    const before = process.memoryUsage().rss
    const { code } = await refusal(readJson(compressed(bomb, name, null), 1_000_000))
    expect(code).toBe('request_too_large')
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
  })

  test('that is cut, broken, empty or not compressed is refused by its encoding', async () => {
    const whole = encode(JSON.stringify('x'.repeat(2000)))
    const cuts = Array.from({ length: whole.length - 1 }, (_, at) => whole.subarray(0, at))
    const plain = [Buffer.from('{"model":"m"}'), Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff])]
    for (const data of [...cuts, ...plain]) {
      const error = await refusal(readJson(compressed(data, name, null), limit))
      const encoding = name.replace('x-', '')
      expect([error.code, error.param]).toEqual(['invalid_field', 'body'])
      expect(error.body('en').error.message).toBe(
        `\`body\` must be whole ${encoding} data, as Content-Encoding says.`,
      )
      expect(error.body('fa').error.message).toContain(`دادهٔ کامل`)
    }
  })

  test('is not read when more than the limit is sent', async () => {
    const noise = encode(crypto.getRandomValues(new Uint8Array(limit + 1)))
    for (const size of [null, 1000])
      expect((await refusal(readJson(compressed(noise, name, size), limit))).code).toBe(
        'request_too_large',
      )
  })
})

describe('the encoding of a body', () => {
  test('may be told to be none', async () => {
    for (const name of ['identity', ' Identity ', ''])
      expect((await readJson(compressed(Buffer.from('[1]'), name, null), limit)).value).toEqual([1])
  })

  test('may be deflate without the head of zlib', async () => {
    const body = compressed(zlib.deflateRawSync('{"a":1}'), 'deflate', null)
    expect((await readJson(body, limit)).text).toBe('{"a":1}')
  })

  test.each(['compress', 'gzip, gzip', 'br, zstd', 'x-unknown'])('%p is refused', async (name) => {
    const request = compressed(Buffer.from('{}'), name, null)
    const error = await refusal(readJson(request, limit))
    expect([error.code, error.status]).toEqual(['unsupported_encoding', 415])
    for (const language of ['fa', 'en'] as const)
      expect(error.body(language).error.message).toContain(name)
    expect(error.headers).toEqual({ 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect(request.bodyUsed).toBe(false)
  })
})

describe('Zstandard frames', () => {
  test('of any text are whole, and no part of them is', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000 }), fc.boolean(), (text, checked) => {
        const params = { [zlib.constants.ZSTD_c_checksumFlag]: checked ? 1 : 0 }
        const frame = zlib.zstdCompressSync(text, { params })
        expect(isWholeZstd(frame)).toBe(true)
        expect(isWholeZstd(Buffer.concat([frame, frame]))).toBe(true)
        expect(isWholeZstd(Buffer.concat([frame, Buffer.from('more')]))).toBe(false)
        for (let at = 0; at < frame.length; at++)
          expect(isWholeZstd(frame.subarray(0, at))).toBe(false)
      }),
      { numRuns: 30 },
    )
  })

  test('of several blocks, written as a stream, are whole', async () => {
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)))
    const stream = zlib.createZstdCompress()
    stream.end(Buffer.concat([noise, Buffer.alloc(400_000, 97), noise]))
    const frame = Buffer.concat(await Array.fromAsync(stream))
    expect(isWholeZstd(frame)).toBe(true)
    expect(isWholeZstd(frame.subarray(0, -1))).toBe(false)
    // A skippable frame of three bytes before it (RFC 8878, 3.1.2).
    const skipped = Buffer.from([0x51, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
    expect(isWholeZstd(Buffer.concat([skipped, frame]))).toBe(true)
  })
})

describe.each(encodings)('an upload in %s', (name, encode) => {
  const text = 'day,cost\n'.repeat(5000)
  const upload = async (data: Uint8Array, size: number | null) => {
    const reader = openDecodedReader(compressed(data, name, size), 1_000_000)
    const pieces: Uint8Array[] = []
    for (let piece = await reader?.next(); piece; piece = await reader?.next()) pieces.push(piece)
    return Buffer.concat(pieces).toString()
  }

  test('is read whole, however it comes', async () => {
    for (const size of [null, 1, 7, 10_000]) expect(await upload(encode(text), size)).toBe(text)
  })

  test('is refused where it is cut, at whatever byte', async () => {
    const whole = encode(text)
    for (let at = 1; at < whole.length; at += Math.max(1, Math.floor(whole.length / 60)))
      for (const size of [null, 5]) {
        const error = await refusal(upload(whole.subarray(0, at), size))
        expect([error.status, error.code, error.param]).toEqual([400, 'invalid_field', 'body'])
      }
    expect((await refusal(upload(whole.subarray(0, -1), null))).code).toBe('invalid_field')
  })
})

describe('a compressed form', () => {
  let folder: string
  let spool: Spool
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'chapar-forms-'))
    spool = openSpool(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const formOf = (file: string) =>
    `--b0\r\ncontent-disposition: form-data; name="n"\r\n\r\n1\r\n--b0\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${file}\r\n--b0--\r\n`
  const read = (request: Request) =>
    readForm(request, { fileField: 'file', maxFileBytes: 100_000, spool })

  test.each(encodings)('in %s is read as it comes', async (name, encode) => {
    const content = 'sound'.repeat(15_000)
    for (const size of [null, 3, 10_000]) {
      const { fields, file } = await read(compressed(encode(formOf(content)), name, size))
      expect(fields).toEqual([['n', '1']])
      expect(file?.content.read(0, 999_999).toString()).toBe(content)
      file?.content.close()
    }
  })

  test.each(encodings)('in %s is read no further than its ceiling', async (name, encode) => {
    const bomb = encode(formOf(' '.repeat(50_000_000)))
    for (const size of [null, 100])
      expect((await refusal(read(compressed(bomb, name, size)))).code).toBe('request_too_large')
    for (const data of [encode(formOf('x')).subarray(0, -8), Buffer.from('--b0')])
      expect((await refusal(read(compressed(data, name, null)))).code).toBe('invalid_field')
  })

  test('in an unknown encoding is refused', async () => {
    const { code } = await refusal(read(compressed(Buffer.from('x'), 'compress', null)))
    expect(code).toBe('unsupported_encoding')
  })
})

describe('a compressed request', () => {
  test('is answered as a plain one, and counted as it is decoded', async () => {
    const chapar = await openTestGateway()
    const text = JSON.stringify(ask('sandbox/echo-priced', { user: 'x'.repeat(3000) }))
    const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
      fetch(`${chapar.url}/chat/completions`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${chapar.key}`, ...headers },
      })
    const dry = async (...[body, headers]: Parameters<typeof post>): Promise<unknown> =>
      (await post(body, { ...headers, 'x-dry-run': '1' })).json()
    try {
      const plain = await dry(text, {})
      for (const [name, encode] of encodings) {
        const headers = { 'content-encoding': name, expect: '100-continue' }
        const body = Uint8Array.from(encode(text))
        expect(await dry(body, headers)).toEqual(plain)
      }
      const answer = await post(Uint8Array.from(zlib.gzipSync(text)), {
        'content-encoding': 'gzip',
      })
      expect(answer.status).toBe(200)
    } finally {
      await chapar.close()
    }
  })
})
