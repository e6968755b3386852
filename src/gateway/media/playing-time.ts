import { aacRates } from './aac-config'
import type { AudioFormat } from './audio-format'
import { pcmRate } from './audio-format'
import { mp3FrameOf } from './mp3-frame'
import { readWavHead } from './wav'

/** Counts how long audio plays, from its bytes as they pass; nothing is decoded. */
interface PlayingTime {
  take(bytes: Uint8Array): void
  /** So far; null for a format whose bytes do not tell, or before they do. */
  seconds(): number | null
}

/** How long a unit of a compressed format is, and where the next one begins. */
interface Unit {
  readonly bytes: number
  readonly seconds: number
}

/** Opens a count of playing time for a format. */
export function openPlayingTime(format: AudioFormat): PlayingTime {
  switch (format) {
    case 'pcm':
      return samples(pcmRate * 2)
    case 'wav':
      return wav()
    case 'mp3':
      return frames(mp3Unit)
    case 'aac':
      return frames(adtsUnit)
    case 'opus':
      return oggOpus()
    case 'flac':
      return untold
  }
}

const untold: PlayingTime = { take() {}, seconds: () => null }

function samples(bytesPerSecond: number): PlayingTime {
  let bytes = 0
  return {
    take: (piece) => void (bytes += piece.byteLength),
    seconds: () => bytes / bytesPerSecond,
  }
}

/** The longest header that is looked for. */
const maxHeadBytes = 4096

function wav(): PlayingTime {
  let head = new Uint8Array()
  let counted: PlayingTime | null = null
  return {
    take(piece) {
      if (counted !== null) return counted.take(piece)
      if (head.byteLength > maxHeadBytes) return
      head = Buffer.concat([head, piece])
      const found = readWavHead(head)
      if (found === null) return
      const bytesPerSecond = (found.rate * found.channels * found.bits) / 8
      counted = bytesPerSecond > 0 ? samples(bytesPerSecond) : untold
      counted.take(head.subarray(found.dataAt))
    },
    seconds: () => counted?.seconds() ?? null,
  }
}

const headBytes = 10

/** Walks from frame to frame; what is none is skipped byte by byte until the next one. */
function frames(unitAt: (bytes: Uint8Array, at: number) => Unit | null): PlayingTime {
  let rest: Uint8Array = new Uint8Array()
  /** Of the last frame, still to come. */
  let skipBytes = 0
  let seconds = 0
  let seen = false
  return {
    take(piece) {
      const bytes = rest.byteLength === 0 ? piece : Buffer.concat([rest, piece])
      let at = Math.min(skipBytes, bytes.byteLength)
      skipBytes -= at
      while (at + headBytes <= bytes.byteLength) {
        const unit = unitAt(bytes, at)
        if (unit === null) at++
        else {
          seen = true
          seconds += unit.seconds
          skipBytes = Math.max(0, at + unit.bytes - bytes.byteLength)
          at = Math.min(at + unit.bytes, bytes.byteLength)
        }
      }
      rest = new Uint8Array(bytes.subarray(at))
    },
    seconds: () => (seen ? seconds : null),
  }
}

/** A frame of MPEG audio, layer 3. */
function mp3Unit(bytes: Uint8Array, at: number): Unit | null {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = bytes.subarray(at, at + 4)
  const frame = mp3FrameOf(((b0 << 24) | (b1 << 16) | (b2 << 8) | b3) >>> 0)
  if (frame?.layer !== 3) return null
  return { bytes: frame.bytes, seconds: frame.samples / frame.samplesPerSecond }
}

/** A frame of AAC with its own header, ADTS (ISO 14496-3, 1.A.3.2). */
function adtsUnit(bytes: Uint8Array, at: number): Unit | null {
  const [, b1 = 0, b2 = 0, b3 = 0, b4 = 0, b5 = 0, b6 = 0] = bytes.subarray(at, at + 7)
  if (bytes[at] !== 0xff || (b1 & 0xf6) !== 0xf0) return null
  const rate = aacRates[(b2 >> 2) & 15]
  const length = ((b3 & 3) << 11) | (b4 << 3) | (b5 >> 5)
  if (rate === undefined || length < 7) return null
  return { bytes: length, seconds: (1024 * ((b6 & 3) + 1)) / rate }
}

/** Of a page (RFC 3533, 6). */
const oggHeadBytes = 27
/** Positions in Opus are counted so, whatever was recorded (RFC 7845, 4). */
const opusRate = 48_000

/** Each page tells where in time it ends. */
function oggOpus(): PlayingTime {
  let rest: Uint8Array = new Uint8Array()
  let place: number | null = null
  return {
    take(piece) {
      const bytes = rest.byteLength === 0 ? piece : Buffer.concat([rest, piece])
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      let at = 0
      while (at + oggHeadBytes <= bytes.byteLength) {
        if (view.getUint32(at) !== 0x4f676753) {
          at++
          continue
        }
        const segments = view.getUint8(at + 26)
        const bodyAt = at + oggHeadBytes + segments
        if (bodyAt > bytes.byteLength) break
        const body = bytes.subarray(at + oggHeadBytes, bodyAt).reduce((sum, each) => sum + each, 0)
        if (bodyAt + body > bytes.byteLength) break
        const end = view.getBigInt64(at + 6, true)
        if (end > 0n) place = Number(end)
        at = bodyAt + body
      }
      rest = new Uint8Array(bytes.subarray(at))
    },
    seconds: () => (place === null ? null : place / opusRate),
  }
}
