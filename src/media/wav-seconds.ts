import type { ByteWindow } from './byte-window'

/** Formats whose frames all have the same length: integers, floats and the two of telephony. */
const evenFormats: ReadonlySet<number> = new Set([1, 3, 6, 7, 0xfffe])
/** Blocks that each hold as many samples: ADPCM of both kinds, and GSM. */
const packedFormats: ReadonlySet<number> = new Set([0x02, 0x11, 0x31])
const mostChunks = 1000
const unknownLength = 0xffff_ffff

/** RIFF WAVE, and RF64 whose lengths have 64 bits. */
export function wavSeconds(bytes: ByteWindow): number | null {
  let bytesPerSecond = 0
  let longLength = 0
  let at = 12
  for (let chunks = 0; chunks < mostChunks && at + 8 <= bytes.size; chunks++) {
    const length = bytes.u32le(at + 4)
    const start = at + 8
    if (bytes.says(at, 'ds64')) longLength = bytes.u64le(start + 8)
    if (bytes.says(at, 'fmt ')) bytesPerSecond = rateOf(bytes, start)
    if (bytes.says(at, 'data')) {
      const told = length === unknownLength ? longLength : length
      const rest = bytes.size - start
      // Who writes as it records does not know the length when the header is written.
      const data = told === 0 || told > rest ? rest : told
      return bytesPerSecond > 0 ? data / bytesPerSecond : null
    }
    at = start + length + (length % 2)
  }
  return null
}

/** Bytes of a second; 0 when it cannot be. */
function rateOf(bytes: ByteWindow, start: number): number {
  const low = (at: number) => bytes.u32le(start + at) & 0xffff
  const high = (at: number) => bytes.u32le(start + at) >>> 16
  const samplesPerSecond = bytes.u32le(start + 4)
  // What a decoder goes by: the rate in bytes is only said, and often wrong.
  if (evenFormats.has(low(0))) return (high(0) * high(12) * samplesPerSecond) / 8
  const samplesPerBlock = packedFormats.has(low(0)) ? high(16) : 0
  return samplesPerBlock > 0
    ? (low(12) * samplesPerSecond) / samplesPerBlock
    : Math.max(0, bytes.u32le(start + 8))
}
