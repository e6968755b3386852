import { pcmRate } from '../../media/audio-format'
import { openCrc } from './crc'

/** Samples of a block; the last one has what is left. */
const blockSamples = 4096
const blockBytes = blockSamples * 2

const headSum = openCrc(8, 0x07)
const frameSum = openCrc(16, 0x8005)

/**
 * A FLAC file of 16-bit samples in one channel, without compressing them: a piece a block.
 * @see RFC 9639
 * @param pieces little end first
 */
export function* flacPieces(pieces: Iterable<Buffer>, samples: number): Generator<Buffer, void> {
  yield header(samples)
  let rest = Buffer.alloc(0)
  let number = 0
  for (const piece of pieces) {
    rest = Buffer.concat([rest, piece])
    for (; rest.length >= blockBytes; rest = rest.subarray(blockBytes))
      yield frame(number++, rest.subarray(0, blockBytes))
  }
  if (rest.length > 0) yield frame(number, rest)
}

function header(samples: number): Buffer {
  const head = Buffer.alloc(42)
  head.write('fLaC', 'latin1')
  // The only block of facts, which is the last one, and its length.
  head.writeUInt32BE(0x80000022, 4)
  head.writeUInt16BE(blockSamples, 8)
  head.writeUInt16BE(blockSamples, 10)
  const rateAndBits = (BigInt(pcmRate) << 44n) | (15n << 36n) | BigInt(samples)
  head.writeBigUInt64BE(rateAndBits, 18)
  return head
}

function frame(number: number, samples: Buffer): Buffer {
  const count = samples.length / 2
  const whole = count === blockSamples
  const head = Buffer.from([
    0xff,
    0xf8,
    // How many samples, and 24 kHz.
    ((whole ? 12 : 7) << 4) | 7,
    // One channel of sixteen bits.
    0x08,
    ...Buffer.from(String.fromCodePoint(number)),
    ...(whole ? [] : [(count - 1) >> 8, (count - 1) & 0xff]),
  ])
  const body = Buffer.concat([
    head,
    Buffer.from([headSum(head), 0x02]),
    Buffer.from(samples).swap16(),
  ])
  const sum = frameSum(body)
  return Buffer.concat([body, Buffer.from([sum >> 8, sum & 0xff])])
}
