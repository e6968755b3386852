import type { ByteWindow } from './byte-window'
import { eachBox, type Box, type Pace, type Slices } from './mp4-boxes'
import { readFragment } from './mp4-fragments'
import {
  newTrack,
  readDescription,
  readDurations,
  readEdits,
  readSizes,
  trackSeconds,
  type Track,
} from './mp4-track'
import { lengthIn, plausibleSeconds, type Walk } from './walk'

const maxTracks = 100

/** Tracks and times of the movie header so far. */
interface Movie extends Pace {
  readonly tracks: Map<number, Track>
  seconds: number
  extendedSeconds: number
  timescale: number
  mediaBytes: number
  /** Of boxes that hold no sound. */
  silentBytes: number
}

/**
 * MP4, M4A and QuickTime, whole or in fragments; the head may stand at the end, and may lie: how many
 * samples there are of which codec counts too, and bytes that no sample takes. The longest of them.
 */
export function* mp4Seconds(bytes: ByteWindow): Walk {
  const movie: Movie = {
    tracks: new Map(),
    seconds: 0,
    extendedSeconds: 0,
    timescale: 0,
    mediaBytes: 0,
    silentBytes: 0,
    steps: 0,
  }
  const all = { start: 0, end: bytes.size }
  yield* eachBox(bytes, movie, all, (box) => {
    if (box.type === 'mdat') movie.mediaBytes += box.end - box.start
    else if (box.type !== null) movie.silentBytes += box.end - box.start
    return box.type === 'moov' ? readMovie(bytes, movie, box) : undefined
  })
  yield* eachBox(bytes, movie, all, (box) =>
    box.type === 'moof' ? readFragment(bytes, movie, box, movie.tracks) : undefined,
  )
  const sound = [...movie.tracks.values()].filter((track) => track.isSound)
  const told = Math.max(0, ...sound.map((track) => trackSeconds(track, movie.mediaBytes)))
  const seconds =
    told || Math.max(plausibleSeconds(movie.seconds), plausibleSeconds(movie.extendedSeconds))
  if (seconds === 0) return null
  // Samples as they are take all there is.
  if (sound.some(({ bytesPerSecond }) => bytesPerSecond > 0)) return lengthIn(seconds, 0)
  const taken = [...movie.tracks.values()].reduce((sum, track) => sum + track.bytes, 0)
  const explained = movie.silentBytes + Math.min(movie.mediaBytes, taken)
  return lengthIn(seconds, bytes.size - explained)
}

function* readMovie(bytes: ByteWindow, movie: Movie, moov: Box): Slices {
  yield* eachBox(bytes, movie, moov, (box) => {
    if (box.type !== 'mvhd') return
    const { timescale, seconds } = readLength(bytes, box)
    movie.timescale = timescale
    movie.seconds = seconds
  })
  yield* eachBox(bytes, movie, moov, (box) =>
    box.type === 'trak' && movie.tracks.size < maxTracks ? readTrack(bytes, movie, box) : undefined,
  )
  yield* eachBox(bytes, movie, moov, (box) =>
    box.type === 'mvex' ? readExtension(bytes, movie, box) : undefined,
  )
}

/** `mvhd` and `mdhd` alike: version, two dates, timescale, duration (ISO 14496-12, 8.2.2 and 8.4.2). */
function readLength(bytes: ByteWindow, { start }: Box): { timescale: number; seconds: number } {
  const isLong = bytes.u8(start) === 1
  const timescale = Math.max(0, bytes.u32be(start + (isLong ? 20 : 12)))
  const duration = isLong ? bytes.u64be(start + 24) : bytes.u32be(start + 16)
  const unknown = duration <= 0 || timescale === 0 || duration === (isLong ? 2 ** 64 : 0xffff_ffff)
  return { timescale, seconds: unknown ? 0 : duration / timescale }
}

function* readTrack(bytes: ByteWindow, movie: Movie, trak: Box): Slices {
  let id = 0
  const track = newTrack()
  const addEdit = (units: number): void => {
    if (movie.timescale > 0) track.edited += units / movie.timescale
  }
  const read = (box: Box): Slices | void => {
    switch (box.type) {
      case 'tkhd':
        id = bytes.u32be(box.start + (bytes.u8(box.start) === 1 ? 20 : 12))
        return
      case 'mdhd':
        return void Object.assign(track, readLength(bytes, box))
      case 'hdlr':
        // QuickTime has a second one for where data lies.
        track.isSound ||= bytes.says(box.start + 8, 'soun')
        return
      case 'stsd':
        return readDescription(bytes, box, track)
      case 'stts':
        return readDurations(bytes, movie, box, track)
      case 'stsz':
        return readSizes(bytes, movie, box, track)
      case 'elst':
        return readEdits(bytes, movie, box, addEdit)
      case 'mdia':
      case 'minf':
      case 'stbl':
      case 'edts':
        return eachBox(bytes, movie, box, read)
    }
  }
  yield* eachBox(bytes, movie, trak, read)
  movie.tracks.set(id, track)
}

/** `mvex`: the length in all, and defaults of fragments (ISO 14496-12, 8.8.1 to 8.8.3). */
function* readExtension(bytes: ByteWindow, movie: Movie, mvex: Box): Slices {
  yield* eachBox(bytes, movie, mvex, (box) => {
    if (box.type === 'mehd' && movie.timescale > 0) {
      const isLong = bytes.u8(box.start) === 1
      const duration = isLong ? bytes.u64be(box.start + 4) : bytes.u32be(box.start + 4)
      movie.extendedSeconds = Math.max(0, duration) / movie.timescale
    }
    if (box.type === 'trex') {
      const track = movie.tracks.get(bytes.u32be(box.start + 4))
      if (track === undefined) return
      track.defaultDuration = bytes.u32be(box.start + 12)
      track.defaultBytes = bytes.u32be(box.start + 16)
    }
  })
}
