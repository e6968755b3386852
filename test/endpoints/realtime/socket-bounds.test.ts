import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { lookAtHalfFrames } from '../../../src/gateway/endpoints/realtime/socket-bounds'
import { openConversing, type Conversing } from './conversation'

let it: Conversing
beforeAll(async () => {
  it = await openConversing()
})
afterAll(() => it.close())

/** The head of a client's frame of text of so many bytes, masked with zeros (RFC 6455, section 5.2). */
const frameHead = (bytes: number): Buffer => {
  const head = Buffer.alloc(14)
  head[0] = 0x81
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(BigInt(bytes), 2)
  return head
}

/** The runtime keeps half a frame, unseen by us: that there is little of it is its own limit. */
test('a frame larger than any account may send is refused by its head', async () => {
  const { socket, closed } = await opened()
  socket.write(frameHead(40_000_000))
  await closed
  expect(await it.chapar.rest()).toMatchObject({ held: 0, slots: 0 })
})

test.skipIf(process.platform !== 'linux')(
  'what an account has half-sent on all its sockets is bounded as one request is',
  async () => {
    const [first, second, third] = [await opened(), await opened(), await opened()]
    const ended: string[] = []
    void first.closed.then((last) => ended.push(`first ${last}`))
    void second.closed.then((last) => ended.push(`second ${last}`))
    void third.closed.then(() => ended.push('third'))
    first.socket.write(Buffer.concat([frameHead(19_000_000), Buffer.alloc(11_000_000)]))
    second.socket.write(Buffer.concat([frameHead(19_000_000), Buffer.alloc(12_000_000)]))
    third.socket.write(frameHead(19_000_000))
    for (let tries = 0; ended.length === 0 && tries < 1000; tries++) {
      lookAtHalfFrames()
      await Bun.sleep(10)
    }
    // The one that holds most, and it is told why; 11 MB alone are within the bound.
    expect(ended).toEqual([expect.stringMatching(/^second .*request_too_large/s) as string])
    for (let looks = 0; looks < 10; looks++) {
      lookAtHalfFrames()
      await Bun.sleep(5)
    }
    expect(ended).toHaveLength(1)
    first.socket.destroy()
    third.socket.destroy()
    await Promise.all([first.closed, third.closed])
    expect(await it.chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  },
)

test.each([
  ['pings', 0x89],
  ['pongs', 0x8a],
])('a flood of %s is broken off', async (_, head) => {
  const { socket, closed } = await opened()
  const one = Buffer.from([head, 0x80, 0, 0, 0, 0])
  socket.write(Buffer.concat(Array.from({ length: 20 }, () => one)))
  socket.write(Buffer.concat(Array.from({ length: 50_000 }, () => one)))
  await closed
  expect(await it.chapar.rest()).toMatchObject({ held: 0, slots: 0 })
})

/** A client's bare socket, upgraded. `closed` tells what came last. */
async function opened() {
  const { hostname, port } = new URL(it.chapar.url)
  const socket = connect(Number(port), hostname)
  let last = ''
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(last)))
  const upgraded = new Promise<string>((resolve) => {
    socket.once('data', (bytes) => resolve(bytes.toString('latin1')))
  })
  socket.write(
    [
      'GET /v1/realtime?model=voice HTTP/1.1',
      'host: x',
      'upgrade: websocket',
      'connection: upgrade',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
      `authorization: Bearer ${it.chapar.key}`,
      '\r\n',
    ].join('\r\n'),
  )
  expect(await upgraded).toStartWith('HTTP/1.1 101')
  socket.on('error', () => {})
  socket.on('data', (bytes) => void (last += bytes.toString('latin1')))
  return { socket, closed }
}
