import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
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
  const { hostname, port } = new URL(it.chapar.url)
  const socket = connect(Number(port), hostname)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
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
  socket.write(frameHead(40_000_000))
  await closed
  expect(await it.chapar.rest()).toMatchObject({ held: 0, slots: 0 })
})
