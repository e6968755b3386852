/** A client of the realtime channel that keeps what it gets. */

export interface RealtimeClient {
  readonly frames: string[]
  /** The sub-protocol that was answered. */
  protocol(): string
  send(event: object | string): void
  /** The next event of this type that was not waited for before, or the close. @throws Error when it is closed before */
  next(type: string): Promise<Record<string, unknown>>
  /** Waits until it is open. @throws Error when it never will be */
  opened: Promise<void>
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>
  close(code?: number): void
  /** Goes without a word. */
  leave(): void
  readonly socket: WebSocket
}

interface RealtimeClientOptions {
  readonly headers?: Record<string, string>
  readonly protocols?: string[]
}

export function openRealtimeClient(
  url: string,
  { headers = {}, protocols }: RealtimeClientOptions = {},
): RealtimeClient {
  const options = { headers, perMessageDeflate: false, ...(protocols && { protocols }) }
  const socket = new WebSocket(url, options)
  const frames: string[] = []
  const unseen: Record<string, unknown>[] = []
  let waiting: { type: string; take: (event: Record<string, unknown>) => void } | null = null
  let gone: Error | null = null
  let fail: (cause: Error) => void = () => {}
  const open = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  open.promise.catch(() => {})

  const look = () => {
    if (waiting === null) return
    const { type, take } = waiting
    const at = unseen.findIndex((event) => event['type'] === type)
    if (at < 0) {
      if (gone !== null) fail(gone)
      return
    }
    waiting = null
    const [event] = unseen.splice(0, at + 1).slice(-1)
    if (event !== undefined) take(event)
  }
  socket.addEventListener('open', () => open.resolve())
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    frames.push(data)
    unseen.push(JSON.parse(data) as Record<string, unknown>)
    look()
  })
  socket.addEventListener('error', () => {})
  socket.addEventListener('close', ({ code, reason }) => {
    gone = new Error(`closed with ${code} ${reason}`)
    open.reject(gone)
    closed.resolve({ code, reason })
    look()
  })
  return {
    frames,
    socket,
    protocol: () => socket.protocol,
    send: (event) => socket.send(typeof event === 'string' ? event : JSON.stringify(event)),
    next: (type) =>
      new Promise((resolve, reject) => {
        waiting = { type, take: resolve }
        fail = reject
        look()
      }),
    opened: open.promise,
    closed: closed.promise,
    close: (code = 1000) => socket.close(code),
    leave: () => socket.terminate(),
  }
}
