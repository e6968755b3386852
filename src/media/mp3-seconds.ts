import type { ByteWindow } from './byte-window'
import { afterId3 } from './container'

/** One frame's header, as it decides about length. */
interface Frame {
  readonly bytes: number
  readonly samples: number
  readonly samplesPerSecond: number
  /** Where a head of the encoder stands, from the start of the frame. */
  readonly headAt: number
}

/** Three quarters of an hour; what is beyond counts as it counted so far. */
const mostFrames = 100_000
/** Of what is no frame, in all. */
const mostLostBytes = 262_144
const syncByte = Buffer.from([0xff])

/**
 * Frame by frame: what an encoder says of their number may be wrong, or of a file that was cut.
 * A head of the encoder's is no sound.
 */
export function mp3Seconds(bytes: ByteWindow): number | null {
  const start = afterId3(bytes)
  let at = start
  let lost = 0
  let frames = 0
  let seconds = 0
  while (frames < mostFrames && at + 4 <= bytes.size) {
    const frame = readFrame(bytes, at)
    if (frame === null) {
      const next = nextFrame(bytes, at + 1, mostLostBytes - lost)
      if (next === null) break
      lost += next - at
      at = next
      continue
    }
    // The last frame may be cut: no decoder makes sound of it.
    if (at + frame.bytes > bytes.size) break
    const isHead = frames === 0 && isEncoderHead(bytes, at + frame.headAt, at + 36)
    if (!isHead) {
      seconds += frame.samples / frame.samplesPerSecond
      frames++
    }
    at += frame.bytes
  }
  if (frames === 0) return null
  const rest = bytes.size - at
  // Not for tags at the end, which are small.
  const stopped = frames === mostFrames || rest > mostLostBytes
  return stopped ? (seconds * (bytes.size - start)) / (at - start) : seconds
}

/** Where frames go on: two that fit together; null for nowhere near. */
function nextFrame(bytes: ByteWindow, from: number, within: number): number | null {
  const before = Math.min(bytes.size, from + within)
  for (let at = from; ; at++) {
    at = bytes.find(syncByte, at, before)
    if (at < 0) return null
    const frame = readFrame(bytes, at)
    if (frame === null) continue
    const following = readFrame(bytes, at + frame.bytes)
    if (following !== null || at + frame.bytes === bytes.size) return at
  }
}

const bitrates: readonly (readonly number[])[] = [
  // Version 1, layers I to III, then versions 2 and 2.5; thousands of bits per second.
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
]
const rates = [44_100, 48_000, 32_000]

/** @returns null for what is no frame */
function readFrame(bytes: ByteWindow, at: number): Frame | null {
  const bits = bytes.u32be(at)
  if (bits < 0 || bits >>> 21 !== 0x7ff) return null
  const version = (bits >>> 19) & 3
  const layer = 4 - ((bits >>> 17) & 3)
  const rate = rates[(bits >>> 10) & 3]
  if (version === 1 || layer === 4 || rate === undefined) return null
  const isFirst = version === 3
  const row = isFirst ? layer - 1 : layer === 1 ? 3 : 4
  const kilobits = bitrates[row]?.[(bits >>> 12) & 15] ?? 0
  if (kilobits === 0) return null
  const samplesPerSecond = isFirst ? rate : version === 2 ? rate / 2 : rate / 4
  const samples = layer === 1 ? 384 : layer === 3 && !isFirst ? 576 : 1152
  const padding = (bits >>> 9) & 1
  const length =
    layer === 1
      ? (Math.floor((12_000 * kilobits) / samplesPerSecond) + padding) * 4
      : Math.floor((samples * 125 * kilobits) / samplesPerSecond) + padding
  const isMono = ((bits >>> 6) & 3) === 3
  const side = isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17
  return { bytes: length, samples, samplesPerSecond, headAt: 4 + side }
}

const isEncoderHead = (bytes: ByteWindow, at: number, other: number): boolean =>
  bytes.says(at, 'Xing') || bytes.says(at, 'Info') || bytes.says(other, 'VBRI')
