import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { systemMonotonic } from '../../src/domain/clock'
import { openTurn } from '../../src/gateway/net/write-batcher'
import type { StreamedBody } from '../../src/gateway/net/streamed-body'
import { Attempt } from '../../src/gateway/outbound/http1/attempt'
import { readOrigin } from '../../src/gateway/outbound/http1/origin'
import { openPool } from '../../src/gateway/outbound/http1/pool'
import { openRequestHead } from '../../src/gateway/outbound/http1/request-head'
import { fetchBody } from '../../src/gateway/outbound/http1/stream-body'
import { wholeText } from '../support/whole-text'

const closing: (() => void)[] = []
const bodies: CountedBody['counts'][] = []
afterEach(async () => {
  for (const close of closing.splice(0)) close()
  await Bun.sleep(5)
  for (const { opened, closed } of bodies.splice(0)) expect(closed).toBe(opened)
})

async function serving(serve: (socket: Socket, bytes: Buffer) => void): Promise<string> {
  const made: Socket[] = []
  const server = createServer((socket) => {
    made.push(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => serve(socket, Buffer.from(bytes)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of made) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const pieceBytes = 65_536

interface CountedBody extends StreamedBody {
  /** Pieces that were asked for, and how often it was begun. */
  readonly counts: { pieces: number; opened: number; closed: number }
}

/** Each piece holds its own number, and all are lent from one buffer. */
function bodyOf(pieces: number, broken?: { readonly at: number; readonly error: Error | null }) {
  const counts = { pieces: 0, opened: 0, closed: 0 }
  bodies.push(counts)
  const body: CountedBody = {
    bytes: pieces * pieceBytes,
    counts,
    open() {
      counts.opened++
      let next = 0
      const buffer = new Uint8Array(pieceBytes)
      return {
        async read() {
          await Bun.sleep(0)
          if (broken !== undefined && next === broken.at) {
            if (broken.error === null) return null
            throw broken.error
          }
          if (next === pieces) return null
          counts.pieces++
          return buffer.fill(next++ % 251)
        },
        close: () => void counts.closed++,
      }
    },
  }
  return body
}

function client(url: string) {
  const pool = openPool(systemMonotonic, openTurn())
  closing.push(() => pool.close())
  const origin = readOrigin(url)
  const head = openRequestHead(origin, [])
  const attempt = new Attempt()
  const ask = (body: StreamedBody, idempotent = false) => {
    const parts = { method: 'POST', path: '/audio', contentType: 'audio/wav' }
    return pool.exchange(
      origin,
      { head: head({ ...parts, contentBytes: body.bytes }), body, idempotent },
      attempt,
    )
  }
  return { pool, ask, attempt }
}

const answer = (text: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`

/** The content of a request that comes in pieces, behind its head. */
function openContent() {
  let head = ''
  let content = Buffer.alloc(0)
  return {
    add(bytes: Buffer) {
      if (head !== '') return void (content = Buffer.concat([content, bytes]))
      const end = bytes.indexOf('\r\n\r\n')
      head = bytes.toString('latin1', 0, end)
      content = Buffer.from(bytes.subarray(end + 4))
    },
    head: () => head,
    bytes: () => content,
  }
}

describe('a body that is read while it is sent', () => {
  test('arrives whole with its length told, and its connection serves again', async () => {
    let content = openContent()
    const url = await serving((socket, bytes) => {
      content.add(bytes)
      if (content.bytes().length < 40 * pieceBytes) return
      socket.write(answer('ok'))
    })
    const { ask, pool } = client(url)
    for (let time = 0; time < 2; time++) {
      content = openContent()
      expect(await wholeText(ask(bodyOf(40)))).toBe('ok')
      expect(content.head()).toContain(`content-length: ${40 * pieceBytes}`)
      expect(content.head()).not.toContain('transfer-encoding')
      const numbers = Array.from({ length: 40 }, (_, at) => content.bytes()[at * pieceBytes])
      expect(numbers).toEqual(Array.from({ length: 40 }, (_, at) => at))
      expect(content.bytes().length).toBe(40 * pieceBytes)
    }
    expect(pool.idle()).toBe(1)
  })

  test('is not read faster than the server takes it', async () => {
    const paused = Promise.withResolvers<Socket>()
    let received = 0
    const url = await serving((socket, bytes) => {
      received += bytes.length
      if (received === bytes.length) {
        socket.pause()
        paused.resolve(socket)
      }
      if (received > 400 * pieceBytes) socket.write(answer('ok'))
    })
    const body = bodyOf(400)
    const asked = client(url).ask(body)
    const socket = await paused.promise
    let before = -1
    while (before !== body.counts.pieces) {
      before = body.counts.pieces
      await Bun.sleep(100)
    }
    // What the two sockets hold; twenty-five megabytes would not fit.
    expect(body.counts.pieces).toBeLessThan(200)
    socket.resume()
    expect(await wholeText(asked)).toBe('ok')
    expect(body.counts.pieces).toBe(400)
  })

  test('may be answered before all of it was sent: the rest is not, and the connection goes', async () => {
    let answered = false
    const url = await serving((socket) => {
      if (!answered) socket.write(answer('enough'))
      answered = true
      socket.pause()
    })
    const { ask, pool } = client(url)
    const body = bodyOf(2000)
    expect(await wholeText(ask(body))).toBe('enough')
    await Bun.sleep(20)
    const read = body.counts.pieces
    await Bun.sleep(20)
    expect(body.counts.pieces).toBe(read)
    expect(read).toBeLessThan(2000)
    expect(pool.idle()).toBe(0)
  })

  test.each([
    ['cannot be read to its end', new Error('no disk'), 'no disk'],
    ['is shorter than was told', null, 'another length'],
  ])('that %s fails', async (_, error, message) => {
    const url = await serving(() => {})
    const { ask, pool } = client(url)
    const outcome = await ask(bodyOf(5, { at: 3, error })).catch((thrown: unknown) => thrown)
    expect(String(outcome)).toContain(message)
    expect(pool.idle()).toBe(0)
  })

  test('is read from its beginning again where the request may be repeated', async () => {
    let old: Socket | null = null
    let first: Socket | null = null
    let content = openContent()
    const url = await serving((socket, bytes) => {
      if (socket === old) return void socket.resetAndDestroy()
      first ??= socket
      content.add(bytes)
      if (content.bytes().length === 3 * pieceBytes) socket.write(answer('ok'))
    })
    const { ask } = client(url)
    expect(await wholeText(ask(bodyOf(3)))).toBe('ok')
    old = first
    content = openContent()
    const body = bodyOf(3)
    expect(await wholeText(ask(body, true))).toBe('ok')
    expect(body.counts.opened).toBe(2)
    expect(content.bytes()[0]).toBe(0)
  })

  test('is not read on once it was called off', async () => {
    const url = await serving(() => {})
    const { ask, attempt } = client(url)
    const body = bodyOf(100_000)
    const asked = ask(body).catch((thrown: unknown) => thrown)
    while (body.counts.pieces < 3) await Bun.sleep(1)
    attempt.callOff()
    expect(await asked).toBeInstanceOf(Error)
    await Bun.sleep(10)
    const read = body.counts.pieces
    await Bun.sleep(30)
    expect(body.counts.pieces).toBe(read)
  })

  test('is an ordinary failure where it cannot even be begun', async () => {
    const url = await serving(() => {})
    const gone = {
      bytes: 5,
      open(): never {
        throw new Error('no upload')
      },
    }
    const outcome = await client(url)
      .ask(gone)
      .catch((thrown: unknown) => thrown)
    expect(String(outcome)).toContain('no upload')
  })

  test('is a stream of copies for who keeps what it was given', async () => {
    const bytes = await new Response(fetchBody(bodyOf(4)).stream).bytes()
    expect(bytes.length).toBe(4 * pieceBytes)
    expect([0, 1, 2, 3].map((at) => bytes[at * pieceBytes])).toEqual([0, 1, 2, 3])
  })
})
