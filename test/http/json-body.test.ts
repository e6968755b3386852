import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import fc from 'fast-check'
import { GatewayError } from '../../src/errors/gateway-error'
import { readJson, type JsonBody } from '../../src/gateway/http/json-body'

const limit = 4096
const url = 'http://localhost/'

type Body = string | Uint8Array<ArrayBuffer>
const bytesOf = (body: Body) => (typeof body === 'string' ? new TextEncoder().encode(body) : body)

/** A body whose length is told. */
const told = (body: Body): Request => {
  const bytes = bytesOf(body)
  const headers = { 'content-length': String(bytes.byteLength) }
  return new Request(url, { method: 'POST', body: bytes, headers })
}

/** The same body as it comes, some bytes at a time. */
function untold(body: Body, size = 7): Request {
  const bytes = bytesOf(body)
  let at = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
  return new Request(url, { method: 'POST', body: stream })
}

const ways = [
  ['told', told],
  ['counted', untold],
] as const

/** The refusal of a body. */
async function refusal(request: Request, maxBytes = limit): Promise<GatewayError> {
  try {
    await readJson(request, maxBytes)
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown as GatewayError
    throw thrown
  }
  throw new Error('the body was taken')
}

describe.each(ways)('a body whose length is %s', (_, send) => {
  test('is read whatever its content type', async () => {
    const request = send('{"model":"m","n":1}')
    request.headers.set('content-type', 'text/plain')
    expect(await readJson(request, limit)).toEqual({
      text: '{"model":"m","n":1}',
      value: { model: 'm', n: 1 },
      bytes: 19,
    })
  })

  test('any value comes back as it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.integer({ min: 1, max: 9 }), async (text, size) => {
        const body = await readJson(send === untold ? untold(text, size) : told(text), 1 << 20)
        expect(body.text).toBe(text)
        expect(JSON.stringify(body.value)).toBe(JSON.stringify(JSON.parse(text)))
        expect(body.bytes).toBe(Buffer.byteLength(text))
      }),
    )
  })

  test('may begin with a byte order mark, which is dropped', async () => {
    const { text, value, bytes } = await readJson(send('\ufeff"سلام"'), limit)
    expect({ text, value, bytes }).toEqual({ text: '"سلام"', value: 'سلام', bytes: 13 })
  })

  test.each([
    ['empty', ''],
    ['only room', ' \n'],
    ['cut', '{"model":'],
    ['followed by more', '{} {}'],
    ['not quoted as JSON', "{'a':1}"],
    ['UTF-16 with a mark', Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0)],
    ['UTF-16 without one', Uint8Array.of(0x7b, 0, 0x7d, 0)],
    ['Latin-1', Uint8Array.of(0x22, 0xe9, 0x22)],
    ['cut inside a letter', Uint8Array.of(0x22, 0xd8)],
    ['an encoded surrogate', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ])('is refused when it is %s', async (_, body) => {
    expect((await refusal(send(body))).code).toBe('invalid_json')
    // What is left of a broken letter does not reach the next body.
    expect((await readJson(send('"x"'), limit)).value).toBe('x')
  })

  test('may be as long as the limit, and not one byte longer', async () => {
    const longest = `"${'x'.repeat(limit - 2)}"`
    expect((await readJson(send(longest), limit)).bytes).toBe(limit)
    const { code, facts } = await refusal(send(`${longest} `))
    expect({ code, facts }).toEqual({ code: 'request_too_large', facts: { limitKb: 4 } })
  })

  test('cannot reach the prototype of anything', async () => {
    const { value } = await readJson(
      send('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'),
      limit,
    )
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor'])
    expect((value as Record<string, unknown>)['admin']).toBeUndefined()
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined()
  })
})

describe('a body above the limit', () => {
  test('is not read when its length is told', async () => {
    const request = told(`"${'x'.repeat(limit)}"`)
    expect((await refusal(request)).code).toBe('request_too_large')
    expect(request.bodyUsed).toBe(false)
  })

  test('is refused also when more comes than was told', async () => {
    const body = `"${'x'.repeat(limit)}"`
    const request = new Request(url, { method: 'POST', body, headers: { 'content-length': '5' } })
    expect((await refusal(request)).code).toBe('request_too_large')
  })

  test.each([
    ['cancels', () => {}],
    [
      'fails to cancel',
      () => {
        throw new Error('cannot be cancelled')
      },
    ],
  ])('is read no further than to the limit, from a source that %s', async (_, onCancel) => {
    const size = 1000
    let pulled = 0
    let cancelled = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += size
        controller.enqueue(new Uint8Array(size))
      },
      cancel() {
        cancelled++
        onCancel()
      },
    })
    const error = await refusal(new Request(url, { method: 'POST', body: stream }))
    expect(error.code).toBe('request_too_large')
    expect(cancelled).toBe(1)
    expect(pulled).toBeLessThanOrEqual(limit + 3 * size)
  })
})

test('a request without a body is no JSON', async () => {
  expect((await refusal(new Request(url))).code).toBe('invalid_json')
})

test('a body that breaks off is no JSON, and the log learns why', async () => {
  const gone = new Error('gone')
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(gone)
    },
  })
  const error = await refusal(new Request(url, { method: 'POST', body: stream }))
  expect({ code: error.code, cause: error.cause }).toEqual({ code: 'invalid_json', cause: gone })
})

describe('over a socket', () => {
  const outcomes: Promise<JsonBody | GatewayError>[] = []
  let server: Bun.Server<undefined>
  beforeAll(() => {
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      async fetch(request) {
        const outcome = readJson(request, limit).catch((thrown: unknown) => thrown as GatewayError)
        outcomes.push(outcome)
        const seen = await outcome
        return new Response(seen instanceof GatewayError ? seen.code : seen.text)
      },
    })
  })
  afterAll(() => server.stop(true))

  const post = async (body: string | ReadableStream<Uint8Array>) =>
    await (await fetch(server.url, { method: 'POST', body })).text()
  const streamOf = (text: string) =>
    untold(text, 512).body ?? new ReadableStream<Uint8Array<ArrayBuffer>>()

  test('a body is read, told or in chunks', async () => {
    expect(await post('{"a":"سلام"}')).toBe('{"a":"سلام"}')
    expect(await post(streamOf('{"a":"سلام"}'))).toBe('{"a":"سلام"}')
  })

  test('a body above the limit gets its refusal, told or in chunks', async () => {
    const large = `"${'x'.repeat(4 * limit)}"`
    expect(await post(large)).toBe('request_too_large')
    expect(await post(streamOf(large))).toBe('request_too_large')
  })

  test.each([
    ['told', 'Content-Length: 100\r\n\r\n{"model":'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n9\r\n{"model":\r\n'],
  ])(
    'a client that leaves in the middle of a body, %s, is a refusal and no fault',
    async (_, rest) => {
      const before = outcomes.length
      const socket = connect(Number(server.url.port), '127.0.0.1')
      socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${rest}`)
      while (outcomes.length === before) await Bun.sleep(1)
      socket.destroy()
      expect(await outcomes[before]).toMatchObject({ code: 'invalid_json' })
    },
  )
})

test('a large body is read in many turns, in which others go on', async () => {
  const words = JSON.stringify({ model: 'm', lists: Array.from({ length: 90_000 }, () => [1]) })
  const body = `[${words},"${'x'.repeat(2_000_000)}"]`
  let turns = 0
  let over = false
  const count = () => {
    turns++
    if (!over) setImmediate(count)
  }
  const request = told(body)
  setImmediate(count)
  expect((await readJson(request, 1 << 24)).text).toBe(body)
  over = true
  expect(turns).toBeGreaterThanOrEqual(5)
})
