import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { bufferMemory } from '../../src/domain/memory-budget'
import { addModel, addVendor, ask, openTestGateway, type TestGateway } from '../support/gateway'
import { openRawVendor, type RawPart, type RawVendor } from '../support/raw-vendor'
import { openStandIn, replies, type StandIn } from '../support/stand-in'

const megabyte = 1_048_576
const streamHead = (fields = '') =>
  `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n${fields}transfer-encoding: chunked\r\n\r\n`
const wholeHead = (bytes: number, fields = '') =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${fields}content-length: ${bytes}\r\n\r\n`

const chunk = (content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content)
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
}
const event = (delta: object, more: object = {}) =>
  chunk(
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`,
  )
const ending = chunk(
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
)
const first = event({ role: 'assistant', content: 'Hello' })
const full = Buffer.alloc(262_144, 'x')
const fullChunk = chunk(full)

/** The same piece again and again, until the other side closes or so much was sent. */
function* endless(piece: Buffer | string, bytes = Number.POSITIVE_INFINITY): Generator<Buffer> {
  const one = Buffer.from(piece)
  for (let sent = 0; sent < bytes; sent += one.length) yield one
}

const zeros = Buffer.alloc(64 * megabyte, ' ')
const bombs = {
  gzip: gzipSync(zeros, { level: 1 }),
  deflate: deflateSync(zeros, { level: 1 }),
  br: brotliCompressSync(zeros, { params: { 1: 1 } }),
  zstd: zstdCompressSync(zeros),
} as const

/** Text of a stream, as its client puts it together. */
const textOf = (stream: string): string =>
  stream
    .split('\n\n')
    .filter((each) => each.startsWith('data: {'))
    .map((each) => JSON.parse(each.slice('data: '.length)) as { choices: Said[] })
    .map(({ choices }) => choices[0]?.delta.content ?? '')
    .join('')
interface Said {
  readonly delta: { readonly content?: string }
}

/** What a vendor does, and how a call of it ends. */
type Fault = readonly [name: string, stream: boolean, wire: () => Iterable<RawPart>, code: string]

const faults: readonly Fault[] = [
  [
    'an event that never ends, before anything was said',
    true,
    function* () {
      yield streamHead()
      yield chunk('data: {"x":"')
      yield* endless(fullChunk)
    },
    'upstream_error',
  ],
  [
    'an event that never ends, after a piece of the answer',
    true,
    function* () {
      yield streamHead()
      yield first
      yield chunk('data: {"x":"')
      yield* endless(fullChunk)
    },
    'stream_interrupted',
  ],
  [
    'an event of 9 MB of words',
    true,
    function* () {
      yield streamHead()
      yield first
      yield event({ content: 'some words '.repeat(860_000) })
      yield ending
      yield '0\r\n\r\n'
    },
    'stream_interrupted',
  ],
  [
    'comments that never end',
    true,
    function* () {
      yield streamHead()
      yield first
      yield* endless(chunk(': and so on\n\n'.repeat(1000)))
    },
    'stream_interrupted',
  ],
  [
    'events of nothing that never end, before anything was said',
    true,
    function* () {
      yield streamHead()
      yield* endless(chunk('data:\n\n'.repeat(1000)))
    },
    'upstream_error',
  ],
  [
    'events that say nothing and never end',
    true,
    function* () {
      yield streamHead()
      yield first
      yield* endless(Buffer.concat(Array.from({ length: 500 }, () => event({}))))
    },
    'stream_interrupted',
  ],
  [
    'an event nested beyond all need',
    true,
    function* () {
      yield streamHead()
      yield first
      yield chunk(`data: {"choices":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n\n`)
      yield '0\r\n\r\n'
    },
    'stream_interrupted',
  ],
  [
    'an event of a million lines',
    true,
    function* () {
      yield streamHead()
      yield first
      for (let lines = 0; lines < 1_000_000; lines += 10_000) yield chunk('data:a\n'.repeat(10_000))
      yield chunk('\n')
      yield '0\r\n\r\n'
    },
    'stream_interrupted',
  ],
  ...Object.entries(bombs).flatMap(([coding, bomb]): Fault[] => [
    [
      `a whole answer that ${coding} makes huge`,
      false,
      () => [wholeHead(bomb.length, `content-encoding: ${coding}\r\n`), bomb],
      'upstream_error',
    ],
    [
      `events that ${coding} makes huge`,
      true,
      () => [streamHead(`content-encoding: ${coding}\r\n`), chunk(bomb), '0\r\n\r\n'],
      'upstream_error',
    ],
  ]),
  [
    'a compressed answer that is cut off',
    false,
    () => [wholeHead(100, 'content-encoding: gzip\r\n'), bombs.gzip.subarray(0, 100)],
    'upstream_error',
  ],
  [
    '100,000 interim heads',
    false,
    () => endless('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(1000), 3_600_000),
    'upstream_unreachable',
  ],
  [
    'interim heads of 10 KB',
    false,
    () => endless(`HTTP/1.1 103 Early Hints\r\nlink: ${'x'.repeat(10_000)}\r\n\r\n`, megabyte),
    'upstream_unreachable',
  ],
  [
    'a head that never ends',
    false,
    function* () {
      yield 'HTTP/1.1 200 OK\r\n'
      yield* endless(`x-a: ${'b'.repeat(8000)}\r\n`)
    },
    'upstream_unreachable',
  ],
  [
    'a trailer that never ends',
    true,
    function* () {
      yield streamHead()
      yield first
      yield '0\r\n'
      yield* endless('x-a: b\r\n'.repeat(1000))
    },
    'stream_interrupted',
  ],
  [
    'extensions of chunks that never end',
    true,
    function* () {
      yield streamHead()
      yield* endless(`1;${'e'.repeat(8000)}\r\n:\r\n`)
    },
    'upstream_error',
  ],
  [
    'a whole answer that never ends',
    false,
    function* () {
      yield 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"x":"'
      yield* endless(full)
    },
    'upstream_error',
  ],
  [
    'a body of 300 MB, told before',
    false,
    function* () {
      yield wholeHead(300 * megabyte)
      yield* endless(full, 300 * megabyte)
    },
    'upstream_error',
  ],
]

describe('a hostile vendor costs one call', () => {
  let raw: RawVendor
  let good: StandIn
  let chapar: TestGateway
  let wire: () => Iterable<RawPart> = () => []
  beforeAll(async () => {
    raw = await openRawVendor(() => wire(), 'open')
    good = openStandIn(replies('good'))
    chapar = await openTestGateway({
      async prepare(storage) {
        await addVendor(storage, 'hostile', raw.url, 20_000)
        await addVendor(storage, 'good', good.url)
        await addModel(storage, 'hostile', ['hostile'])
        await addModel(storage, 'good', ['good'])
      },
    })
  })
  afterAll(async () => {
    await chapar.close()
    await raw.close()
    await good.close()
  })

  const freed = async () => {
    for (let tries = 0; bufferMemory.reservedBytes() > 0 && tries < 1000; tries++)
      await Bun.sleep(5)
    return bufferMemory.reservedBytes()
  }

  test.each([...faults])('%s', async (_, stream, sent, code) => {
    wire = sent
    const before = await chapar.rest()
    const response = await chapar.post(ask('hostile', { stream }))
    const said = await response.text()
    expect(said).toContain(`"code":"${code}"`)
    expect(response.status).toBe(code === 'stream_interrupted' ? 200 : 502)
    const after = await chapar.rest()
    expect(after).toMatchObject({ held: 0, slots: 0 })
    if (code !== 'stream_interrupted') expect(after.balance).toBe(before.balance)
    expect(await freed()).toBe(0)
    expect(await (await chapar.post(ask('good'))).text()).toContain('good')
  })

  test('a call for which no memory is left is refused, others go on', async () => {
    wire = function* () {
      yield wholeHead(8 * megabyte)
      yield* endless(full, 8 * megabyte)
    }
    const others = bufferMemory.lease()
    others.grow(bufferMemory.maxBytes - 3 * megabyte)
    try {
      const taken = bufferMemory.reservedBytes()
      const refused = await chapar.post(ask('hostile'))
      expect(await refused.text()).toContain('"code":"gateway_error"')
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
      expect(bufferMemory.reservedBytes()).toBe(taken)
      expect(await (await chapar.post(ask('good'))).text()).toContain('good')
    } finally {
      others.release()
    }
  })

  test('memory comes back from a client that leaves in the middle of an event', async () => {
    wire = function* () {
      yield streamHead()
      yield first
      yield chunk('data: {"x":"')
      yield* endless(fullChunk, 8 * megabyte)
    }
    const leaving = new AbortController()
    const response = await chapar.post(ask('hostile', { stream: true }), {}, leaving.signal)
    for (let tries = 0; bufferMemory.reservedBytes() < 4 * megabyte && tries < 2000; tries++)
      await Bun.sleep(5)
    expect(bufferMemory.reservedBytes()).toBeGreaterThanOrEqual(4 * megabyte)
    leaving.abort()
    await response.text().catch(() => {})
    expect(await freed()).toBe(0)
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  })

  const picture = event({ content: 'a picture' }, { picture: 'A'.repeat(20 * megabyte) })

  test.each([
    ['words', 'some "words" in a line\n'],
    ['Persian', 'سلام دنیا '],
  ])('an event of 7 MB of %s passes, in its order', async (_, piece) => {
    const content = piece.repeat(Math.floor((7 * megabyte) / JSON.stringify(piece).length / 1.6))
    const events = [first, event({ content }), event({ content: 'at last' }), ending]
    wire = () => [streamHead(), Buffer.concat(events), '0\r\n\r\n']
    const response = await chapar.post(ask('hostile', { stream: true }))
    const said = textOf(await response.text())
    expect(said.length).toBe(content.length + 'Helloat last'.length)
    expect(said === `Hello${content}at last`).toBe(true)
    expect(await freed()).toBe(0)
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  })

  test('an event of 20 MB passes, and is counted until it is read', async () => {
    const client = { reads: false }
    wire = function* () {
      yield streamHead()
      yield first
      yield picture
      while (!client.reads) yield 5
      yield ending
      yield '0\r\n\r\n'
    }
    const response = await chapar.post(ask('hostile', { stream: true }))
    for (let tries = 0; bufferMemory.reservedBytes() < 19 * megabyte && tries < 2000; tries++)
      await Bun.sleep(5)
    expect(bufferMemory.reservedBytes()).toBeGreaterThanOrEqual(19 * megabyte)
    client.reads = true
    const said = await response.text()
    expect(said.length).toBeGreaterThan(20 * megabyte)
    expect(said).toEndWith('data: [DONE]\n\n')
    expect(said).not.toContain('"error"')
    expect(await freed()).toBe(0)
  })
})
