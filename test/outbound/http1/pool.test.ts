import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { systemMonotonic, type Monotonic, type Ticks } from '../../../src/domain/clock'
import { bufferMemory } from '../../../src/domain/memory-budget'
import { openTurn } from '../../../src/gateway/net/write-batcher'
import { CalledOff, Attempt } from '../../../src/gateway/outbound/http1/attempt'
import { decoded } from '../../../src/gateway/outbound/http1/decode'
import { readOrigin } from '../../../src/gateway/outbound/http1/origin'
import { openPool, type PoolOptions } from '../../../src/gateway/outbound/http1/pool'
import type { Reply } from '../../../src/gateway/outbound/http1/reply'
import { openRequestHead } from '../../../src/gateway/outbound/http1/request-head'
import { wholeText } from '../../support/whole-text'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

interface Server {
  readonly url: string
  /** Connections that were made. */
  readonly made: Socket[]
}

/** A server on bare sockets. `serve` is told every piece that comes. */
async function serving(serve: (socket: Socket, text: string) => void): Promise<Server> {
  const made: Socket[] = []
  const server = createServer((socket) => {
    made.push(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes) => serve(socket, bytes.toString('latin1')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of made) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, made }
}

function client(url: string, options: PoolOptions & { readonly monotonic?: Monotonic } = {}) {
  const pool = openPool(options.monotonic ?? systemMonotonic, openTurn(), options)
  closing.push(() => pool.close())
  const origin = readOrigin(url)
  const head = openRequestHead(origin, [['authorization', 'Bearer x']])
  const ask = (body = 'hi', attempt = new Attempt(), idempotent = false) => {
    const parts = { method: 'POST', path: '/chat', contentType: 'text/plain' }
    const contentBytes = Buffer.byteLength(body)
    const request = { head: head({ ...parts, contentBytes }), body, idempotent }
    return pool.exchange(origin, request, attempt)
  }
  return { pool, ask }
}

const outcomeName = (asking: Promise<unknown>): Promise<string> =>
  asking.then(
    () => 'answered',
    (thrown: Error) => thrown.name,
  )

/** Shares of the time after which a server closes: none, short of it, at it, beyond. */
const pauses = [0, 0, 0.3, 0.95, 0, 1, 0, 0.999, 1.05, 0.01, 0.5, 0, 1.5, 0.9, 3]

const answer = (text: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`

describe('a request', () => {
  test('goes out whole, and the next one on the same connection', async () => {
    const seen: string[] = []
    const server = await serving((socket, text) => {
      seen.push(text)
      socket.write(answer('ok'))
    })
    const { ask, pool } = client(server.url)
    for (let time = 0; time < 3; time++) expect(await wholeText(ask())).toBe('ok')
    expect(server.made).toHaveLength(1)
    expect(pool.idle()).toBe(1)
    expect(seen[0]).toBe(
      `POST /v1/chat HTTP/1.1\r\nhost: ${new URL(server.url).host}\r\nauthorization: Bearer x\r\n` +
        'content-type: text/plain\r\ncontent-length: 2\r\n\r\nhi',
    )
  })

  test('beside another has a connection of its own', async () => {
    const server = await serving((socket) => setTimeout(() => socket.write(answer('ok')), 10))
    const { ask } = client(server.url)
    const replies = await Promise.all([ask(), ask(), ask()])
    expect(await Promise.all(replies.map(async (reply) => wholeText(reply)))).toEqual([
      'ok',
      'ok',
      'ok',
    ])
    expect(server.made).toHaveLength(3)
  })

  test('of twenty megabytes reaches a slow server whole', async () => {
    const size = 20 * 1024 * 1024
    let received = 0
    const server = await serving((socket, text) => {
      const before = received
      received += text.length
      socket.pause()
      setTimeout(() => socket.resume(), 0)
      if (before < size && received > size) socket.write(answer(String(received > size)))
    })
    const { ask } = client(server.url)
    expect(await wholeText(ask('é'.repeat(size / 2)))).toBe('true')
    expect(received).toBeGreaterThan(size)
    expect(received).toBeLessThan(size + 500)
  })

  describe('on a kept connection that the server closes without an answer', () => {
    /** Answers the first request of each connection and drops the second. */
    const fickle = async () => {
      const seen: string[] = []
      const answered = new WeakSet<Socket>()
      const server = await serving((socket, text) => {
        seen.push(text)
        if (answered.has(socket)) socket.destroy()
        else socket.write(answer('ok'))
        answered.add(socket)
      })
      return { server, seen }
    }
    const outcome = (asking: Promise<Reply>) =>
      asking.then(
        (reply) => wholeText(reply),
        (thrown: Error) => thrown.name,
      )

    test('fails and is not sent again: the server may have done it', async () => {
      const { server, seen } = await fickle()
      const { ask } = client(server.url)
      const attempt = new Attempt()
      expect(await outcome(ask())).toBe('ok')
      expect(await outcome(ask('hi', attempt))).toBe('ClosedEarly')
      expect(attempt.handed).toBe(true)
      expect(seen).toHaveLength(2)
    })

    test('is sent again where twice does no more than once', async () => {
      const { server, seen } = await fickle()
      const { ask } = client(server.url)
      expect(await outcome(ask())).toBe('ok')
      expect(await outcome(ask('hi', new Attempt(), true))).toBe('ok')
      expect(seen).toHaveLength(3)
    })

    test('teaches to use new ones: of a thousand one fails', async () => {
      const { server } = await fickle()
      const { ask } = client(server.url)
      let failed = 0
      for (let time = 0; time < 1_000; time++) if ((await outcome(ask())) !== 'ok') failed++
      expect(failed).toBe(1)
    })
  })

  describe('beside others, to a server that closes idle connections early', () => {
    /** Closes what is idle for longer than this, of which the client hears too late. */
    const hasty = async (idleMs: number, monotonic: Monotonic) => {
      const since = new WeakMap<Socket, Ticks>()
      return serving((socket) => {
        const now = monotonic.ticks()
        if (now - (since.get(socket) ?? now) >= idleMs) socket.destroy()
        else socket.write(answer('ok'))
        since.set(socket, now)
      })
    }

    test.each([200, 900, 2_000])(
      'of sixteen hundred at most one fails where it closes after %i ms',
      async (idleMs) => {
        let now = 1_000_000
        const monotonic = { ticks: () => now as Ticks }
        const server = await hasty(idleMs, monotonic)
        const { ask } = client(server.url, { monotonic })
        let failed = 0
        for (let round = 0; round < 200; round++) {
          const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeName(ask())))
          failed += outcomes.filter((outcome) => outcome !== 'answered').length
          now += (pauses[round % pauses.length] ?? 0) * idleMs
        }
        expect(failed).toBeLessThanOrEqual(1)
      },
    )

    test('one tries how long connections last; then all are used', async () => {
      let now = 1_000_000
      const monotonic = { ticks: () => now as Ticks }
      const server = await hasty(60_000, monotonic)
      const { ask } = client(server.url, { monotonic })
      const together = () => Promise.all(Array.from({ length: 8 }, async () => wholeText(ask())))
      await together()
      expect(server.made).toHaveLength(8)
      now += 3_000
      await together()
      expect(server.made).toHaveLength(15)
      now += 3_000
      await together()
      expect(server.made).toHaveLength(15)
    })
  })

  test('on a kept connection that was seen closed goes out on a new one, once', async () => {
    const seen: string[] = []
    const server = await serving((socket, text) => {
      seen.push(text)
      socket.write(answer('ok'))
      setTimeout(() => socket.end(), 0)
    })
    const { ask, pool } = client(server.url)
    for (let time = 1; time <= 20; time++) {
      expect(await wholeText(ask())).toBe('ok')
      while (pool.idle() > 0) await Bun.sleep(1)
      expect(seen).toHaveLength(time)
    }
  })

  test('does not use a connection for longer than the server says that it keeps it', async () => {
    let now = 1_000_000
    const monotonic = { ticks: () => now as Ticks }
    const server = await serving((socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\nkeep-alive: timeout=3, max=9\r\ncontent-length: 2\r\n\r\nok',
      ),
    )
    const { ask } = client(server.url, { monotonic })
    await wholeText(ask())
    now += 1_900
    await wholeText(ask())
    expect(server.made).toHaveLength(1)
    now += 2_000
    await wholeText(ask())
    expect(server.made).toHaveLength(2)
  })

  test('to a server that takes no connection fails in time', async () => {
    // Speaks no TLS, so that the handshake never ends.
    const server = await serving(() => {})
    const { ask } = client(server.url.replace('http:', 'https:'), { connectTimeoutMs: 30 })
    expect(await outcomeName(ask())).toBe('ConnectTimeout')
    // It would keep a descriptor for each request.
    const isLeft = () => server.made.every(({ destroyed }) => destroyed)
    for (let tries = 0; !isLeft() && tries < 1000; tries++) await Bun.sleep(2)
    expect(isLeft()).toBe(true)
  })

  test('on a new connection that the server closes fails', async () => {
    let asked = 0
    const server = await serving((socket) => {
      asked++
      socket.destroy()
    })
    expect(
      await client(server.url)
        .ask()
        .catch((thrown: Error) => thrown.name),
    ).toBe('ClosedEarly')
    expect(asked).toBe(1)
  })

  test('whose answer comes as fast as can be is read in many turns of the event loop', async () => {
    const bytes = 40_000_000
    const server = await serving((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n`)
      socket.write(Buffer.alloc(bytes))
    })
    const { source } = await client(server.url).ask()
    const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>()
    let [sum, ofTurn, most, isOver] = [0, 0, 0, false]
    const turn = () => {
      most = Math.max(most, ofTurn)
      ofTurn = 0
      if (!isOver) setImmediate(turn)
    }
    turn()
    source.flow({
      data(piece) {
        sum += piece.byteLength
        ofTurn += piece.byteLength
        // In the middle: whoever reads holds it too, for a moment.
        if (sum % 7 === 0) {
          source.pause()
          setTimeout(() => source.resume(), 1)
        }
      },
      end,
      fail,
    })
    await ended
    isOver = true
    expect(sum).toBe(bytes)
    expect(most).toBeLessThan(1_100_000)
  })

  test('to where nobody listens fails', async () => {
    const server = await serving(() => {})
    const { ask } = client('http://127.0.0.1:1/v1')
    expect(await ask().catch((thrown: Error) => thrown)).toBeInstanceOf(Error)
    expect(server.made).toHaveLength(0)
  })

  test('that is called off drops its connection, before and after the reply began', async () => {
    const server = await serving((socket, text) => {
      if (text.includes('begin'))
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n')
    })
    const { ask, pool } = client(server.url)
    for (const body of ['wait', 'begin']) {
      const attempt = new Attempt()
      const asking = ask(body, attempt)
      const reply = body === 'begin' ? await asking : null
      if (reply === null) await Bun.sleep(20)
      const socket = server.made.at(-1)
      const gone = new Promise<void>((resolve) => socket?.on('close', () => resolve()))
      const failed = reply === null ? asking : (await reply.source.read(), reply.source.read())
      attempt.callOff()
      expect(await failed.catch((thrown: unknown) => thrown)).toBeInstanceOf(CalledOff)
      await gone
    }
    expect(pool.idle()).toBe(0)
  })

  test('that is called off after its reply harms nobody', async () => {
    const server = await serving((socket) => setTimeout(() => socket.write(answer('ok')), 5))
    const { ask } = client(server.url)
    const attempt = new Attempt()
    await wholeText(ask('hi', attempt))
    const next = ask()
    attempt.callOff()
    expect(await wholeText(next)).toBe('ok')
    expect(server.made).toHaveLength(1)
  })

  test.each(['a\r\nx: y', '', 'é', 'a\nb'])('with the field %j is never made', (value) => {
    const origin = readOrigin('http://127.0.0.1/v1')
    expect(() => openRequestHead(origin, [['authorization', value]])).toThrow(TypeError)
    const head = openRequestHead(origin, [])
    const parts = { method: 'POST', contentType: null, contentBytes: null }
    expect(() => head({ ...parts, path: `/${value}\r\nx` })).toThrow(TypeError)
  })
})

describe('a reply', () => {
  test('that breaks off midway fails where it breaks', async () => {
    const server = await serving((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')
      setTimeout(() => socket.destroy(), 10)
    })
    const reply = await client(server.url).ask()
    expect(Buffer.from((await reply.source.read()) ?? []).toString()).toBe('half')
    expect(await reply.source.read().catch((thrown: Error) => thrown.message)).toContain('broke')
  })

  test('with bytes nobody asked for costs the connection', async () => {
    const server = await serving(
      (socket) => void socket.write(`${answer('ok')}HTTP/1.1 200 OK\r\n\r\n`),
    )
    const { ask, pool } = client(server.url)
    const reply = await ask()
    const text = await Promise.resolve(wholeText(reply)).catch(() => 'failed')
    expect(text).toBeOneOf(['ok', 'failed'])
    expect(pool.idle()).toBe(0)
  })

  test('nobody reads waits at the server, not in our memory', async () => {
    const block = 'x'.repeat(1_000_000)
    let written = 0
    const server = await serving((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${block.length * 60}\r\n\r\n`)
      const more = () => {
        while (written < 60) {
          written++
          if (socket.write(block)) continue
          socket.once('drain', more)
          break
        }
      }
      more()
    })
    const reply = await client(server.url).ask()
    await Bun.sleep(200)
    expect(written).toBeLessThan(40)
    expect((await wholeText(reply)).length).toBe(60_000_000)
    reply.release()
    expect(bufferMemory.reservedBytes()).toBe(0)
  })

  test('that is compressed although nobody asked is decompressed', async () => {
    const body = Bun.gzipSync(Buffer.from('سلام '.repeat(100)))
    const server = await serving((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`,
      )
      socket.write(body)
    })
    expect(await wholeText(decoded(await client(server.url).ask()))).toBe('سلام '.repeat(100))
  })
})
