import { wavHead } from '../../src/gateway/media/wav'

const samplesPerSecond = 24_000

/** A WAV file of one second in which nobody speaks. */
export const secondOfSilence = new Uint8Array(
  Buffer.concat([
    wavHead(samplesPerSecond, samplesPerSecond * 2),
    Buffer.alloc(samplesPerSecond * 2),
  ]),
)
