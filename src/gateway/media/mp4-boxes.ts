import type { ByteWindow } from './byte-window'
import { stepsPerSlice } from './walk'

const names =
  'moov moof mdat mvhd mvex mehd trex trak tkhd mdia mdhd hdlr minf stbl stsd stts stsz stz2 edts ' +
  'elst traf tfhd tfdt trun ftyp styp free skip wide uuid meta udta sidx ssix mfra pdin emsg prft'
/** Boxes that are known, by their four letters as a number. */
const types = new Map(names.split(' ').map((name) => [Buffer.from(name).readUInt32BE(), name]))

/** A box between two places of the file, behind its own head (ISO 14496-12, 4.2). */
export interface Box {
  /** Null for one that is not known. */
  readonly type: string | null
  readonly start: number
  readonly end: number
}

/** Work in slices: it yields between them. */
export type Slices = Generator<void, void>

/** Counts steps over a whole file. */
export interface Pace {
  steps: number
}

/** Whether others should have a turn now. */
export const isSliceOver = (pace: Pace): boolean => ++pace.steps % stepsPerSlice === 0

/** Looks at each box between two places. */
export function* eachBox(
  bytes: ByteWindow,
  pace: Pace,
  { start: from, end: to }: Pick<Box, 'start' | 'end'>,
  visit: (box: Box) => Slices | void,
): Slices {
  for (let at = from; at + 8 <= to;) {
    if (isSliceOver(pace)) yield
    const short = bytes.u32be(at)
    const head = short === 1 ? 16 : 8
    const length = short === 1 ? bytes.u64be(at + 8) : short === 0 ? to - at : short
    if (length < head) break
    const type = types.get(bytes.u32be(at + 4)) ?? null
    const visited = visit({ type, start: at + head, end: Math.min(to, at + length) })
    if (visited !== undefined) yield* visited
    at += length
  }
}
