import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { Attempt } from '../../src/gateway/outbound/http1/attempt'
import { openWebSocket } from '../../src/gateway/outbound/web-socket'

/** RFC 6455, section 1.3. */
const accepted = (key: string): string =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')

/** A server that takes a socket and never closes it. */
async function serving() {
  const { promise: upgraded, resolve } = Promise.withResolvers<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {})
    socket.once('data', (head) => {
      const key = /sec-websocket-key: (\S+)/i.exec(head.toString('latin1'))?.[1] ?? ''
      socket.write(
        `HTTP/1.1 101 x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accepted(key)}\r\n\r\n`,
      )
      resolve(socket)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, server, upgraded }
}

test('a server that sends on after we closed is left, and nothing of it is passed on', async () => {
  const { url, server, upgraded } = await serving()
  const socket = await openWebSocket({ url, headers: [], proxy: null }, new Attempt())
  const seen: unknown[] = []
  const { promise: closed, resolve } = Promise.withResolvers<number>()
  socket.listen({ frame: (frame) => seen.push(frame), pong() {}, closed: resolve })
  const vendor = await upgraded
  const frame = Buffer.from([0x81, 2, 0x7b, 0x7d])
  vendor.write(frame)
  while (seen.length === 0) await Bun.sleep(1)
  socket.close(1000, '')
  const sending = setInterval(() => vendor.write(frame), 20)
  const left = new Promise<void>((gone) => vendor.once('close', () => gone()))
  await Promise.all([closed, left])
  clearInterval(sending)
  expect(seen).toEqual(['{}'])
  server.close()
})
