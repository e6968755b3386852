import type { ByteWindow } from './byte-window'
import { flacPacketSeconds } from './flac-seconds'
import { opusSeconds } from './opus-packet'
import { vorbisBlocks, vorbisModes, vorbisSamples } from './vorbis-packet'

/** Length of a stream's packets, by its codec. */
export interface OggCodec {
  readonly samplesPerSecond: number
  /** Samples that are decoded and thrown away. */
  readonly skip: number
  /** Seconds of the packet that begins there. @param length of what is there of it at least */
  begun(at: number, length: number): number
  /** Told where packets lie, as far as they lie in one page. */
  readonly ended?: (start: number, end: number) => void
}

/** Positions in Opus are counted so, whatever was recorded (RFC 7845, 4). */
const opusSamplesPerSecond = 48_000
/** The longest header of a FLAC frame, and one byte more (RFC 9639, 9.1). */
const flacHeaderBytes = 17
/** The modes of a Vorbis stream take no more. */
const modesBytes = 400

/**
 * Codec of a stream by its first packet; null for what is no sound.
 * @see RFC 7845, 5.1 (Opus); Vorbis I, 4.2.1; RFC 9639, 10.1 (FLAC)
 */
export function oggPackets(bytes: ByteWindow, at: number): OggCodec | null {
  if (bytes.says(at, 'OpusHead')) return opus(bytes, Math.max(0, bytes.u32le(at + 8)) >>> 16)
  if (bytes.says(at, '\x01vorbis')) return vorbis(bytes, at + 7)
  if (bytes.says(at, 'Speex   ')) return speex(bytes, at)
  // The mapping's own head, then the stream's information with the rate in its tenth byte (RFC 9639, 8.2).
  if (bytes.says(at, '\x7fFLAC')) return flac(bytes, Math.max(0, bytes.u32be(at + 27)) >>> 12)
  return null
}

const opus = (bytes: ByteWindow, skip: number): OggCodec => ({
  samplesPerSecond: opusSamplesPerSecond,
  skip,
  begun: (at, length) =>
    bytes.says(at, 'OpusTags') ? 0 : opusSeconds(bytes.u8(at), length > 1 ? bytes.u8(at + 1) : 0),
})

function vorbis(bytes: ByteWindow, at: number): OggCodec | null {
  let modes = vorbisBlocks(bytes, at)
  const { samplesPerSecond } = modes
  if (samplesPerSecond === 0) return null
  return {
    samplesPerSecond,
    skip: 0,
    begun: (from) => vorbisSamples(bytes.u8(from), modes) / samplesPerSecond,
    ended(start, end) {
      // Only the set-up is of interest, which comes before all sound.
      if (modes.isLong.length > 0 || bytes.u8(start) !== 5) return
      const tail = Math.max(start, end - modesBytes)
      modes = { ...modes, isLong: vorbisModes(bytes.slice(tail, end - tail)) }
    },
  }
}

/** Speex manual 1.2, "Ogg file format": rate, mode, frame size and frames of a packet at their places. */
function speex(bytes: ByteWindow, at: number): OggCodec | null {
  const number = (place: number, most: number): number =>
    Math.min(most, Math.max(0, bytes.u32le(at + place)))
  const samplesPerSecond = number(36, 2 ** 32)
  if (samplesPerSecond === 0) return null
  // Narrow, wide and ultra-wide band have 20 ms each.
  const frame = Math.max(number(56, 2000), 160 << number(40, 2))
  const packet = (frame * Math.max(1, number(64, 64))) / samplesPerSecond
  return { samplesPerSecond, skip: 0, begun: () => packet }
}

const flac = (bytes: ByteWindow, rate: number): OggCodec | null =>
  rate === 0
    ? null
    : {
        samplesPerSecond: rate,
        skip: 0,
        begun: (at) => flacPacketSeconds(bytes.slice(at, flacHeaderBytes), rate),
      }
