import type { ByteSink, ByteSource } from './reply'

/** A source and the end at which it is filled. */
export interface OpenSource {
  readonly source: ByteSource
  readonly sink: ByteSink
}

/** How the place that the bytes come from is slowed down. */
export interface Flow {
  pause(): void
  resume(): void
}

/** Bytes that may wait for a reader before their sender has to. */
const mostWaitingBytes = 262_144

type Waiting = { resolve(piece: Uint8Array | null): void; reject(cause: Error): void }

/** Hands bytes from where they come to where they are wanted, and keeps what nobody waits for yet. */
export function openSource(flow: Flow): OpenSource {
  let pieces: Uint8Array[] = []
  let waitingBytes = 0
  let paused = false
  let over = false
  let failure: Error | null = null
  let reader: Waiting | null = null
  let taker: ByteSink | null = null

  const finish = () => {
    if (taker !== null) return failure === null ? taker.end() : taker.fail(failure)
    if (reader === null) return
    const waiting = reader
    reader = null
    if (failure === null) waiting.resolve(null)
    else waiting.reject(failure)
  }

  const resume = () => {
    if (!paused) return
    paused = false
    flow.resume()
  }

  return {
    source: {
      read() {
        const piece = pieces.shift()
        if (piece !== undefined) {
          waitingBytes -= piece.byteLength
          if (waitingBytes < mostWaitingBytes) resume()
          return Promise.resolve(piece)
        }
        if (failure !== null) return Promise.reject(failure)
        if (over) return Promise.resolve(null)
        return new Promise((resolve, reject) => {
          reader = { resolve, reject }
        })
      },
      flow(sink) {
        const waiting = pieces
        pieces = []
        waitingBytes = 0
        // What waited is taken; the sink may say at once that it has enough of it.
        const held = paused
        paused = false
        for (const piece of waiting) sink.data(piece)
        taker = sink
        if (over) finish()
        else if (held && !paused) flow.resume()
      },
      pause() {
        if (paused || over) return
        paused = true
        flow.pause()
      },
      resume,
    },
    sink: {
      data(bytes) {
        if (taker !== null) return taker.data(bytes)
        const piece = new Uint8Array(bytes)
        if (reader !== null) {
          const waiting = reader
          reader = null
          return waiting.resolve(piece)
        }
        pieces.push(piece)
        waitingBytes += piece.byteLength
        if (waitingBytes >= mostWaitingBytes && !paused) {
          paused = true
          flow.pause()
        }
      },
      end() {
        if (over) return
        over = true
        // Where it came from may serve others now.
        resume()
        finish()
      },
      fail(cause) {
        if (over) return
        over = true
        failure = cause
        finish()
      },
    },
  }
}

/** A body of nothing. */
export function emptySource(): ByteSource {
  const { source, sink } = openSource({ pause() {}, resume() {} })
  sink.end()
  return source
}
