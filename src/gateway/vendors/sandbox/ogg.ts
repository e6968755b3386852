import { openCrc } from './crc'

/** Headers of an Ogg Opus file (RFC 7845, 5), each on a page of its own. */
const opusHead = Buffer.from('4f707573486561640101380180bb0000000000', 'hex')
const opusTags = Buffer.concat([
  Buffer.from('OpusTags', 'latin1'),
  Buffer.from([7, 0, 0, 0]),
  Buffer.from('sandbox', 'latin1'),
  Buffer.alloc(4),
])
/** Samples at the beginning that are not heard, as the head says. */
const skippedSamples = 312
const packetSamples = 960

const checksum = openCrc(32, 0x04c11db7)

/**
 * An Ogg file of Opus packets of 20 ms: a page for each group of them.
 * @see RFC 3533, RFC 7845
 */
export function* oggPieces(groups: Iterable<readonly Buffer[]>): Generator<Buffer, void> {
  yield page([opusHead], { number: 0, place: 0, flags: 2 })
  yield page([opusTags], { number: 1, place: 0, flags: 0 })
  let number = 2
  let place = skippedSamples
  for (const packets of groups) {
    place += packets.length * packetSamples
    yield page(packets, { number: number++, place, flags: 0 })
  }
  yield page([], { number, place, flags: 4 })
}

interface Page {
  readonly number: number
  /** Samples up to its end, at 48 kHz. */
  readonly place: number
  /** 2 for the first page, 4 for the last. */
  readonly flags: number
}

/** @param packets shorter than 255 bytes each, and at most 255 of them */
function page(packets: readonly Buffer[], { number, place, flags }: Page): Buffer {
  const head = Buffer.alloc(27)
  head.write('OggS', 'latin1')
  head.writeUInt8(flags, 5)
  head.writeBigUInt64LE(BigInt(place), 6)
  head.writeUInt32LE(1, 14)
  head.writeUInt32LE(number, 18)
  head.writeUInt8(packets.length, 26)
  const whole = Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets])
  whole.writeUInt32LE(checksum(whole), 22)
  return whole
}
