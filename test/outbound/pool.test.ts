import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { systemClock } from '../../src/domain/clock'
import { openTurn } from '../../src/domain/turn'
import { CalledOff, openAttempt } from '../../src/outbound/attempt'
import { decoded } from '../../src/outbound/decode'
import { readOrigin } from '../../src/outbound/origin'
import { openPool } from '../../src/outbound/pool'
import { openRequestHead } from '../../src/outbound/request-head'

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

function client(url: string) {
  const pool = openPool(systemClock, openTurn())
  closing.push(() => pool.close())
  const origin = readOrigin(url)
  const head = openRequestHead(origin, [['authorization', 'Bearer x']])
  const ask = (body = 'hi', attempt = openAttempt()) => {
    const parts = { method: 'POST', path: '/chat', contentType: 'text/plain' }
    const contentBytes = Buffer.byteLength(body)
    return pool.exchange(origin, { head: head({ ...parts, contentBytes }), body }, attempt)
  }
  return { pool, ask }
}

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
    for (let time = 0; time < 3; time++) expect(await (await ask()).text()).toBe('ok')
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
    expect(await Promise.all(replies.map(async (reply) => reply.text()))).toEqual([
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
    expect(await (await ask('é'.repeat(size / 2))).text()).toBe('true')
    expect(received).toBeGreaterThan(size)
    expect(received).toBeLessThan(size + 500)
  })

  test('on a kept connection that the server had closed goes out again, once', async () => {
    let asked = 0
    const server = await serving((socket) => {
      asked++
      if (asked === 2) socket.destroy()
      else socket.write(answer(String(asked)))
    })
    const { ask } = client(server.url)
    expect(await (await ask()).text()).toBe('1')
    expect(await (await ask()).text()).toBe('3')
    expect(server.made).toHaveLength(2)
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
      const attempt = openAttempt()
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
    const attempt = openAttempt()
    await (await ask('hi', attempt)).text()
    const next = ask()
    attempt.callOff()
    expect(await (await next).text()).toBe('ok')
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
    const text = await Promise.resolve(reply.text()).catch(() => 'failed')
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
    expect((await reply.text()).length).toBe(60_000_000)
  })

  test('that is compressed although nobody asked is decompressed', async () => {
    const body = Bun.gzipSync(Buffer.from('سلام '.repeat(100)))
    const server = await serving((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`,
      )
      socket.write(body)
    })
    expect(await decoded(await client(server.url).ask()).text()).toBe('سلام '.repeat(100))
  })
})
