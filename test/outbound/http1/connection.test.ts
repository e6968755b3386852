import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { StreamedBody } from '../../../src/gateway/net/streamed-body'
import type { WriteBatcher } from '../../../src/gateway/net/write-batcher'
import { CalledOff, Attempt } from '../../../src/gateway/outbound/http1/attempt'
import { ClosedEarly, openConnection } from '../../../src/gateway/outbound/http1/connection'
import { readOrigin } from '../../../src/gateway/outbound/http1/origin'
import { wholeText } from '../../support/whole-text'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A connection whose turns end when the test says so, and what its server hears. */
async function connected() {
  const heard: string[] = []
  const { promise: accepted, resolve: accept } = Promise.withResolvers<Socket>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => heard.push(bytes.toString('latin1')))
    accept(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const works: (() => void)[] = []
  const turn: WriteBatcher = {
    atEnd: (work) => void works.push(work),
    over: () => Promise.resolve(),
  }
  const origin = readOrigin(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const events = { free() {}, gone() {}, keepAlive() {} }
  const connection = await openConnection(origin, { turn, connectTimeoutMs: 10_000 }, events)
  const socket = await accepted
  closing.push(() => {
    connection.drop()
    socket.destroy()
    server.close()
  })
  return {
    connection,
    socket,
    heard,
    endTurn() {
      for (const work of works.splice(0)) work()
    },
  }
}

const head = ['POST / HTTP/1.1\r\n', 'content-length: 2\r\n\r\n'] as const
const request = { head, body: 'hi', idempotent: false }

describe('a request', () => {
  test('goes out at the end of the turn', async () => {
    const { connection, socket, heard, endTurn } = await connected()
    const asking = connection.exchange(request, new Attempt())
    await Bun.sleep(20)
    expect(heard).toEqual([])
    endTurn()
    const came = new Promise<void>((resolve) => socket.once('data', () => resolve()))
    await came
    expect(heard.join('')).toBe(head.join('') + request.body)
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    expect(await wholeText(asking)).toBe('ok')
  })

  test('that is called off before is never sent', async () => {
    const { connection, socket, heard, endTurn } = await connected()
    const attempt = new Attempt()
    const asking = connection.exchange(request, attempt).catch((thrown: unknown) => thrown)
    const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    attempt.callOff()
    endTurn()
    expect(await asking).toBeInstanceOf(CalledOff)
    await gone
    expect(heard).toEqual([])
  })

  test('that is called off before does not open what it would have sent', async () => {
    const { connection, endTurn } = await connected()
    const attempt = new Attempt()
    let opened = 0
    const body: StreamedBody = {
      bytes: 2,
      open() {
        opened++
        return { read: () => Promise.resolve(null), close() {} }
      },
    }
    const asking = connection
      .exchange({ ...request, body }, attempt)
      .catch((thrown: unknown) => thrown)
    attempt.callOff()
    endTurn()
    expect(await asking).toBeInstanceOf(CalledOff)
    expect(opened).toBe(0)
  })

  test('is not answered by what the server said before it was asked', async () => {
    const { connection, socket, heard, endTurn } = await connected()
    const asking = connection.exchange(request, new Attempt()).catch((thrown: unknown) => thrown)
    socket.write('HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n')
    expect(await asking).toBeInstanceOf(ClosedEarly)
    endTurn()
    await Bun.sleep(20)
    expect(heard).toEqual([])
  })

  test('whose server leaves before it was asked was closed early', async () => {
    const { connection, socket, endTurn } = await connected()
    const asking = connection.exchange(request, new Attempt()).catch((thrown: unknown) => thrown)
    socket.destroy()
    expect(await asking).toBeInstanceOf(ClosedEarly)
    endTurn()
  })
})
