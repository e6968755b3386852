import { yieldToLoop } from '../../domain/yield-to-loop'
import type { ByteFile } from './byte-file'
import { openByteWindow, type ByteWindow } from './byte-window'
import { containerOf, type Container } from './container'
import { flacSeconds } from './flac-seconds'
import { mp3Seconds } from './mp3-seconds'
import { mp4Seconds } from './mp4-seconds'
import { oggSeconds } from './ogg-seconds'
import type { Walk } from './walk'
import { wavSeconds } from './wav-seconds'
import { webmSeconds } from './webm-seconds'

/** Kind and length of a recording, as its bytes tell. */
interface Recording {
  /** Null for what we do not know. */
  readonly container: Container | null
  /** How long it lasts, in whole milliseconds; null where that cannot be told. */
  readonly seconds: number | null
  /** At most, with what nothing in it explains; null where that cannot be told. */
  readonly maxSeconds: number | null
}

type Measure = (bytes: ByteWindow, file: ByteFile) => Walk

const measures: Readonly<Record<Container, Measure>> = {
  wav: wavSeconds,
  mp3: (bytes) => mp3Seconds(bytes),
  mp4: mp4Seconds,
  webm: webmSeconds,
  ogg: oggSeconds,
  flac: (bytes, file) => flacSeconds(file, bytes),
}

/**
 * Measures a recording. Never decodes, never fails, and lets others have turns of the event loop meanwhile.
 */
export async function readRecording(file: ByteFile): Promise<Recording> {
  const bytes = openByteWindow(file)
  const container = containerOf(bytes)
  if (container === null) return { container, seconds: null, maxSeconds: null }
  const walk = measures[container](bytes, file)
  let step = walk.next()
  for (; step.done !== true; step = walk.next()) await yieldToLoop()
  const length = step.value
  return {
    container,
    seconds: wholeMs(length?.seconds ?? null),
    maxSeconds: wholeMs(length?.maxSeconds ?? null),
  }
}

const wholeMs = (seconds: number | null): number | null =>
  seconds !== null && seconds > 0 && Number.isFinite(seconds)
    ? Math.ceil(seconds * 1000) / 1000
    : null
