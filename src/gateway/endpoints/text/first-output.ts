import { emptyAnswer, reportsOutput } from '../../formats/plausible-usage'
import type { TextStream } from '../../formats/hub-stream'
import type { ByteSink, ByteSource } from '../../outbound/http1/reply'

/** A stream of a vendor that is read until its answer begins. */
type OpeningStream = Pick<TextStream, 'started' | 'thinks' | 'complete' | 'reportedUsage'>

/**
 * Passes a piece on, null at the end. @returns text for the client; '' for none @throws as the stream does
 */
type Take = (piece: Uint8Array | null) => string | Promise<string>

/** Output up to and with the first, and the source of the rest. */
interface Opening {
  readonly head: string
  readonly source: ByteSource
}

/**
 * How long the start of thinking is kept back: vendors tell it at once, also when they then find that they
 * have no room. Thinking that nothing is shown of may be silent for longer than any answer may wait.
 */
const maxHeldMs = 2000

const late = Symbol('late')

/** Whether output has begun. */
export const hasStarted = ({ started }: Pick<TextStream, 'started'>): boolean =>
  started === undefined || started()

/**
 * Waits for the first output of an answer: a failure before it is an ordinary error, for which
 * another vendor may be asked. What only announces an answer is kept back until then.
 * @throws what `take` throws | Error when the vendor ends without an answer, or its connection breaks
 */
export async function awaitOutput(
  source: ByteSource,
  stream: OpeningStream,
  take: Take,
  heldMs = maxHeldMs,
): Promise<Opening> {
  let head = ''
  let timer: ReturnType<typeof setTimeout> | null = null
  const patience = Promise.withResolvers<typeof late>()
  try {
    while (!stream.complete()) {
      const reading = source.read()
      if (timer === null && head !== '' && stream.thinks?.() === true)
        timer = setTimeout(patience.resolve, heldMs, late)
      const piece = timer === null ? await reading : await Promise.race([reading, patience.promise])
      if (piece === late) return { head, source: withAwaited(source, reading) }
      const taken = take(piece)
      head += typeof taken === 'string' ? taken : await taken
      if (head !== '' && hasStarted(stream)) return { head, source }
      if (piece === null && !stream.complete()) throw new Error('a stream without an answer')
    }
  } finally {
    if (timer !== null) clearTimeout(timer)
  }
  if (!hasStarted(stream) && !reportsOutput(stream.reportedUsage())) throw emptyAnswer()
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
