import type { ByteFile } from './byte-file'
import type { ByteWindow } from './byte-window'
import { afterId3 } from './container'

/** A frame is rarely longer, and looking further back helps nobody. */
const tailBytes = 262_144

/** The head tells the samples; written as a stream it does not, but each frame is numbered. */
export function flacSeconds(file: ByteFile, bytes: ByteWindow): number | null {
  const start = afterId3(bytes) + 8
  const samplesPerSecond = bytes.u32be(start + 10) >>> 12
  if (samplesPerSecond === 0) return null
  const samples = (bytes.u8(start + 13) & 0x0f) * 2 ** 32 + bytes.u32be(start + 14)
  if (samples > 0) return samples / samplesPerSecond
  const blockSamples = bytes.u16be(start + 2)
  const last = lastFrameStart(file, blockSamples)
  return last === null ? null : last / samplesPerSecond
}

/** Samples up to the end of the last frame, taking it for a full one. */
function lastFrameStart(file: ByteFile, blockSamples: number): number | null {
  const tail = file.read(Math.max(0, file.size - tailBytes), tailBytes)
  for (
    let at = tail.lastIndexOf(0xff);
    at >= 0;
    at = at === 0 ? -1 : tail.lastIndexOf(0xff, at - 1)
  ) {
    const kind = tail[at + 1]
    if (kind !== 0xf8 && kind !== 0xf9) continue
    const frame = readFrame(tail, at)
    if (frame !== null) return kind === 0xf9 ? frame + blockSamples : (frame + 1) * blockSamples
  }
  return null
}

/** Number of the frame or of its first sample; null when its check does not fit. */
function readFrame(tail: Buffer, at: number): number | null {
  const sizes = tail[at + 2] ?? 0
  const number = readCoded(tail, at + 4)
  if (number === null) return null
  const block = sizes >> 4
  const rate = sizes & 0x0f
  const blockBytes = block === 6 ? 1 : block === 7 ? 2 : 0
  const rateBytes = rate === 12 ? 1 : rate === 13 || rate === 14 ? 2 : 0
  const end = number.end + blockBytes + rateBytes
  return end < tail.length && crc8(tail, at, end) === tail[end] ? number.value : null
}

/** A number as UTF-8 writes one, up to 36 bits. */
function readCoded(tail: Buffer, at: number): { value: number; end: number } | null {
  const first = tail[at] ?? 0
  if (first < 0x80) return { value: first, end: at + 1 }
  const length = Math.clz32(~(first << 24))
  if (length < 2 || length > 7) return null
  let value = length === 7 ? 0 : first & (0x7f >> length)
  for (let more = 1; more < length; more++) {
    const next = tail[at + more] ?? 0
    if (next >> 6 !== 2) return null
    value = value * 64 + (next & 0x3f)
  }
  return { value, end: at + length }
}

function crc8(bytes: Buffer, from: number, to: number): number {
  let crc = 0
  for (let at = from; at < to; at++) {
    crc ^= bytes[at] ?? 0
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1
  }
  return crc
}
