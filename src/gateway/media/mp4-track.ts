import { aacRate } from './aac-config'
import type { ByteWindow } from './byte-window'
import { isSliceOver, type Box, type Pace, type Slices } from './mp4-boxes'
import { plausibleSeconds } from './walk'

/** Times and sizes of one track, as its boxes tell them. */
export interface Track {
  isSound: boolean
  timescale: number
  /** Seconds by its own head; 0 when it does not tell. */
  seconds: number
  /** Seconds by its edit list. */
  edited: number
  /** Seconds by the durations of its samples. */
  timed: number
  /** Seconds that a sample lasts in any file; 0 for a codec where they differ. */
  perSample: number
  /** Where samples stand as they are; 0 for any other codec. */
  bytesPerSecond: number
  samples: number
  bytes: number
  /** Bytes of samples that are too long to be one. */
  oversized: number
  /** Of a sample, unless the fragment tells. */
  defaultDuration: number
  defaultBytes: number
  /** Where its fragments end, in seconds. */
  fragments: number
}

export const newTrack = (): Track => ({
  isSound: false,
  timescale: 0,
  seconds: 0,
  edited: 0,
  timed: 0,
  perSample: 0,
  bytesPerSecond: 0,
  samples: 0,
  bytes: 0,
  oversized: 0,
  defaultDuration: 0,
  defaultBytes: 0,
  fragments: 0,
})

/** A frame of AAC takes at most 6,144 bits a channel (ISO 13818-7, 8.2.2): longer ones hold several. */
const maxFrameBytes = 6144
/** The sparsest speech that vendors take, and the densest sound of any codec with loss. */
const minBytesPerSecond = 1000
const maxBytesPerSecond = 64_000

/** Seconds that a decoder makes of a track: the longest of what its boxes tell, and of its frames. */
export function trackSeconds(track: Track, mediaBytes: number): number {
  const { seconds, edited, timed, fragments, perSample, samples, bytes, oversized } = track
  const told = Math.max(...[seconds, edited, timed, fragments].map(plausibleSeconds))
  if (perSample > 0) return Math.max(told, samples * perSample + oversized / minBytesPerSecond)
  if (track.bytesPerSecond > 0) return Math.max(told, mediaBytes / track.bytesPerSecond)
  // Where only boxes tell, they are not believed that so many bytes are so short.
  const isLikely = bytes <= told * maxBytesPerSecond
  return isLikely ? told : bytes / minBytesPerSecond
}

/** Adds one sample to a track. */
export function addSample(track: Track, bytes: number): void {
  track.samples++
  track.bytes += bytes
  if (track.perSample > 0 && bytes > maxFrameBytes && track.isSound) track.oversized += bytes
}

/** `stts`: how many samples last how long (ISO 14496-12, 8.6.1.2). */
export function* readDurations(bytes: ByteWindow, pace: Pace, box: Box, track: Track): Slices {
  const entries = Math.max(0, bytes.u32be(box.start + 4))
  let units = 0
  for (let at = box.start + 8, entry = 0; entry < entries && at + 8 <= box.end; at += 8, entry++) {
    if (isSliceOver(pace)) yield
    units += bytes.u32be(at) * bytes.u32be(at + 4)
  }
  track.timed += track.timescale > 0 ? units / track.timescale : 0
}

/** `stsz`: how many bytes each sample has (ISO 14496-12, 8.7.3.2). */
export function* readSizes(bytes: ByteWindow, pace: Pace, box: Box, track: Track): Slices {
  const each = Math.max(0, bytes.u32be(box.start + 4))
  const count = Math.max(0, bytes.u32be(box.start + 8))
  if (each > 0) {
    track.samples += count
    track.bytes += count * each
    if (each > maxFrameBytes) track.oversized += count * each
    return
  }
  for (
    let at = box.start + 12, sample = 0;
    sample < count && at + 4 <= box.end;
    at += 4, sample++
  ) {
    if (isSliceOver(pace)) yield
    addSample(track, bytes.u32be(at))
  }
}

/** `elst`: what is played, maybe more than once (ISO 14496-12, 8.6.6). @returns in units of the film */
export function* readEdits(
  bytes: ByteWindow,
  pace: Pace,
  box: Box,
  add: (units: number) => void,
): Slices {
  const isLong = bytes.u8(box.start) === 1
  const entries = Math.max(0, bytes.u32be(box.start + 4))
  const entryBytes = isLong ? 20 : 12
  let at = box.start + 8
  for (let entry = 0; entry < entries && at + entryBytes <= box.end; entry++, at += entryBytes) {
    if (isSliceOver(pace)) yield
    add(isLong ? bytes.u64be(at) : bytes.u32be(at))
  }
}

/**
 * Uncompressed samples, in any order of bytes (QuickTime File Format, sound media; ISO 23003-5 for the last
 * two).
 */
const plainCodecs: ReadonlySet<string> = new Set([
  'sowt',
  'twos',
  'lpcm',
  'raw ',
  'in24',
  'in32',
  'fl32',
  'fl64',
  'ulaw',
  'alaw',
  'ipcm',
  'fpcm',
])
const headBytes = 16
/** How far into its description the configuration of AAC may stand. */
const maxDescriptionBytes = 512

/**
 * `stsd`: the codec, and how long a sample of it lasts (ISO 14496-12, 8.5.2; AC-3: ETSI TS 102 366, annex
 * F).
 */
export function readDescription(bytes: ByteWindow, box: Box, track: Track): void {
  const entry = box.start + 8
  const codec = bytes.slice(entry + 4, 4).toString('latin1')
  // 16.16 bits, behind the head of every sample entry (ISO 14496-12, 12.2.3).
  const rate = Math.max(0, bytes.u16be(entry + 8 + headBytes + 8))
  if (codec === 'mp4a') {
    const description = Buffer.from(
      bytes.slice(entry, Math.min(maxDescriptionBytes, box.end - entry)),
    )
    track.perSample = mp4aSeconds(description, rate)
  } else if (codec === 'alac' && rate > 0) track.perSample = 4096 / rate
  else if (codec === 'ac-3' && rate > 0) track.perSample = 1536 / rate
  else if (plainCodecs.has(codec))
    track.bytesPerSecond =
      rate *
      Math.max(1, bytes.u16be(entry + 8 + headBytes)) *
      Math.max(1, bytes.u16be(entry + 8 + headBytes + 2) >> 3)
  else if (codec === '.mp3' && rate > 0) track.perSample = mpegSamples(rate) / rate
}

const mpegSamples = (rate: number): number => (rate < 32_000 ? 576 : 1152)

/** By `esds` (ISO 14496-1, 7.2.6): the kind of the stream, then its configuration. */
function mp4aSeconds(description: Buffer, rate: number): number {
  const esds = description.indexOf('esds', 0, 'latin1')
  if (esds < 0) return rate > 0 ? 1024 / rate : 0
  const decoder = descriptorAt(description, 4, esds + 8)
  if (decoder === null) return rate > 0 ? 1024 / rate : 0
  const kind = description[decoder]
  // MPEG-1 and 2 layer III.
  if ((kind === 0x6b || kind === 0x69) && rate > 0) return mpegSamples(rate) / rate
  const config = descriptorAt(description, 5, decoder + 13)
  const told =
    config === null
      ? null
      : aacRate(((description[config] ?? 0) << 8) | (description[config + 1] ?? 0))
  const decoded = told ?? rate
  return decoded > 0 ? 1024 / decoded : 0
}

/** Where a descriptor's own fields begin, from the place on. */
function descriptorAt(description: Buffer, tag: number, from: number): number | null {
  for (let at = from; at < description.length; at++) {
    if (description[at] !== tag) continue
    let start = at + 1
    for (let more = 0; more < 3 && ((description[start] ?? 0) & 0x80) !== 0; more++) start++
    return start + 1
  }
  return null
}
