import type { ByteWindow } from './byte-window'
import { afterId3 } from './container'
import { mp3FrameOf, type Mp3Frame } from './mp3-frame'
import { lengthIn, stepsPerSlice, type Walk } from './walk'

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
  return frames === 0 ? null : lengthIn(seconds, lost > at / 2 ? lost : 0)
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

/** @returns null for what is no frame */
function readFrame(bytes: ByteWindow, at: number): Mp3Frame | null {
  const bits = bytes.u32be(at)
  return bits < 0 ? null : mp3FrameOf(bits)
}

/**
 * By habit, not by a standard: LAME and Xing write theirs behind the side information, Fraunhofer 36 bytes
 * in.
 */
const isEncoderHead = (bytes: ByteWindow, at: number, other: number): boolean =>
  bytes.says(at, 'Xing') || bytes.says(at, 'Info') || bytes.says(other, 'VBRI')

/** Seconds of the frame that lies there; 0 for what is none. */
export function mp3FrameSeconds(bytes: ByteWindow, at: number): number {
  const frame = readFrame(bytes, at)
  return frame === null ? 0 : frame.samples / frame.samplesPerSecond
}
