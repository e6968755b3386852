import type { ByteWindow } from './byte-window'
import { afterId3 } from './container'
import { lengthOf, stepsPerSlice, type Walk } from './walk'

/** One frame's header, as it decides about length. */
interface Frame {
  readonly bytes: number
  readonly samples: number
  readonly samplesPerSecond: number
  /** Where a head of the encoder stands, from the start of the frame. */
  readonly headAt: number
}

const syncByte = Buffer.from([0xff])
/** Bytes searched for a frame between two turns of the event loop. */
const searchBytes = 65_536

/**
 * Frame by frame: what an encoder says of their number may be wrong, or of a file that was cut.
 * A head of the encoder's is no sound.
 */
export function* mp3Seconds(bytes: ByteWindow, from = afterId3(bytes)): Walk {
  let at = from
  let frames = 0
  let seconds = 0
  let lost = 0
  for (let steps = 1; at + 4 <= bytes.size; steps++) {
    if (steps % stepsPerSlice === 0) yield
    const frame = readFrame(bytes, at)
    if (frame === null) {
      const next = nextFrame(bytes, at + 1, at + 1 + searchBytes)
      lost += next - at
      if (next - at > searchBytes) yield
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
  // Tags at the end may hold a picture: what is lost counts only where there is hardly any sound.
  return frames === 0 ? null : lengthOf(seconds, lost > at / 2 ? lost : 0)
}

/** Where frames go on: two that fit together; the limit for nowhere before it. */
function nextFrame(bytes: ByteWindow, from: number, limit: number): number {
  const before = Math.min(bytes.size, limit)
  for (let at = from; ; at++) {
    at = bytes.find(syncByte, at, before)
    if (at < 0) return before
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

/** Seconds of the frame that lies there; 0 for what is none. */
export function mp3FrameSeconds(bytes: ByteWindow, at: number): number {
  const frame = readFrame(bytes, at)
  return frame === null ? 0 : frame.samples / frame.samplesPerSecond
}
