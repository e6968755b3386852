import { isBusy } from './database'

/** Something of a database of before that a newer program brings in, a slice at a time. */
interface BackgroundFill {
  close(): void
}

/** Rows in one commit: a few milliseconds. */
const rowsInSlice = 500
const nextSliceMs = 15
/** Commands and starts of a moment leave it to the next process. */
const usualStartMs = 1000

/**
 * Goes on where an earlier process stopped, in short commits beside the calls of this one.
 * @param slice brings in about so many rows, and tells whether there are more
 * @param onFault told once when the database does not write; it is tried again
 */
export function openBackgroundFill(
  slice: (rows: number) => boolean,
  onFault: (fault: unknown) => void,
  startMs = usualStartMs,
): BackgroundFill {
  let told = false
  let timer: ReturnType<typeof setTimeout> | null = null
  const after = (ms: number) => {
    timer = setTimeout(() => {
      try {
        if (slice(rowsInSlice)) after(nextSliceMs)
        else timer = null
      } catch (thrown) {
        after(usualStartMs)
        if (told || isBusy(thrown)) return
        told = true
        onFault(thrown)
      }
    }, ms)
    timer.unref()
  }
  after(startMs)
  return {
    close() {
      if (timer !== null) clearTimeout(timer)
    },
  }
}
