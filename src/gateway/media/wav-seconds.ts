import type { ByteWindow } from './byte-window'
import { mp3Seconds } from './mp3-seconds'
import { stepsPerSlice, type Walk } from './walk'

/** Codecs of the `fmt ` chunk (Multimedia Programming Interface 1.0, chapter 3; RFC 2361, appendix A). */
const formats = {
  integers: 1,
  adpcm: 2,
  floats: 3,
  aLaw: 6,
  muLaw: 7,
  ima: 0x11,
  gsm: 0x31,
  mp3: 0x55,
  extensible: 0xfffe,
}
/** A second that a codec of telephony makes of any other coding: nobody sends less. */
const minBytesPerSecond = 4000
const unknownLength = 0xffff_ffff
/** Tags and pictures; beyond, they are taken for sound. */
const maxOtherBytes = 1_048_576

/**
 * RIFF WAVE, and RF64 whose lengths have 64 bits (EBU Tech 3306): bytes that are there by the rate that a
 * decoder goes by. What is neither sound nor small enough for tags counts as sound.
 */
export function* wavSeconds(bytes: ByteWindow): Walk {
  let bytesPerSecond = 0
  let longLength = 0
  let soundBytes = 0
  let soundStart: number | null = null
  let isMp3 = false
  let at = 12
  for (let chunks = 1; at + 8 <= bytes.size; chunks++) {
    if (chunks % stepsPerSlice === 0) yield
    const length = bytes.u32le(at + 4)
    const start = at + 8
    let taken = length
    if (bytes.says(at, 'ds64')) longLength = bytes.u64le(start + 8)
    if (bytes.says(at, 'fmt ') && bytesPerSecond === 0) {
      bytesPerSecond = rateOf(bytes, start)
      isMp3 = (bytes.u32le(start) & 0xffff) === formats.mp3
    }
    if (bytes.says(at, 'data')) {
      const told = length === unknownLength ? longLength : length
      const rest = bytes.size - start
      // Who writes as it records does not know the length when the header is written.
      taken = told === 0 || told > rest ? rest : told
      soundBytes += taken
      soundStart ??= start
    }
    at = start + taken + (taken % 2)
  }
  if (soundStart === null) return null
  if (isMp3) return yield* mp3Seconds(bytes, soundStart)
  if (bytesPerSecond === 0) return null
  const others = bytes.size - soundBytes
  const seconds = soundBytes / bytesPerSecond
  const isLarge = others > maxOtherBytes
  return { seconds, maxSeconds: isLarge ? seconds + others / bytesPerSecond : seconds }
}

/** Bytes of a second; 0 when it cannot be. */
function rateOf(bytes: ByteWindow, start: number): number {
  const low = (at: number) => Math.max(0, bytes.u32le(start + at)) & 0xffff
  const high = (at: number) => Math.max(0, bytes.u32le(start + at)) >>> 16
  const samplesPerSecond = Math.max(0, bytes.u32le(start + 4))
  const channels = high(0)
  const blockBytes = low(12)
  const format = low(0)
  // What a decoder goes by: the rate in bytes is only said, and often wrong.
  switch (format) {
    case formats.integers:
    case formats.floats:
    case formats.extensible:
      return channels * Math.ceil(high(12) / 8) * samplesPerSecond
    case formats.aLaw:
    case formats.muLaw:
      return channels * samplesPerSecond
    case formats.adpcm:
    case formats.ima:
      // Four bits a sample, whatever is said of the block.
      return blockBytes === 0 ? 0 : (channels * samplesPerSecond) / 2
    case formats.gsm:
      return (65 * samplesPerSecond) / 320
    default:
      return Math.min(Math.max(0, bytes.u32le(start + 8)), minBytesPerSecond)
  }
}
