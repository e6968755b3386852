import type { ByteWindow } from './byte-window'
import { eachBox, isSliceOver, type Box, type Pace, type Slices } from './mp4-boxes'
import { addSample, type Track } from './mp4-track'

/** One track's part of a fragment (ISO 14496-12, 8.8). */
interface Part {
  track: Track | undefined
  duration: number
  bytes: number
  began: number | null
  units: number
}

/** Reads `moof`: adds one fragment to its tracks (ISO 14496-12, 8.8.4). */
export function* readFragment(
  bytes: ByteWindow,
  pace: Pace,
  moof: Box,
  tracks: ReadonlyMap<number, Track>,
): Slices {
  yield* eachBox(bytes, pace, moof, (traf) =>
    traf.type === 'traf' ? readTrackFragment(bytes, pace, traf, tracks) : undefined,
  )
}

function* readTrackFragment(
  bytes: ByteWindow,
  pace: Pace,
  traf: Box,
  tracks: ReadonlyMap<number, Track>,
): Slices {
  const part: Part = { track: undefined, duration: 0, bytes: 0, began: null, units: 0 }
  yield* eachBox(bytes, pace, traf, (box) => {
    if (box.type === 'tfhd') readHead(bytes, box, part, tracks)
    if (box.type === 'tfdt')
      part.began =
        bytes.u8(box.start) === 1 ? bytes.u64be(box.start + 4) : bytes.u32be(box.start + 4)
    return box.type === 'trun' ? readRun(bytes, pace, box, part) : undefined
  })
  const { track, began, units } = part
  if (track === undefined || track.timescale === 0) return
  track.timed += units / track.timescale
  const start = began === null ? track.fragments : began / track.timescale
  track.fragments = Math.max(track.fragments, start + units / track.timescale)
}

/** `tfhd`: the track, and what holds for samples that do not tell (ISO 14496-12, 8.8.7). */
function readHead(
  bytes: ByteWindow,
  { start }: Box,
  part: Part,
  tracks: ReadonlyMap<number, Track>,
): void {
  const flags = bytes.u32be(start) & 0xffffff
  part.track = tracks.get(bytes.u32be(start + 4))
  let at = start + 8 + ((flags & 1) === 0 ? 0 : 8) + ((flags & 2) === 0 ? 0 : 4)
  part.duration = (flags & 8) === 0 ? (part.track?.defaultDuration ?? 0) : bytes.u32be(at)
  if ((flags & 8) !== 0) at += 4
  part.bytes = (flags & 16) === 0 ? (part.track?.defaultBytes ?? 0) : bytes.u32be(at)
}

/** `trun`: how long each sample of a run lasts, and how many bytes it has (ISO 14496-12, 8.8.8). */
function* readRun(bytes: ByteWindow, pace: Pace, { start, end }: Box, part: Part): Slices {
  const { track } = part
  const flags = bytes.u32be(start) & 0xffffff
  const count = Math.max(0, bytes.u32be(start + 4))
  const hasDuration = (flags & 0x100) !== 0
  const hasBytes = (flags & 0x200) !== 0
  if (!hasDuration && !hasBytes) {
    part.units += count * part.duration
    if (track === undefined) return
    track.samples += count
    track.bytes += count * part.bytes
    return
  }
  let at = start + 8 + ((flags & 1) === 0 ? 0 : 4) + ((flags & 4) === 0 ? 0 : 4)
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0)
  for (let sample = 0; sample < count && at + 4 <= end; sample++) {
    if (isSliceOver(pace)) yield
    part.units += hasDuration ? bytes.u32be(at) : part.duration
    if (track !== undefined)
      addSample(track, hasBytes ? bytes.u32be(hasDuration ? at + 4 : at) : part.bytes)
    at += fields.length * 4
  }
}
