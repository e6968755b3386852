import { afterEach, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import type { Budget } from '../../src/gateway/call/budget'
import type { BytesAnswer, StreamAnswer } from '../../src/gateway/call/endpoint'
import { openCoalescing } from '../../src/gateway/call/coalescing'
import type { Ended, MeteredCall } from '../../src/gateway/call/settlement'
import { relay } from '../../src/gateway/call/relay'
import type { RunningStream } from '../../src/gateway/call/running'
import { zeroUsd } from '../../src/domain/money'
import { noUsage } from '../../src/domain/usage'
import type { Inbound } from '../../src/gateway/http/inbound'
import { openSource } from '../../src/gateway/outbound/http1/open-source'
import { until } from '../support/pace'

const piece = Buffer.alloc(65_536, 'x')
/** Longer than the buffers of a loopback connection take to fill. */
const patienceMs = 10_000
const ending = '0\r\n\r\n'

interface Relayed {
  readonly url: URL
  readonly ended: Ended[]
  readonly sink: ReturnType<typeof openSource>['sink']
  paused(): boolean
  complete(): void
  aborted(): number
  watched(): RunningStream | null
  sentBytes(): number
  /** Writes until the client's socket takes no more. */
  fill(): Promise<void>
}

const servers: Bun.Server<undefined>[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) await server.stop(true)
})

/** One stream through a real server, from a vendor that sends as fast as it may. */
function serveRelayed(kind: 'stream' | 'bytes' = 'stream'): Relayed {
  let [paused, complete, aborted, sentBytes] = [false, false, 0, 0]
  const isPaused = () => paused
  const { source, sink } = openSource({
    pause: () => void (paused = true),
    resume: () => void (paused = false),
  })
  const shared = {
    source,
    broken: () => null,
    sent: () => true,
    ended: () => null,
    complete: () => complete,
    usage: () => noUsage,
  }
  const text: StreamAnswer = {
    ...shared,
    kind: 'stream',
    head: 'begin\n',
    pass: (chunk) => Buffer.from(chunk).toString('latin1'),
    close: () => 'the end',
  }
  const file: BytesAnswer = {
    ...shared,
    kind: 'bytes',
    head: new Uint8Array(6),
    pass: (chunk) => new Uint8Array(chunk),
    contentType: 'audio/wav',
    knownUsage: null,
    // Decides how long it may be on its way: over loopback less than over the internet.
    sentBytes: () => sentBytes / 8,
  }
  const answer = kind === 'stream' ? text : file
  const ended: Ended[] = []
  const charge = (how: Ended) => (ended.push(how), zeroUsd)
  const call = { charge, giveBack: () => {} } as unknown as MeteredCall
  const budget: Budget = { cover: () => Number.POSITIVE_INFINITY }
  let watched: RunningStream | null = null
  const streams = {
    add: (stream: RunningStream) => void (watched = stream),
    remove: () => void (watched = null),
    count: () => 1,
    finishAll: () => {},
    cutAll: () => {},
    has: () => false,
    stop: () => false,
    close: () => {},
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    // A second, of which the runtime makes about four.
    idleTimeout: 1,
    development: false,
    fetch(request, self) {
      if (request.url.endsWith('/quiet')) return new Promise<Response>(() => {})
      const exemptFromIdleTimeout = (of: Request, exempt: boolean) =>
        self.timeout(of, exempt ? 0 : 1)
      const inbound = { signal: request.signal, request, exemptFromIdleTimeout }
      const parts = { answer, route: { vendor: 'v', vendorModel: 'm', priority: 0, weight: 1 } }
      const body = relay(
        {
          streams,
          coalescing: openCoalescing(() => 0),
          ledger: { spooled: () => Promise.resolve() },
        },
        {
          ...parts,
          call,
          budget,
          inbound: inbound as unknown as Inbound,
          learn() {},
          abort: () => void aborted++,
        },
      )
      return new Response(body)
    },
  })
  servers.push(server)
  return {
    url: server.url,
    ended,
    sink,
    paused: isPaused,
    complete: () => void (complete = true),
    aborted: () => aborted,
    watched: () => watched,
    sentBytes: () => sentBytes,
    async fill() {
      const deadline = performance.now() + patienceMs
      while (!isPaused() && performance.now() < deadline) {
        sink.data(piece)
        sentBytes += piece.byteLength
        await Bun.sleep(0)
      }
      expect(isPaused()).toBe(true)
    },
  }
}

/** Reads the first piece and then no more. */
async function pausedReader(url: URL): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname)
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await new Promise<void>((resolve) => socket.once('data', () => resolve()))
  socket.pause()
  return socket
}

/** @returns all that still comes, until the response ends or the connection does */
function rest(socket: Socket): Promise<{ readonly bytes: number; readonly tail: string }> {
  const { promise, resolve } = Promise.withResolvers<{ bytes: number; tail: string }>()
  let [bytes, tail] = [0, '']
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
    tail = (tail + chunk.subarray(-40).toString('latin1')).slice(-40)
    if (tail.endsWith(ending)) resolve({ bytes, tail })
  })
  socket.on('close', () => resolve({ bytes, tail }))
  socket.resume()
  return promise
}

test('a client that pauses is not cut, and gets all of it once it reads again', async () => {
  const relayed = serveRelayed()
  const socket = await pausedReader(relayed.url)
  await relayed.fill()
  // Another one that begins to be quiet only now shows when the runtime has cut those.
  const outcome = await fetch(new URL('/quiet', relayed.url)).then(
    () => 'answered',
    () => 'cut',
  )
  expect(outcome).toBe('cut')
  expect([relayed.aborted(), relayed.ended.length]).toEqual([0, 0])
  const all = rest(socket)
  await until(() => !relayed.paused())
  relayed.complete()
  relayed.sink.data(piece)
  const { bytes, tail } = await all
  expect(tail).toEndWith(`the end\r\n${ending}`)
  expect(bytes).toBeGreaterThan(relayed.sentBytes())
  expect(relayed.ended.map(({ status }) => status)).toEqual(['success'])
})

test('while it pauses its vendor is not taken for silent; when nothing is taken for long it is dropped', async () => {
  const relayed = serveRelayed()
  const socket = await pausedReader(relayed.url)
  await relayed.fill()
  const ticks = (count: number) => {
    for (let at = 0; at < count; at++) relayed.watched()?.tick()
  }
  // Fourteen minutes, of which five would do for a vendor that says nothing.
  ticks(168)
  expect([relayed.aborted(), relayed.ended.length]).toEqual([0, 0])
  ticks(1000)
  expect(relayed.ended.map(({ status }) => status)).toEqual(['cancelled'])
  expect([relayed.aborted() > 0, relayed.watched()]).toEqual([true, null])
  const { tail } = await rest(socket)
  expect(tail).not.toContain('the end')
})

test('a stream that ends while its client pauses is watched until the client has the end', async () => {
  const relayed = serveRelayed()
  const socket = await pausedReader(relayed.url)
  await relayed.fill()
  relayed.complete()
  // A piece or two may still come to who has paused.
  relayed.sink.data(piece)
  expect(relayed.ended.map(({ status }) => status)).toEqual(['success'])
  // Its connection serves others.
  expect(relayed.paused()).toBe(false)
  expect(relayed.watched()).not.toBeNull()
  const { tail } = await rest(socket)
  expect(tail).toEndWith(`the end\r\n${ending}`)
  expect(relayed.watched()).toBeNull()
})

test('a file that breaks off while its client pauses arrives as far as it was sent, and ends by a reset', async () => {
  const relayed = serveRelayed('bytes')
  const socket = await pausedReader(relayed.url)
  await relayed.fill()
  relayed.sink.fail(new Error('gone'))
  expect(relayed.ended.map(({ status }) => status)).toEqual(['error'])
  const { bytes, tail } = await rest(socket)
  expect(bytes).toBeGreaterThan(relayed.sentBytes())
  expect(tail).not.toEndWith(ending)
})

test('a client that leaves while it pauses ends the call at once', async () => {
  const relayed = serveRelayed()
  const socket = await pausedReader(relayed.url)
  await relayed.fill()
  socket.destroy()
  await until(() => relayed.aborted() > 0)
  expect(relayed.ended.map(({ status }) => status)).toEqual(['cancelled'])
  expect(relayed.watched()).toBeNull()
})
