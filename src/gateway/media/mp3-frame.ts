/** Header of one frame of MPEG audio (ISO 11172-3 2.4.1.3), as it decides about length. */
export interface Mp3Frame {
  readonly layer: 1 | 2 | 3
  readonly bytes: number
  readonly samples: number
  readonly samplesPerSecond: number
  /** Where a head of the encoder stands, from the start of the frame. */
  readonly headAt: number
}

/** By the four bits of a header; version 2 is ISO 13818-3, 2.4.2.3, and 2.5 halves its sampling rates. */
const bitrates: readonly (readonly number[])[] = [
  // Version 1, layers I to III, then versions 2 and 2.5; thousands of bits per second.
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
]
const rates = [44_100, 48_000, 32_000]
/** As two bits write them. */
const layers = [undefined, 3, 2, 1] as const

/** Frame by its header. @param bits the first four bytes @returns null for what is no frame */
export function mp3FrameOf(bits: number): Mp3Frame | null {
  if (bits >>> 21 !== 0x7ff) return null
  const version = (bits >>> 19) & 3
  const layer = layers[(bits >>> 17) & 3]
  const rate = rates[(bits >>> 10) & 3]
  if (version === 1 || layer === undefined || rate === undefined) return null
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
  return { layer, bytes: length, samples, samplesPerSecond, headAt: 4 + side }
}
