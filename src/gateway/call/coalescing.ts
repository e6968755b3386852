import type { ByteSink, ByteSource } from '../outbound/http1/reply'

/**
 * Coalescing of fast streams: pieces that follow closely are passed on together. To read a piece and
 * to write it costs more than all else that happens to it, and a stream that says five things between
 * two frames of a screen looks no different when it says them at once.
 */
export interface Coalescing {
  /**
   * Wraps a source. Its pieces pass at once until they come at 200 a second (80 where the process is
   * busy); from then on they are coalesced, and the source is read only so often, until the pace falls
   * again. Nothing waits for longer than one interval, and the end waits for nothing. At a slower pace
   * each piece would be half an interval late for little.
   */
  of(source: ByteSource): ByteSource
}

/**
 * Chunks a millisecond from which coalescing saves more than waiting costs, and below which it ends.
 * Where the process is busy, a fifth of a chunk's CPU (at 100 a second) is worth the wait too: below 80
 * a second nothing is saved.
 */
const relaxed = { fast: 0.2, slow: 0.125 } as const
const pressed = { fast: 0.08, slow: 0.06 } as const
/** Share of a core from which the process is busy. */
const busyShare = 0.6
/** Pieces of an idle stream between two looks at the clock. */
const paceSample = 8
/** Ticks between two looks at the pace of a coalesced one. */
const sampledTicks = 8

/** More than this is worth a write of its own. */
const maxHeldBytes = 8192

/** A stream whose last piece was passed a moment ago. */
interface WatchedStream {
  /** @returns false when it has become slow: its next piece need not wait */
  tick(): boolean
}

/** State shared by the streams of one process: the interval, and the timer over those that are watched. */
interface Watch {
  intervalMs(): number
  paces(): { readonly fast: number; readonly slow: number }
  add(stream: WatchedStream): void
}

/**
 * Opens the coalescing of a process's streams.
 * @param intervalMs the longest that a piece may wait, by now; 0: none waits
 * @param cpuShare of a core, lately
 */
export function openCoalescing(
  intervalMs: () => number,
  cpuShare: () => number = openCpuShare(),
): Coalescing {
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
    paces: () => (cpuShare() < busyShare ? relaxed : pressed),
    add(stream) {
      watched.push(stream)
      if (timer === null) start()
    },
  }
  return { of: (source) => new CoalescedSource(source, watch) }
}

/**
 * Mode of a stream: `idle`, each passes at once, which costs nothing but
 * counting them; `watched`, they are held until the next tick; `fast`, the source is read once between
 * two ticks, and what one read brings is passed together.
 */
type Pace = 'idle' | 'watched' | 'fast'

class CoalescedSource implements ByteSource, ByteSink, WatchedStream {
  readonly #source: ByteSource
  readonly #watch: Watch
  #sink: ByteSink | null = null
  #pace: Pace = 'idle'
  /** Since the pace was last looked at. */
  #pieces = 0
  #ticks = 0
  #sampledMs = 0
  /** Made when something has to wait: streams that stay slow need none. */
  #held: Uint8Array | null = null
  #heldBytes = 0
  /** Something came since the last tick. */
  #came = false
  /** A flush at the end of this turn of the loop is due, as for a fast stream. */
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
    this.#sampledMs = performance.now()
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
    if (++this.#pieces >= paceSample && this.#pace === 'idle') this.#sample()
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
    const slow = this.#isSlow()
    if (this.#resting) this.#wake()
    else if (this.#came && !slow) {
      this.#pace = 'fast'
      this.#rest()
    }
    this.#came = false
    if (slow) this.#pace = 'idle'
    return !slow
  }

  /** Begins to coalesce when the last pieces came fast. */
  #sample(): void {
    const now = performance.now()
    const fast = this.#pieces >= (now - this.#sampledMs) * this.#watch.paces().fast
    this.#pieces = 0
    this.#sampledMs = now
    if (!fast || this.#over || this.#watch.intervalMs() === 0) return
    this.#pace = 'watched'
    this.#ticks = 0
    this.#watch.add(this)
  }

  #isSlow(): boolean {
    const intervalMs = this.#watch.intervalMs()
    if (intervalMs === 0 || (!this.#resting && !this.#came && !this.#paused)) return true
    if (++this.#ticks < sampledTicks) return false
    const slow = this.#pieces < sampledTicks * intervalMs * this.#watch.paces().slow
    this.#ticks = 0
    this.#pieces = 0
    return slow
  }

  /** Bytes are only lent, so what waits is a copy. */
  #hold(bytes: Uint8Array): void {
    this.#came = true
    this.#pieces++
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

/** Milliseconds over which the share is taken. */
const windowMs = 500

/**
 * The share of a core that the process used lately, at most half a second old whenever it is asked
 * for often enough. Nothing runs in between: reading it is cheap, and most calls read nothing.
 * @param now milliseconds @param cpuMs processor time of the process, in milliseconds
 */
export function openCpuShare(now = performance.now.bind(performance), cpuMs = usedMs) {
  let [sinceMs, sinceCpuMs, share] = [now(), cpuMs(), 0]
  return (): number => {
    const elapsedMs = now() - sinceMs
    if (elapsedMs < windowMs) return share
    const usedNow = cpuMs()
    share = (usedNow - sinceCpuMs) / elapsedMs
    sinceMs += elapsedMs
    sinceCpuMs = usedNow
    return share
  }
}

function usedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
