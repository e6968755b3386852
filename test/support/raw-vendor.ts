import { createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * What is sent after the request has come in: text as it stands on the wire, or a wait in
 * milliseconds. Headers and chunk sizes included: this is for what an HTTP server would not send.
 */
export type RawReply = readonly (string | number)[]

/** One write; a number waits for so many milliseconds. */
export type RawPart = string | Buffer | number

/** How the connection ends: closed in order, reset, or not at all. */
export type RawEnd = 'fin' | 'reset' | 'open'

export interface RawVendor {
  /** Base address, with the version. */
  readonly url: string
  /** Requests that came in whole. */
  readonly hits: number
  /** Connections that the other side closed, and when. */
  readonly closedAt: readonly number[]
  /** Connections that are open now. */
  readonly connections: number
  close(): Promise<void>
}

/**
 * A vendor on a bare socket, for connections that end where HTTP would not let them.
 * @param reply the same each time, or made for each request; it goes on as fast as it is read
 * @param isEnough whether so much of a request is answered; a whole one, unless told otherwise
 */
export async function openRawVendor(
  reply: RawReply | ((request: string) => Iterable<RawPart>),
  end: RawEnd | (() => RawEnd),
  isEnough: (received: string) => boolean = isWhole,
): Promise<RawVendor> {
  const sockets = new Set<Socket>()
  const closedAt: number[] = []
  let hits = 0

  const answer = async (socket: Socket, request: string) => {
    hits++
    const ending = typeof end === 'function' ? end() : end
    for (const part of typeof reply === 'function' ? reply(request) : reply) {
      if (socket.destroyed) return
      if (typeof part === 'number') await Bun.sleep(part)
      else if (!socket.write(part)) await drained(socket)
    }
    // What was written must leave before a reset throws it away.
    await Bun.sleep(20)
    if (ending === 'fin') socket.end()
    if (ending === 'reset') socket.resetAndDestroy()
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    let received = ''
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      closedAt.push(performance.now())
    })
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      if (!isEnough(received)) return
      const request = received
      received = ''
      void answer(socket, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get hits() {
      return hits
    },
    closedAt,
    get connections() {
      return sockets.size
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      socket.off('drain', go).off('close', go)
      resolve()
    }
    socket.on('drain', go).on('close', go)
  })

/** The whole request has come in. */
export function isWhole(request: string): boolean {
  const head = request.indexOf('\r\n\r\n')
  if (head < 0) return false
  const length = /^content-length: *(\d+)/im.exec(request.slice(0, head))?.[1]
  if (length !== undefined) return request.length >= head + 4 + Number(length)
  if (/^transfer-encoding: *chunked/im.test(request.slice(0, head)))
    return request.endsWith('0\r\n\r\n')
  return true
}

/** The head of a reply that streams events, in chunks. */
export const chunkedHead =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'

/** One chunk on the wire. @param shown how many of its bytes are sent; it claims them all */
export const rawChunk = (text: string, shown = Number.POSITIVE_INFINITY): string => {
  const size = Buffer.byteLength(text).toString(16)
  return shown >= text.length ? `${size}\r\n${text}\r\n` : `${size}\r\n${text.slice(0, shown)}`
}

export const lastChunk = '0\r\n\r\n'
