import { expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { systemMonotonic } from '../../src/domain/clock'
import { openHeadless } from '../../src/gateway/http/headless'

const linux = test.skipIf(process.platform !== 'linux')

const half = 'GET / HTTP/1.1\r\nho'
const whole = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`

/** A server that never answers `/slow`, its clients by name, and which of them are closed. */
async function openPlayed() {
  const slow = Promise.withResolvers<void>()
  const headless = openHeadless(() => Number(server.port))
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const port = server.requestIP(request)?.port ?? 0
      headless?.came(port, systemMonotonic.ticks())
      if (request.url.endsWith('/socket') && server.upgrade(request)) return undefined
      if (request.url.endsWith('/slow')) await slow.promise
      return new Response('here')
    },
    websocket: { message() {} },
  })
  const closed: string[] = []
  const open = (name: string, text: string, from: object = {}): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: Number(server.port), ...from }
      const socket = connect(options, () => socket.write(text, () => resolve(socket)))
      socket.on('error', reject)
      socket.on('connect', () => socket.on('close', () => closed.push(name)))
      socket.resume()
    })
  const settled = () => Bun.sleep(100)
  return {
    open,
    settled,
    closed: async (missing: number, share = 100) => {
      const count = headless?.close(missing, share)
      await settled()
      return [count, closed.splice(0).sort()]
    },
    async [Symbol.asyncDispose]() {
      slow.resolve()
      await server.stop(true)
    },
  }
}

linux('connections without a whole head are closed, the oldest first, and no others', async () => {
  await using played = await openPlayed()
  await played.open('slow', whole('/slow'))
  await played.open('body', `POST /slow HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\nab`)
  await played.open('kept', whole('/'))
  const upgrade = 'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n'
  await played.open(
    'socket',
    whole('/socket', `${upgrade}sec-websocket-key: ${btoa('0'.repeat(16))}\r\n`),
  )
  for (const name of ['a', 'b', 'c', 'd']) {
    await played.open(name, half)
    await played.settled()
  }
  expect(await played.closed(0)).toEqual([0, []])
  expect(await played.closed(3)).toEqual([3, ['a', 'b', 'c']])
  expect(await played.closed(100)).toEqual([1, ['d']])
  expect(await played.closed(100)).toEqual([0, []])
})

linux('an address with more than its share is the first to lose connections', async () => {
  await using played = await openPlayed()
  const greedy = { localAddress: '127.0.0.2' }
  await played.open('other', half)
  await played.settled()
  await played.open('slow', whole('/slow'), greedy)
  for (const name of ['a', 'b', 'c', 'd']) {
    await played.open(name, half, greedy)
    await played.settled()
  }
  // Of five, one of which has a request in progress, two are left.
  expect(await played.closed(1, 2)).toEqual([3, ['a', 'b', 'c']])
  expect(await played.closed(1, 2)).toEqual([1, ['other']])
})

linux('a head of an earlier connection from the same port counts for nothing', async () => {
  await using played = await openPlayed()
  // Another process may have taken the port in the meantime: then with the next one.
  const openTwice = async (tries = 5): Promise<unknown> => {
    const { localPort = 0 } = await played.open('before', whole('/', 'connection: close\r\n'))
    await played.settled()
    expect(await played.closed(9)).toEqual([0, ['before']])
    try {
      return await played.open('after', half, { localPort })
    } catch (error) {
      if (tries === 0) throw error
      return await openTwice(tries - 1)
    }
  }
  await openTwice()
  await played.settled()
  expect(await played.closed(9)).toEqual([1, ['after']])
})
