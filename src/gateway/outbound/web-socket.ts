import { brokenClose, type Frame, type ServerSocket, type SocketRequest } from '../net/socket'
import { openSocketInbox } from '../net/socket-inbox'
import { CalledOff, type Attempt } from './http1/attempt'

/** The server answered, but not with a WebSocket. */
export class NoSocket extends Error {
  constructor(
    /** Its HTTP status; null when it did not answer at all. */
    readonly status: number | null,
    cause: unknown,
  ) {
    super(status === null ? 'the server cannot be reached' : `the server answered ${status}`, {
      cause,
    })
    this.name = 'NoSocket'
  }
}

/** For a server to close its side; one that sends on would keep the connection, and us busy. */
const closingMs = 2000

/**
 * Bun's own client: it stops reading when told to, and tells what waits to be sent. It does not say
 * when that was taken, so whoever waits for it has to look.
 * @throws NoSocket | CalledOff
 */
export function openWebSocket(
  { url, headers, proxy }: SocketRequest & { readonly proxy: string | null },
  attempt: Attempt,
): Promise<ServerSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<ServerSocket>()
  const socket = new WebSocket(url, {
    headers: Object.fromEntries(headers),
    // Sound does not get smaller, and each frame would cost more than its way here (RFC 7692).
    perMessageDeflate: false,
    ...(proxy === null ? {} : { proxy }),
  })
  const inbox = openSocketInbox({
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    terminate: () => socket.terminate(),
  })
  let failed: unknown = null
  let closing: ReturnType<typeof setTimeout> | null = null

  attempt.carriedBy(() => {
    reject(new CalledOff())
    socket.terminate()
  })
  socket.addEventListener('open', () =>
    resolve({
      listen: (sink) => inbox.listen(sink),
      send: (frame) => socket.send(frame),
      waiting: () => socket.bufferedAmount,
      pause: () => inbox.pause(),
      resume: () => inbox.resume(),
      ping: () => socket.ping(),
      close(code, reason) {
        inbox.close()
        socket.close(code, reason)
        closing = setTimeout(() => socket.terminate(), closingMs)
        closing.unref()
      },
    }),
  )
  socket.addEventListener('message', ({ data }: MessageEvent<Frame>) => inbox.sink.frame(data))
  socket.addEventListener('ping', () => inbox.sink.ping())
  socket.addEventListener('pong', () => inbox.sink.pong())
  socket.addEventListener('error', ({ error, message }) => {
    failed = error ?? message
  })
  socket.addEventListener('close', ({ code, reason }) => {
    if (closing !== null) clearTimeout(closing)
    reject(new NoSocket(statusIn(failed), failed))
    inbox.sink.closed(code === 0 ? brokenClose : code, reason)
  })
  return promise
}

/** Bun tells the status in words alone. */
function statusIn(failed: unknown): number | null {
  const text = failed instanceof Error ? failed.message : String(failed)
  const status = /Expected 101 status code: (\d{3})/.exec(text)?.[1]
  return status === undefined ? null : Number(status)
}
