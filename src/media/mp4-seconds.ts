import type { ByteWindow } from './byte-window'

/** Boxes of a file, and samples told one by one, in all: more no honest file of this size needs. */
const mostSteps = 40_000

const names = 'moov moof mvhd mvex mehd trex trak tkhd mdia mdhd hdlr traf tfhd tfdt trun'
/** The boxes that tell something, by their four letters as a number. */
const types = new Map(names.split(' ').map((name) => [Buffer.from(name).readUInt32BE(), name]))

/** A box between two places of the file, behind its own head. */
interface Box {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface Track {
  isSound: boolean
  timescale: number
  /** Seconds by its own head; 0 when it does not tell. */
  seconds: number
  /** Of a sample, unless the fragment tells. */
  defaultDuration: number
  /** Seconds by its fragments. */
  fragments: number
}

/** What was found so far. */
interface Movie {
  readonly tracks: Map<number, Track>
  seconds: number
  extendedSeconds: number
  timescale: number
  steps: number
}

/** MP4, M4A and QuickTime, whole or in fragments; the head may stand at the end. */
export function mp4Seconds(bytes: ByteWindow): number | null {
  const movie: Movie = {
    tracks: new Map(),
    seconds: 0,
    extendedSeconds: 0,
    timescale: 0,
    steps: 0,
  }
  const top = boxesIn(bytes, movie, 0, bytes.size)
  const head = top.find(({ type }) => type === 'moov')
  if (head !== undefined) readMovie(bytes, movie, head)
  for (const box of top) if (box.type === 'moof') readFragment(bytes, movie, box)
  const tracks = [...movie.tracks.values()].filter((track) => track.isSound)
  const told = Math.max(0, ...tracks.map((track) => track.seconds))
  const fragments = Math.max(0, ...tracks.map((track) => track.fragments))
  return Math.max(told, fragments) || Math.max(movie.seconds, movie.extendedSeconds) || null
}

const mayGoOn = (movie: Movie): boolean => movie.steps++ < mostSteps

function boxesIn(bytes: ByteWindow, movie: Movie, from: number, to: number): readonly Box[] {
  const boxes: Box[] = []
  for (let at = from; at + 8 <= to && mayGoOn(movie);) {
    const short = bytes.u32be(at)
    const isLong = short === 1
    const length = isLong ? bytes.u64be(at + 8) : short === 0 ? to - at : short
    const head = isLong ? 16 : 8
    if (length < head) break
    const end = Math.min(to, at + length)
    const type = types.get(bytes.u32be(at + 4))
    if (type !== undefined) boxes.push({ type, start: at + head, end })
    at += length
  }
  return boxes
}

function readMovie(bytes: ByteWindow, movie: Movie, moov: Box): void {
  for (const box of boxesIn(bytes, movie, moov.start, moov.end)) {
    if (box.type === 'mvhd') {
      const { timescale, seconds } = readLength(bytes, box)
      movie.timescale = timescale
      movie.seconds = seconds
    }
    if (box.type === 'trak') readTrack(bytes, movie, box)
  }
  for (const box of boxesIn(bytes, movie, moov.start, moov.end))
    if (box.type === 'mvex') readExtension(bytes, movie, box)
}

/** `mvhd` and `mdhd` alike: version, two dates, timescale, duration. */
function readLength(bytes: ByteWindow, { start }: Box): { timescale: number; seconds: number } {
  const isLong = bytes.u8(start) === 1
  const timescale = Math.max(0, bytes.u32be(start + (isLong ? 20 : 12)))
  const duration = isLong ? bytes.u64be(start + 24) : bytes.u32be(start + 16)
  const unknown = duration <= 0 || timescale === 0 || duration === (isLong ? 2 ** 64 : 0xffff_ffff)
  return { timescale, seconds: unknown ? 0 : duration / timescale }
}

function readTrack(bytes: ByteWindow, movie: Movie, trak: Box): void {
  let id = 0
  const track: Track = {
    isSound: false,
    timescale: 0,
    seconds: 0,
    defaultDuration: 0,
    fragments: 0,
  }
  for (const box of boxesIn(bytes, movie, trak.start, trak.end)) {
    if (box.type === 'tkhd') id = bytes.u32be(box.start + (bytes.u8(box.start) === 1 ? 20 : 12))
    if (box.type !== 'mdia') continue
    for (const inner of boxesIn(bytes, movie, box.start, box.end)) {
      if (inner.type === 'mdhd') Object.assign(track, readLength(bytes, inner))
      if (inner.type === 'hdlr') track.isSound = bytes.says(inner.start + 8, 'soun')
    }
  }
  movie.tracks.set(id, track)
}

function readExtension(bytes: ByteWindow, movie: Movie, mvex: Box): void {
  for (const box of boxesIn(bytes, movie, mvex.start, mvex.end)) {
    if (box.type === 'mehd' && movie.timescale > 0) {
      const isLong = bytes.u8(box.start) === 1
      const duration = isLong ? bytes.u64be(box.start + 4) : bytes.u32be(box.start + 4)
      movie.extendedSeconds = Math.max(0, duration) / movie.timescale
    }
    if (box.type === 'trex') {
      const track = movie.tracks.get(bytes.u32be(box.start + 4))
      if (track !== undefined) track.defaultDuration = bytes.u32be(box.start + 12)
    }
  }
}

function readFragment(bytes: ByteWindow, movie: Movie, moof: Box): void {
  for (const traf of boxesIn(bytes, movie, moof.start, moof.end)) {
    if (traf.type !== 'traf') continue
    let track: Track | undefined
    let each = 0
    let began: number | null = null
    let units = 0
    for (const box of boxesIn(bytes, movie, traf.start, traf.end)) {
      const flags = bytes.u32be(box.start) & 0xffffff
      if (box.type === 'tfhd') {
        track = movie.tracks.get(bytes.u32be(box.start + 4))
        const at = box.start + 8 + ((flags & 1) === 0 ? 0 : 8) + ((flags & 2) === 0 ? 0 : 4)
        each = (flags & 8) === 0 ? (track?.defaultDuration ?? 0) : bytes.u32be(at)
      }
      if (box.type === 'tfdt')
        began = bytes.u8(box.start) === 1 ? bytes.u64be(box.start + 4) : bytes.u32be(box.start + 4)
      if (box.type === 'trun') units += runUnits(bytes, movie, box, { flags, each })
    }
    if (track === undefined || track.timescale === 0) continue
    const start = began === null ? track.fragments : began / track.timescale
    track.fragments = Math.max(track.fragments, start + units / track.timescale)
  }
}

/** How long a run of samples lasts. */
function runUnits(
  bytes: ByteWindow,
  movie: Movie,
  { start, end }: Box,
  { flags, each }: { readonly flags: number; readonly each: number },
): number {
  const count = Math.max(0, bytes.u32be(start + 4))
  if ((flags & 0x100) === 0) return count * each
  let at = start + 8 + ((flags & 1) === 0 ? 0 : 4) + ((flags & 4) === 0 ? 0 : 4)
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0)
  let units = 0
  for (let sample = 0; sample < count && at + 4 <= end && mayGoOn(movie); sample++) {
    units += bytes.u32be(at)
    at += fields.length * 4
  }
  return units
}
