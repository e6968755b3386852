import type { ByteSink, ByteSource } from '../outbound/reply'

/**
 * Coalescing of fast streams: pieces that follow closely are passed on together. To read a piece and
 * to write it costs more than all else that happens to it, and a stream that says five things between
 * two frames of a screen looks no different when it says them at once.
 */
export interface Coalescing {
  /**
   * Wraps a source. What comes after a quiet moment passes at once, what follows closely is
   * coalesced, and a stream that stays fast is read only so often. Nothing waits for longer than one
   * interval, and the end waits for nothing.
   */
  of(source: ByteSource): ByteSource
}

/** More than this is worth a write of its own. */
const maxHeldBytes = 8192

/** A stream whose last piece was passed a moment ago. */
interface WatchedStream {
  /** @returns false when it has become slow: its next piece need not wait */
  tick(): boolean
}

/** What the streams of one process share: the interval, and the timer over those that are watched. */
interface Watch {
  intervalMs(): number
  add(stream: WatchedStream): void
}

/** @param intervalMs the longest that a piece may wait, by now; 0: none waits */
export function openCoalescing(intervalMs: () => number): Coalescing {
  let watched: WatchedStream[] = []
  /** One for all streams, and none while all of them are slow. */
  let timer: ReturnType<typeof setInterval> | null = null
  let everyMs = 0

  const stop = () => {
    if (timer !== null) clearInterval(timer)
    timer = null
  }

  const tick = () => {
    watched = watched.filter((each) => each.tick())
    if (watched.length === 0) stop()
    else if (everyMs !== intervalMs()) {
      stop()
      start()
    }
  }

  const start = () => {
    everyMs = intervalMs()
    timer = setInterval(tick, everyMs)
  }

  const watch: Watch = {
    intervalMs,
    add(stream) {
      watched.push(stream)
      if (timer === null) start()
    },
  }
  return { of: (source) => new CoalescedSource(source, watch) }
}

/**
 * A source on its way through three paces: `idle`, every piece passes at once; `watched`, pieces are
 * held until the next tick; `fast`, it is read once between two ticks, and what one read brings is
 * passed together.
 */
type Pace = 'idle' | 'watched' | 'fast'

class CoalescedSource implements ByteSource, ByteSink, WatchedStream {
  readonly #source: ByteSource
  readonly #watch: Watch
  #sink: ByteSink | null = null
  #pace: Pace = 'idle'
  /** Made when something has to wait: streams that stay slow need none. */
  #held: Uint8Array | null = null
  #heldBytes = 0
  /** Something came since the last tick. */
  #came = false
  /** What one read of a fast stream brings is passed at the end of this turn of the loop. */
  #passing = false
  /** Not read until the next tick. */
  #resting = false
  /** Paused by its reader. */
  #paused = false
  #over = false

  constructor(source: ByteSource, watch: Watch) {
    this.#source = source
    this.#watch = watch
  }

  read(): Promise<Uint8Array | null> {
    return this.#source.read()
  }

  flow(sink: ByteSink): void {
    this.#sink = sink
    this.#source.flow(this)
  }

  pause(): void {
    this.#paused = true
    this.#source.pause()
  }

  resume(): void {
    this.#paused = false
    if (!this.#resting) this.#source.resume()
  }

  data(bytes: Uint8Array): void {
    if (this.#pace !== 'idle' && this.#heldBytes + bytes.byteLength <= maxHeldBytes)
      return this.#hold(bytes)
    this.#release()
    this.#sink?.data(bytes)
    if (this.#pace !== 'idle' || this.#over || this.#watch.intervalMs() === 0) return
    this.#pace = 'watched'
    this.#watch.add(this)
  }

  end(): void {
    this.#release()
    this.#over = true
    this.#sink?.end()
  }

  fail(cause: Error): void {
    this.#release()
    this.#over = true
    this.#sink?.fail(cause)
  }

  tick(): boolean {
    this.#release()
    if (this.#over) return false
    const coalesces = this.#watch.intervalMs() > 0
    const slow = !this.#resting && !this.#came && !this.#paused
    if (this.#resting) this.#wake()
    else if (this.#came && coalesces) {
      this.#pace = 'fast'
      this.#rest()
    }
    this.#came = false
    if (slow || !coalesces) this.#pace = 'idle'
    return this.#pace !== 'idle'
  }

  /** Bytes are only lent, so what waits is a copy. */
  #hold(bytes: Uint8Array): void {
    this.#came = true
    this.#held ??= new Uint8Array(maxHeldBytes)
    this.#held.set(bytes, this.#heldBytes)
    this.#heldBytes += bytes.byteLength
    if (this.#pace !== 'fast' || this.#resting || this.#passing) return
    this.#passing = true
    queueMicrotask(() => {
      this.#passing = false
      this.#release()
      this.#rest()
    })
  }

  #release(): void {
    if (this.#held === null || this.#heldBytes === 0) return
    const bytes = this.#held.subarray(0, this.#heldBytes)
    this.#heldBytes = 0
    this.#sink?.data(bytes)
  }

  #rest(): void {
    if (this.#over) return
    this.#resting = true
    this.#source.pause()
  }

  #wake(): void {
    this.#resting = false
    if (!this.#paused) this.#source.resume()
  }
}
