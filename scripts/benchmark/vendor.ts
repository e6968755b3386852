/**
 * The vendor of the measurements: canned bytes on bare sockets. Streams get one write every tick,
 * so that each arrives as a read of its own.
 *
 *     bun scripts/benchmark/vendor.ts PORT
 */
import type { Socket } from 'bun'
import { holdMark, streamHead, streamWrites, wholeReply } from './wire'

const tickMs = 2
const encoder = new TextEncoder()
const whole = encoder.encode(wholeReply())
const [firstWrite = '', ...laterWrites] = streamWrites
const opening = encoder.encode(streamHead + firstWrite)
const later = laterWrites.map((write) => encoder.encode(write))

interface Connection {
  /** Of a request that is not yet whole. */
  pending: Buffer | null
}

/** Streams that run, and what each writes next. */
const running = new Map<Socket<Connection>, number>()

setInterval(() => {
  for (const [socket, at] of running) {
    const write = later[at]
    if (write !== undefined) socket.write(write)
    if (at + 1 >= later.length) running.delete(socket)
    else running.set(socket, at + 1)
  }
}, tickMs)

function answer(socket: Socket<Connection>, body: string): void {
  if (!body.includes('"stream":true')) return void socket.write(whole)
  socket.write(opening)
  if (!body.includes(holdMark)) running.set(socket, 0)
}

/** The body of the one request in the bytes; null as long as it is not all there. */
function bodyIn(bytes: Buffer): string | null {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return null
  const headers = bytes.toString('latin1', 0, head)
  const length = /content-length: *(\d+)/i.exec(headers)?.[1]
  const body = bytes.toString('latin1', head + 4)
  if (length !== undefined) return body.length >= Number(length) ? body : null
  if (/transfer-encoding: *chunked/i.test(headers)) return body.endsWith('0\r\n\r\n') ? body : null
  return body
}

Bun.listen<Connection>({
  hostname: '127.0.0.1',
  port: Number(process.argv[2]),
  socket: {
    open(socket) {
      socket.data = { pending: null }
      socket.setNoDelay(true)
    },
    data(socket, bytes) {
      const { pending } = socket.data
      const all = pending === null ? bytes : Buffer.concat([pending, bytes])
      const body = bodyIn(all)
      // The bytes belong to the socket and are written over.
      socket.data.pending = body === null ? Buffer.from(all) : null
      if (body !== null) answer(socket, body)
    },
    close: (socket) => void running.delete(socket),
    error: (socket) => void running.delete(socket),
  },
})
