import type { ByteSink, ByteSource } from '../../outbound/http1/reply'

/** A stream of a vendor that is read until its answer begins. */
interface OpeningStream {
  /** @param piece null at the end @returns text for the client; '' for none @throws as the stream does */
  take(piece: Uint8Array | null): string | Promise<string>
  /** The client's text holds its first output. */
  started(): boolean
  complete(): boolean
}

/** Output up to and with the first, and the source of the rest. */
interface Opening {
  readonly head: string
  readonly source: ByteSource
}

/**
 * How long what only announces an answer is kept back: vendors send it at once, also when they then
 * find that they have no room. Models that think are silent for longer, and by then their client
 * should know of an answer.
 */
const maxHeldMs = 2000

const late = Symbol('late')

/**
 * Waits for the first output of an answer: a failure before it is an ordinary error, for which
 * another vendor may be asked.
 * @throws what `take` throws | Error when the vendor closes without an answer, or its connection breaks
 */
export async function awaitOutput(
  source: ByteSource,
  stream: OpeningStream,
  heldMs = maxHeldMs,
): Promise<Opening> {
  let head = ''
  let timer: ReturnType<typeof setTimeout> | null = null
  const patience = Promise.withResolvers<typeof late>()
  try {
    while (!stream.complete()) {
      const reading = source.read()
      if (head !== '') timer ??= setTimeout(patience.resolve, heldMs, late)
      const piece = timer === null ? await reading : await Promise.race([reading, patience.promise])
      if (piece === late) return { head, source: withAwaited(source, reading) }
      const taken = stream.take(piece)
      head += typeof taken === 'string' ? taken : await taken
      if (head !== '' && stream.started()) break
      if (piece === null && !stream.complete()) throw new Error('a stream without an answer')
    }
  } finally {
    if (timer !== null) clearTimeout(timer)
  }
  return { head, source }
}

/** A source of which a piece is still awaited. @param next that piece */
function withAwaited(source: ByteSource, next: Promise<Uint8Array | null>): ByteSource {
  // It may break before anybody wants the rest, which then says so itself.
  const awaited = next.catch(() => null)
  let paused = false
  const handOver = async (sink: ByteSink) => {
    const piece = await awaited
    if (piece !== null) sink.data(piece)
    source.flow(sink)
    if (paused) source.pause()
  }
  return {
    read: () => next,
    pause() {
      paused = true
      source.pause()
    },
    resume() {
      paused = false
      source.resume()
    },
    flow: (sink) => void handOver(sink),
  }
}
