import type { ByteSink, ByteSource } from '../outbound/reply'

/**
 * Passes the pieces of fast streams on together. To read a piece and to write it costs more than
 * all else that happens to it, and a stream that says five things between two frames of a screen
 * looks no different when it says them at once.
 */
export interface Gathering {
  /**
   * A source as it should flow: what comes after a quiet moment goes on as it comes, what follows
   * closely goes on together, and a stream that stays fast is read only so often. Nothing waits for
   * longer than the time between, and the end waits for nothing.
   */
  of(source: ByteSource): ByteSource
}

/** More than this is worth a write of its own. */
const mostHeldBytes = 8192

/** One stream whose last piece went on a moment ago. */
interface Recent {
  /** @returns false when it has become slow: its next piece need not wait */
  tick(): boolean
}

/** @param gatherMs the longest that a piece may wait, by now; 0: none waits */
export function openGathering(gatherMs: () => number): Gathering {
  let recent: Recent[] = []
  /** One for all streams, and none while all of them are slow. */
  let timer: ReturnType<typeof setInterval> | null = null
  let everyMs = 0

  const stop = () => {
    if (timer !== null) clearInterval(timer)
    timer = null
  }

  const tick = () => {
    recent = recent.filter((each) => each.tick())
    if (recent.length === 0) stop()
    else if (everyMs !== gatherMs()) {
      stop()
      start()
    }
  }

  const start = () => {
    everyMs = gatherMs()
    timer = setInterval(tick, everyMs)
  }

  const watch = (stream: Recent) => {
    recent.push(stream)
    if (timer === null) start()
  }

  return { of: (source) => gathered(source, gatherMs, watch) }
}

function gathered(
  source: ByteSource,
  gatherMs: () => number,
  watch: (stream: Recent) => void,
): ByteSource {
  let taker: ByteSink | null = null
  /** Made when something has to wait: streams that stay slow need none. */
  let held: Uint8Array | null = null
  let heldBytes = 0
  let watched = false
  /** Something came since the last tick. */
  let came = false
  /** From tick to tick it is read once: what one read brings goes on together. */
  let fast = false
  let passing = false
  /** Not read until the next tick. */
  let resting = false
  /** Whoever takes has enough. */
  let paused = false
  let over = false

  /** Bytes are only lent, so what waits is a copy. */
  const hold = (bytes: Uint8Array) => {
    held ??= new Uint8Array(mostHeldBytes)
    held.set(bytes, heldBytes)
    heldBytes += bytes.byteLength
  }

  const release = () => {
    if (held === null || heldBytes === 0) return
    const bytes = held.subarray(0, heldBytes)
    heldBytes = 0
    taker?.data(bytes)
  }

  const rest = () => {
    if (over) return
    resting = true
    source.pause()
  }

  const passRead = () => {
    passing = false
    release()
    rest()
  }

  const stream: Recent = {
    tick() {
      release()
      if (over) return false
      const gathers = gatherMs() > 0
      const slow = !resting && !came && !paused
      if (resting) {
        resting = false
        if (!paused) source.resume()
      } else if (came && gathers) {
        fast = true
        rest()
      }
      came = false
      if (slow || !gathers) watched = fast = false
      return watched
    },
  }

  const sink: ByteSink = {
    data(bytes) {
      if (watched && heldBytes + bytes.byteLength <= mostHeldBytes) {
        came = true
        hold(bytes)
        if (!fast || resting || passing) return
        passing = true
        queueMicrotask(passRead)
        return
      }
      release()
      taker?.data(bytes)
      if (watched || over || gatherMs() === 0) return
      watched = true
      watch(stream)
    },
    end() {
      release()
      over = true
      taker?.end()
    },
    fail(cause) {
      release()
      over = true
      taker?.fail(cause)
    },
  }

  return {
    read: () => source.read(),
    flow(to) {
      taker = to
      source.flow(sink)
    },
    pause() {
      paused = true
      source.pause()
    },
    resume() {
      paused = false
      if (!resting) source.resume()
    },
  }
}
