import type { Frame, SocketSink } from './socket'

/** Keeps what comes until somebody listens, then passes it on. */
interface SocketInbox {
  readonly sink: SocketSink
  listen(sink: SocketSink): void
}

export function openSocketInbox(): SocketInbox {
  let listener: SocketSink | null = null
  let frames: Frame[] = []
  let closed: { readonly code: number; readonly reason: string } | null = null
  return {
    sink: {
      frame(frame) {
        if (listener === null) frames.push(frame)
        else listener.frame(frame)
      },
      pong: () => listener?.pong(),
      closed(code, reason) {
        if (listener === null) closed = { code, reason }
        else listener.closed(code, reason)
      },
    },
    listen(sink) {
      listener = sink
      const early = frames
      frames = []
      for (const frame of early) sink.frame(frame)
      if (closed !== null) sink.closed(closed.code, closed.reason)
    },
  }
}
