import type { ByteWindow } from './byte-window'

/** Elements looked at; what is beyond counts as it counted so far. */
const mostElements = 50_000
const defaultScale = 1_000_000

const segment = 0x18538067
const info = 0x1549a966
const timestampScale = 0x2ad7b1
const durationId = 0x4489
const cluster = 0x1f43b675
const timestamp = 0xe7
const simpleBlock = 0xa3
const blockGroup = 0xa0
const block = 0xa1
const blockDuration = 0x9b
/** What holds others: they are gone into, not over. */
const masters: ReadonlySet<number> = new Set([segment, info, cluster, blockGroup])

/** A number of the format's own: as long as its first bits say. */
interface Coded {
  readonly value: number
  readonly length: number
}

/**
 * Matroska and WebM: the head tells the length; what a browser records does not, but each block
 * tells its time.
 */
export function webmSeconds(bytes: ByteWindow): number | null {
  let scale = defaultScale
  let told = 0
  let clusterTime = 0
  let last = 0
  /** From one block to the next: as long as the last one lasts. */
  let gap = 0
  let at = 0
  let elements = 0
  for (; elements < mostElements && at < bytes.size; elements++) {
    const id = readCoded(bytes, at, 4)
    const length = id === null ? null : readCoded(bytes, at + id.length, 8)
    if (id === null || length === null) break
    const start = at + id.length + length.length
    if (id.value === timestampScale) scale = unsigned(bytes, start, length.value) || defaultScale
    if (id.value === durationId) told = float(bytes, start, length.value)
    if (id.value === cluster && told > 0) break
    if (id.value === timestamp) clusterTime = unsigned(bytes, start, length.value)
    if (id.value === simpleBlock || id.value === block) {
      const track = readCoded(bytes, start, 8)
      const time = clusterTime + signed16(bytes, start + (track?.length ?? 1))
      if (time > last) {
        gap = time - last
        last = time
      }
    }
    if (id.value === blockDuration) gap = Math.max(gap, unsigned(bytes, start, length.value))
    at = masters.has(id.value) ? start : start + length.value
  }
  if (told > 0) return (told * scale) / 1e9
  if (last === 0) return null
  const seconds = ((last + gap) * scale) / 1e9
  return elements === mostElements ? (seconds * bytes.size) / at : seconds
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
