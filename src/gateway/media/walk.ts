/** How long a recording lasts. */
interface Length {
  /** By its frames and its head; null where neither tells. */
  readonly seconds: number | null
  /** With what no frame explains: upper bound of what a decoder makes of it. */
  readonly maxSeconds: number
}

/**
 * A measure of a recording that goes through it in slices of some milliseconds: it yields between
 * them. Null where nothing can be told.
 */
export type Walk = Generator<void, Length | null>

/** Frames, pages or boxes looked at between two turns of the event loop. */
export const stepsPerSlice = 8192

/** A second of the sparsest speech that vendors take (8 kbit/s). */
const minBytesPerSecond = 1000
/** Tags and padding that players leave behind. */
const maxStrayBytes = 65_536

/**
 * How long the bytes can last that no frame explains: a head that lies about them must not make
 * them free.
 */
const unexplainedSeconds = (bytes: number): number =>
  bytes > maxStrayBytes ? bytes / minBytesPerSecond : 0

/** Length of a recording with what is unexplained. @param unexplained bytes that no frame holds */
export function lengthIn(seconds: number, unexplained: number): Length | null {
  const maxSeconds = seconds + unexplainedSeconds(unexplained)
  if (!(maxSeconds > 0) || !Number.isFinite(maxSeconds)) return null
  return { seconds: seconds > 0 ? seconds : null, maxSeconds }
}

/** No file of a size that is taken lasts longer; a head that says so is broken. */
const maxReportedSeconds = 48 * 3600

/** Length as a header claims it; 0 where it cannot be true. */
export const plausibleSeconds = (seconds: number): number =>
  seconds > 0 && seconds <= maxReportedSeconds ? seconds : 0
