import { aacRate } from './aac-config'
import type { ByteWindow } from './byte-window'
import { flacPacketSeconds } from './flac-seconds'
import { mp3FrameSeconds } from './mp3-seconds'
import { opusSeconds } from './opus-packet'
import { vorbisModes, vorbisBlocks, vorbisSamples } from './vorbis-packet'

/** Header of one track of a file (RFC 9559, 5.1.4). */
export interface TrackHead {
  number: number
  isSound: boolean
  codec: string
  samplesPerSecond: number
  channels: number
  bits: number
  /** Where the codec's own head lies, and how long it is. */
  privateAt: number
  privateBytes: number
}

/** Seconds of the frame that lies there. */
export type FrameSeconds = (at: number, length: number) => number

/** A frame of AAC takes at most 6,144 bits a channel (ISO 13818-7, 8.2.2); longer ones hold several. */
const maxAacBytes = 6144
const minBytesPerSecond = 1000
const flacHeaderBytes = 17
const modesBytes = 400
/** Samples of each frame: ETSI TS 102 366 (AC-3; E-AC-3 at its longest), 4,096 of ALAC by default. */
const even: Readonly<Record<string, number>> = { A_AC3: 1536, A_EAC3: 1536, A_ALAC: 4096 }

/** Length of a track's frames; null where the codec is not known. */
export function frameSeconds(bytes: ByteWindow, track: TrackHead): FrameSeconds | null {
  const { codec, samplesPerSecond, privateAt, privateBytes } = track
  if (codec === 'A_OPUS')
    return (at, length) => opusSeconds(bytes.u8(at), length > 1 ? bytes.u8(at + 1) : 0)
  if (codec === 'A_VORBIS') {
    // Lengths of two of the three heads, in Xiph's lacing (RFC 9559, 10.3.2); the first has 30 bytes.
    let head = privateAt + 2
    while (bytes.u8(head) === 255) head++
    const tail = Math.max(privateAt, privateAt + privateBytes - modesBytes)
    const blocks = vorbisBlocks(bytes, identification(bytes, head) + 7)
    const isLong = vorbisModes(Buffer.from(bytes.slice(tail, privateAt + privateBytes - tail)))
    const rate = blocks.samplesPerSecond || samplesPerSecond
    return rate === 0 ? null : (at) => vorbisSamples(bytes.u8(at), { ...blocks, isLong }) / rate
  }
  if (codec.startsWith('A_MPEG/L')) return (at) => mp3FrameSeconds(bytes, at)
  if (samplesPerSecond === 0) return null
  if (codec === 'A_FLAC')
    return (at) => flacPacketSeconds(bytes.slice(at, flacHeaderBytes), samplesPerSecond)
  if (codec.startsWith('A_AAC')) {
    const rate = aacRate(bytes.u16be(privateAt)) ?? samplesPerSecond
    return (_, length) => (length > maxAacBytes ? length / minBytesPerSecond : 1024 / rate)
  }
  if (codec.startsWith('A_PCM')) {
    const second = (samplesPerSecond * Math.max(1, track.channels) * Math.max(8, track.bits)) / 8
    return (_, length) => length / second
  }
  const samples = even[codec]
  return samples === undefined ? null : () => samples / samplesPerSecond
}

/** The first head stands behind the lengths. */
function identification(bytes: ByteWindow, from: number): number {
  for (let at = from; at < from + 64; at++) if (bytes.says(at, '\x01vorbis')) return at
  return from
}
