import type { ByteWindow } from './byte-window'
import { frameSeconds, type FrameSeconds, type TrackHead } from './matroska-track'
import { lengthIn, stepsPerSlice, plausibleSeconds, type Walk } from './walk'

const defaultScale = 1_000_000

/** Elements by their ids (RFC 9559, 5). */
const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  audio: 0xe1,
  samplingFrequency: 0xb5,
  channels: 0x9f,
  bitDepth: 0x6264,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  blockDuration: 0x9b,
} as const
const clusterBytes = Buffer.from([0x1f, 0x43, 0xb6, 0x75])
/** Master elements, whose children are read. */
const masters: ReadonlySet<number> = new Set([
  ids.segment,
  ids.info,
  ids.tracks,
  ids.trackEntry,
  ids.audio,
  ids.cluster,
  ids.blockGroup,
])
/** Large elements without sound: head, seek head, cues, chapters, tags, attachments, void. */
const silent: ReadonlySet<number> = new Set([
  0x1a45dfa3,
  0x114d9b74,
  0x1c53bb6b,
  0x1043a770,
  0x1254c367,
  0x1941a469,
  0xec,
  ids.codecPrivate,
])
const maxUnknownBytes = 4096
const soundType = 2
const maxTracks = 100
const laceBits = 0x06
const maxPacketSeconds = 0.12
/** Of a codec that is not known: the quietest that anybody sends. */
const minBytesPerSecond = 4000

/** A number of the format's own: as long as its first bits say. */
interface Coded {
  readonly value: number
  readonly length: number
}

interface Track extends TrackHead {
  frame: FrameSeconds | null | undefined
  seconds: number
  unknownBytes: number
}

/** Tracks and times found so far. */
interface Found {
  readonly tracks: Track[]
  scale: number
  told: number
  clusterTime: number
  last: number
  /** From one block to the next: as long as the last one lasts. */
  gap: number
}

/**
 * Matroska and WebM: the head tells the length, each block its time and each frame how long it is;
 * two of them may lie. The longest counts, and what no element holds by its bytes.
 */
export function* webmSeconds(bytes: ByteWindow): Walk {
  const found: Found = { tracks: [], scale: defaultScale, told: 0, clusterTime: 0, last: 0, gap: 0 }
  let unexplained = 0
  let at = 0
  for (let steps = 1; at < bytes.size; steps++) {
    if (steps % stepsPerSlice === 0) yield
    const id = readCoded(bytes, at, 4)
    const length = id === null ? null : readCoded(bytes, at + id.length, 8)
    if (id === null || length === null) {
      const next = bytes.find(clusterBytes, at + 1, bytes.size)
      unexplained += (next < 0 ? bytes.size : next) - at
      if (next < 0) break
      at = next
      continue
    }
    const start = at + id.length + length.length
    if (masters.has(id.value)) {
      if (id.value === ids.trackEntry && found.tracks.length < maxTracks)
        found.tracks.push(newTrack())
      at = start
      continue
    }
    at = Math.min(bytes.size, start + length.value)
    const isBlock = id.value === ids.simpleBlock || id.value === ids.block
    if (isBlock) addBlock(bytes, found, start, at)
    else if (at - start <= maxUnknownBytes || silent.has(id.value))
      readElement(bytes, found, { id: id.value, start, length: at - start })
    else unexplained += at - start
  }
  const stamped = found.last === 0 ? 0 : ((found.last + found.gap) * found.scale) / 1e9
  const told = Math.max(
    plausibleSeconds((found.told * found.scale) / 1e9),
    plausibleSeconds(stamped),
  )
  const framed = Math.max(0, ...found.tracks.map(({ seconds }) => seconds))
  const unknown = Math.max(0, ...found.tracks.map(({ unknownBytes }) => unknownBytes))
  const length = lengthIn(Math.max(told, framed), unexplained)
  const unknownSeconds = unknown / minBytesPerSecond
  return length && { ...length, maxSeconds: Math.max(length.maxSeconds, unknownSeconds) }
}

const newTrack = (): Track => ({
  number: 0,
  isSound: false,
  codec: '',
  samplesPerSecond: 8000,
  channels: 1,
  bits: 0,
  privateAt: 0,
  privateBytes: 0,
  frame: undefined,
  seconds: 0,
  unknownBytes: 0,
})

function readElement(
  bytes: ByteWindow,
  found: Found,
  { id, start, length }: { readonly id: number; readonly start: number; readonly length: number },
): void {
  const track = found.tracks.at(-1)
  if (id === ids.timestampScale) found.scale = unsigned(bytes, start, length) || defaultScale
  if (id === ids.duration) found.told = float(bytes, start, length)
  if (id === ids.timestamp) found.clusterTime = unsigned(bytes, start, length)
  if (id === ids.blockDuration) found.gap = Math.max(found.gap, unsigned(bytes, start, length))
  if (track === undefined) return
  if (id === ids.trackNumber) track.number = unsigned(bytes, start, length)
  if (id === ids.trackType) track.isSound = unsigned(bytes, start, length) === soundType
  if (id === ids.codecId)
    track.codec = bytes.slice(start, length).toString('latin1').replace(/\0+$/, '')
  if (id === ids.samplingFrequency) track.samplesPerSecond = float(bytes, start, length)
  if (id === ids.channels) track.channels = unsigned(bytes, start, length)
  if (id === ids.bitDepth) track.bits = unsigned(bytes, start, length)
  if (id === ids.codecPrivate) Object.assign(track, { privateAt: start, privateBytes: length })
}

/** Track, time, flags, then a frame or several (RFC 9559, 10). */
function addBlock(bytes: ByteWindow, found: Found, start: number, end: number): void {
  const coded = readCoded(bytes, start, 8)
  const head = start + (coded?.length ?? 1)
  const time = found.clusterTime + signed16(bytes, head)
  if (time > found.last) {
    found.gap = time - found.last
    found.last = time
  }
  const track = found.tracks.find(({ number }) => number === coded?.value)
  if (track?.isSound !== true) return
  track.frame = track.frame === undefined ? frameSeconds(bytes, track) : track.frame
  const { frame } = track
  const isLaced = (bytes.u8(head + 2) & laceBits) !== 0
  if (frame === null) track.unknownBytes += Math.max(0, end - head - 3)
  else if (!isLaced) track.seconds += frame(head + 3, end - head - 3)
  else track.seconds += laced(bytes, track, { frame, at: head + 3, end })
}

/** Frames of one block: their number is told first, and their lengths are not looked at. */
function laced(
  bytes: ByteWindow,
  { codec }: TrackHead,
  { frame, at, end }: { readonly frame: FrameSeconds; readonly at: number; readonly end: number },
): number {
  const frames = Math.max(0, bytes.u8(at)) + 1
  if (codec.startsWith('A_PCM')) return frame(at, end - at)
  const longest = codec === 'A_OPUS' || codec === 'A_VORBIS' || codec === 'A_FLAC'
  return frames * (longest ? maxPacketSeconds : frame(at, 0) || maxPacketSeconds)
}

/** An id keeps the bits that tell its length, a length does not. @param longest 4 for ids, 8 for lengths */
function readCoded(bytes: ByteWindow, at: number, longest: 4 | 8): Coded | null {
  const first = bytes.u8(at)
  if (first <= 0) return null
  const length = Math.clz32(first) - 23
  if (length > longest) return null
  let value = longest === 4 ? first : first & (0xff >> length)
  for (let more = 1; more < length; more++) {
    const next = bytes.u8(at + more)
    if (next < 0) return null
    value = value * 256 + next
  }
  return { value, length }
}

function unsigned(bytes: ByteWindow, at: number, length: number): number {
  if (length < 1 || length > 8) return 0
  let value = 0
  for (let place = 0; place < length; place++)
    value = value * 256 + Math.max(0, bytes.u8(at + place))
  return value
}

const signed16 = (bytes: ByteWindow, at: number): number => (bytes.u16be(at) << 16) >> 16

function float(bytes: ByteWindow, at: number, length: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setUint32(0, Math.max(0, bytes.u32be(at)))
  if (length === 4) return finite(view.getFloat32(0))
  view.setUint32(4, Math.max(0, bytes.u32be(at + 4)))
  return length === 8 ? finite(view.getFloat64(0)) : 0
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0)
