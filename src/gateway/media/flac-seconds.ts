import type { ByteFile } from './byte-file'
import type { ByteWindow } from './byte-window'
import { afterId3 } from './container'
import { lengthIn, plausibleSeconds, type Walk } from './walk'

/** Bytes searched at once. */
const sliceBytes = 262_144
/** A frame's header is never longer. */
const headerBytes = 16
/** Largest size of a frame: a little more than its samples as they are, in 8 channels of 32 bits. */
const maxSampleBytes = 4

/** Sampling rates by their code (RFC 9639, 9.1.2); 0 is the rate of the head. */
const rates = [
  0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
]

/** One frame's header, as it decides about length. */
interface Frame {
  readonly samples: number
  /** 0 where the head tells. */
  readonly samplesPerSecond: number
  readonly channels: number
}

/**
 * Frame by frame: the head (RFC 9639, 8.2) says how many samples there are, and may lie. The longer
 * of the two, and what else is there by its bytes.
 */
export function* flacSeconds(file: ByteFile, bytes: ByteWindow): Walk {
  const start = afterId3(bytes) + 8
  const headRate = Math.max(0, bytes.u32be(start + 10)) >>> 12
  if (headRate === 0) return null
  const samples = (bytes.u8(start + 13) & 0x0f) * 2 ** 32 + Math.max(0, bytes.u32be(start + 14))
  const first = afterMetadata(bytes, start - 4)
  let seconds = 0
  let unexplained = 0
  /** Where the last frame ends at the latest. */
  let explained = first
  for (let from = first; from < file.size; from += sliceBytes) {
    if (from > first) yield
    const slice = file.read(from, sliceBytes + headerBytes)
    const end = Math.min(sliceBytes, slice.length)
    for (let at = 0; at < end; at++) {
      if (slice[at] !== 0xff || ((slice[at + 1] ?? 0) & 0xfe) !== 0xf8) continue
      const frame = readFrame(slice, at)
      if (frame === null) continue
      seconds += frame.samples / (frame.samplesPerSecond || headRate)
      unexplained += Math.max(0, from + at - explained)
      explained = from + at + frame.samples * frame.channels * maxSampleBytes + headerBytes * 8
    }
  }
  unexplained += Math.max(0, file.size - explained)
  return lengthIn(Math.max(seconds, plausibleSeconds(samples / headRate)), unexplained)
}

const maxBlocks = 1000

/** Seconds of the frame that a packet holds; 0 for what is none. */
export function flacPacketSeconds(packet: Buffer, headRate: number): number {
  const isFrame = packet[0] === 0xff && ((packet[1] ?? 0) & 0xfe) === 0xf8
  const frame = isFrame ? readFrame(packet, 0) : null
  return frame === null ? 0 : frame.samples / (frame.samplesPerSecond || headRate)
}

/** Where frames begin, behind tags and pictures. @param first the first block's own head */
function afterMetadata(bytes: ByteWindow, first: number): number {
  let at = first
  for (let blocks = 0; blocks < maxBlocks; blocks++) {
    const head = bytes.u32be(at)
    const next = at + 4 + (head & 0xffffff)
    if (head < 0 || next > bytes.size) break
    at = next
    if (head >>> 31 === 1) break
  }
  return at
}

/** @returns null for what is none, or when its check does not fit (RFC 9639, 9.1) */
function readFrame(slice: Buffer, at: number): Frame | null {
  const sizes = slice[at + 2] ?? 0
  const kinds = slice[at + 3] ?? 0xff
  const block = sizes >> 4
  const rate = sizes & 0x0f
  const channels = kinds >> 4
  const bits = (kinds >> 1) & 7
  if (block === 0 || rate === 15 || channels > 10 || bits === 3 || (kinds & 1) === 1) return null
  const number = codedEnd(slice, at + 4)
  if (number === null) return null
  const blockEnd = number + (block === 6 ? 1 : block === 7 ? 2 : 0)
  const end = blockEnd + (rate === 12 ? 1 : rate > 12 ? 2 : 0)
  if (end >= slice.length || crc8(slice, at, end) !== slice[end]) return null
  return {
    samples: samplesOf(slice, block, number),
    samplesPerSecond: rates[rate] ?? rateOf(slice, rate, blockEnd),
    channels: channels < 8 ? channels + 1 : 2,
  }
}

function samplesOf(slice: Buffer, block: number, at: number): number {
  if (block === 1) return 192
  if (block === 6) return slice.readUInt8(at) + 1
  if (block === 7) return slice.readUInt16BE(at) + 1
  return block < 6 ? 144 << block : 1 << block
}

function rateOf(slice: Buffer, rate: number, at: number): number {
  if (rate === 12) return slice.readUInt8(at) * 1000
  return slice.readUInt16BE(at) * (rate === 13 ? 1 : 10)
}

/** Where a number ends that is written as UTF-8 writes one, up to 36 bits. */
function codedEnd(slice: Buffer, at: number): number | null {
  const first = slice[at] ?? 0xff
  if (first < 0x80) return at + 1
  const length = Math.clz32(~(first << 24))
  if (length < 2 || length > 7) return null
  for (let more = 1; more < length; more++) if ((slice[at + more] ?? 0) >> 6 !== 2) return null
  return at + length
}

function crc8(bytes: Buffer, from: number, to: number): number {
  let crc = 0
  for (let at = from; at < to; at++) {
    crc ^= bytes[at] ?? 0
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1
  }
  return crc
}
