import type { ByteWindow } from './byte-window'

/** How the audio packets of a Vorbis stream tell their length (Vorbis I, 4.2.2 and 4.2.4). */
interface VorbisModes {
  readonly samplesPerSecond: number
  /** Samples of a short block, then of a long one. */
  readonly blocks: readonly [number, number]
  /** Whether each mode's block is a long one; empty where the set-up tells none. */
  readonly isLong: readonly boolean[]
}

const modeBits = 41
const maxModes = 64

/**
 * Rate and block sizes of a Vorbis stream.
 * @param at the identification header, without the seven bytes of its kind and name
 */
export function vorbisBlocks(bytes: ByteWindow, at: number): VorbisModes {
  const sizes = Math.max(0, bytes.u8(at + 21))
  return {
    samplesPerSecond: Math.max(0, bytes.u32le(at + 5)),
    blocks: [1 << (sizes & 15), 1 << (sizes >> 4)],
    isLong: [],
  }
}

/**
 * Modes are the last thing in the set-up: read backwards, each is a flag, 16 bits and 16 bits of
 * zero, and a mapping of 8; before the first stands their number less one in 6 bits.
 */
export function vorbisModes(setup: Buffer): readonly boolean[] {
  const bit = (place: number): number =>
    place < 0 ? 0 : ((setup[place >> 3] ?? 0) >> (place & 7)) & 1
  const number = (place: number, length: number): number => {
    let value = 0
    for (let each = length - 1; each >= 0; each--) value = value * 2 + bit(place + each)
    return value
  }
  let end = setup.length * 8 - 1
  while (end > 0 && bit(end) === 0) end--
  const flags: boolean[] = []
  let found: readonly boolean[] = []
  for (let at = end - modeBits; at >= 6 && flags.length < maxModes; at -= modeBits) {
    if (number(at + 1, 32) !== 0) break
    flags.unshift(bit(at) === 1)
    if (number(at - 6, 6) + 1 === flags.length) found = [...flags]
  }
  return found
}

/** Samples that a packet adds: half its block, and half the one before. */
export function vorbisSamples(first: number, { blocks, isLong }: VorbisModes): number {
  // The lowest bit is set in headers.
  if (first < 0 || (first & 1) === 1) return 0
  const bits = isLong.length < 2 ? 0 : 32 - Math.clz32(isLong.length - 1)
  const mode = (first >> 1) & ((1 << bits) - 1)
  return blocks[(isLong[mode] ?? true) ? 1 : 0] / 2
}
