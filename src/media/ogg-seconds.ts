import type { ByteWindow } from './byte-window'

const capture = Buffer.from('OggS')
/** Half an hour of pages of a tenth of a second; what is beyond counts as it counted so far. */
const mostPages = 20_000
const mostStreams = 100
const nothingEnds = 2 ** 64
/** A first page rarely holds a second: a count that begins later began before the file. */
const mostFirstSeconds = 10
const opusSamplesPerSecond = 48_000

/** One logical stream: a file may hold several, one after the other. */
interface Logical {
  readonly serial: number
  readonly samplesPerSecond: number
  /** Samples that are decoded and thrown away. */
  readonly skip: number
  first: number | null
  last: number
}

/** Opus, Vorbis, Speex or FLAC in Ogg: the last page of each stream tells its samples. */
export function oggSeconds(bytes: ByteWindow): number | null {
  const streams: Logical[] = []
  let at = 0
  let pages = 0
  for (; pages < mostPages && at + 27 <= bytes.size; pages++) {
    if (!bytes.says(at, 'OggS')) {
      at = bytes.find(capture, at, bytes.size)
      if (at < 0) break
    }
    const segments = bytes.u8(at + 26)
    let end = at + 27 + segments
    for (let segment = 0; segment < segments; segment++) end += bytes.u8(at + 27 + segment)
    const serial = bytes.u32le(at + 14)
    if ((bytes.u8(at + 5) & 2) !== 0) {
      const opened = openLogical(bytes, serial, at + 27 + segments)
      if (opened !== null && streams.length < mostStreams) streams.push(opened)
    } else {
      const granule = bytes.u64le(at + 6)
      const stream = streams.findLast((each) => each.serial === serial)
      if (stream !== undefined && granule > 0 && granule < nothingEnds) {
        stream.first ??= granule
        stream.last = Math.max(stream.last, granule)
      }
    }
    at = Math.max(end, at + 27)
  }
  const seconds = streams.reduce((sum, stream) => sum + secondsOf(stream), 0)
  if (seconds <= 0) return null
  return pages === mostPages ? (seconds * bytes.size) / at : seconds
}

function secondsOf({ samplesPerSecond, skip, first, last }: Logical): number {
  const begun = first !== null && first > mostFirstSeconds * samplesPerSecond ? first : skip
  return Math.max(0, last - begun) / samplesPerSecond
}

/** By the first packet; null for what is no sound. */
function openLogical(bytes: ByteWindow, serial: number, at: number): Logical | null {
  const open = (samplesPerSecond: number, skip = 0): Logical | null =>
    samplesPerSecond > 0 ? { serial, samplesPerSecond, skip, first: null, last: 0 } : null
  if (bytes.says(at, 'OpusHead'))
    return open(opusSamplesPerSecond, Math.max(0, bytes.u32le(at + 8) >>> 16))
  if (bytes.says(at, '\x01vorbis')) return open(bytes.u32le(at + 12))
  if (bytes.says(at, 'Speex   ')) return open(bytes.u32le(at + 36))
  // The mapping's own head, then the stream's information with the rate in its tenth byte.
  if (bytes.says(at, '\x7fFLAC')) return open(bytes.u32be(at + 27) >>> 12)
  return null
}
