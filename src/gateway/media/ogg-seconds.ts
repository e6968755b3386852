import type { ByteWindow } from './byte-window'
import { oggPackets, type OggCodec } from './ogg-packets'
import { lengthIn, stepsPerSlice, plausibleSeconds, type Walk } from './walk'

const capture = Buffer.from('OggS')
/** Streams that are open at once; one file may hold many, one after the other. */
const maxStreams = 1000
const nothingEnds = 2 ** 64
/** A first page rarely holds a second: a count that begins later began before the file. */
const maxFirstSeconds = 10
/** Header, and the length of each segment (RFC 3533, 6). */
const headerBytes = 27

/** One logical stream. */
interface Logical {
  /** Null for what is no sound. */
  readonly codec: OggCodec | null
  /** By its packets. */
  seconds: number
  first: number | null
  last: number
}

/**
 * Opus, Vorbis, Speex or FLAC in Ogg: each packet tells its length, and the last page of each stream
 * its samples, which may be a lie. The longer of the two, and what no page holds by its bytes.
 */
export function* oggSeconds(bytes: ByteWindow): Walk {
  const streams = new Map<number, Logical>()
  let seconds = 0
  let unexplained = 0
  const close = (stream: Logical | undefined) => {
    if (stream !== undefined) seconds += secondsOf(stream)
  }
  let steps = 0
  for (let at = 0; at + headerBytes <= bytes.size;) {
    if (!bytes.says(at, 'OggS')) {
      const next = bytes.find(capture, at, bytes.size)
      unexplained += (next < 0 ? bytes.size : next) - at
      if (next < 0) break
      at = next
      continue
    }
    const kind = bytes.u8(at + 5)
    const granule = bytes.u64le(at + 6)
    const serial = bytes.u32le(at + 14)
    const segments = Buffer.from(bytes.slice(at + headerBytes, bytes.u8(at + 26)))
    const start = at + headerBytes + segments.length
    at = start + segments.reduce((sum, length) => sum + length, 0)
    if ((kind & 2) !== 0) {
      close(streams.get(serial))
      if (streams.size === maxStreams) {
        for (const stream of streams.values()) close(stream)
        streams.clear()
      }
      streams.set(serial, { codec: oggPackets(bytes, start), seconds: 0, first: null, last: 0 })
    } else {
      const stream = streams.get(serial)
      if (stream === undefined) unexplained += at - start
      else if (stream.codec !== null) {
        if (granule > 0 && granule < nothingEnds) {
          stream.first ??= granule
          stream.last = Math.max(stream.last, granule)
        }
        addPackets(bytes, stream, { start, segments, isContinued: (kind & 1) !== 0 })
      }
    }
    const before = steps
    steps += 1 + (segments.length >> 2)
    if (Math.floor(steps / stepsPerSlice) > Math.floor(before / stepsPerSlice)) yield
  }
  for (const stream of streams.values()) close(stream)
  return lengthIn(seconds, unexplained)
}

function secondsOf({ codec, seconds, first, last }: Logical): number {
  if (codec === null) return 0
  const { samplesPerSecond, skip } = codec
  const begun = first !== null && first > maxFirstSeconds * samplesPerSecond ? first : skip
  return Math.max(seconds, plausibleSeconds((last - begun) / samplesPerSecond))
}

/** Adds the packets that begin in a page. */
function addPackets(
  bytes: ByteWindow,
  stream: Logical,
  page: { readonly start: number; readonly segments: Buffer; readonly isContinued: boolean },
): void {
  let begins = !page.isContinued
  let at = page.start
  let packet = at
  for (const length of page.segments) {
    if (begins) packet = at
    at += length
    const isEnd = length < 255
    if (begins && length > 0) stream.seconds += stream.codec?.begun(packet, length) ?? 0
    if (isEnd) stream.codec?.ended?.(packet, at)
    begins = isEnd
  }
}
