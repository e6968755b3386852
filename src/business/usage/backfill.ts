import { isBusy } from '../../storage/sqlite/connection'

/** Work that is done a slice at a time behind the calls of a process that serves. */
interface BackgroundFill {
  close(): void
}

const nextSliceMs = 15
/** Commands and starts of a moment leave it to the next process. */
const usualStartMs = 1000

/**
 * Goes on where an earlier process stopped, in short commits beside the calls of this one.
 * @param slice writes one commit, and tells whether there is more
 * @param onFault told once when the database does not write; it is tried again
 */
export function openBackgroundFill(
  slice: () => boolean,
  onFault: (fault: unknown) => void,
): BackgroundFill {
  let told = false
  let timer: ReturnType<typeof setTimeout> | null = null
  const after = (ms: number) => {
    timer = setTimeout(() => {
      try {
        if (slice()) after(nextSliceMs)
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
  after(usualStartMs)
  return {
    close() {
      if (timer !== null) clearTimeout(timer)
    },
  }
}
