import type { ByteFile } from './byte-file'
import { openByteWindow, type ByteWindow } from './byte-window'
import { containerOf, type Container } from './container'
import { flacSeconds } from './flac-seconds'
import { mp3Seconds } from './mp3-seconds'
import { mp4Seconds } from './mp4-seconds'
import { oggSeconds } from './ogg-seconds'
import { wavSeconds } from './wav-seconds'
import { webmSeconds } from './webm-seconds'

/** What a recording's own bytes tell of it. */
export interface Recording {
  /** Null for what we do not know. */
  readonly container: Container | null
  /** How long it lasts, in whole milliseconds; null where that cannot be told. */
  readonly seconds: number | null
}

type Measure = (bytes: ByteWindow, file: ByteFile) => number | null

const measures: Readonly<Record<Container, Measure>> = {
  wav: wavSeconds,
  mp3: mp3Seconds,
  mp4: mp4Seconds,
  webm: webmSeconds,
  ogg: oggSeconds,
  flac: (bytes, file) => flacSeconds(file, bytes),
}

/** No file of a size that is taken lasts longer; what says so is broken. */
const mostSeconds = 48 * 3600

/** Never decodes, never fails, and looks at a file for some milliseconds at most. */
export function readRecording(file: ByteFile): Recording {
  const bytes = openByteWindow(file)
  const container = containerOf(bytes)
  if (container === null) return { container, seconds: null }
  const seconds = measures[container](bytes, file)
  const isLikely = seconds !== null && seconds > 0 && seconds <= mostSeconds
  return { container, seconds: isLikely ? Math.ceil(seconds * 1000) / 1000 : null }
}
