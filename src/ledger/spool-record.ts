import type { NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening, AccruedCost } from '../domain/record'

/** A call that ended, or what a running one owes, before a commit has written it. */
export type SpoolRecord = {
  readonly opening: CallOpening
  readonly held: NanoUsd
} & ({ readonly ending: CallEnding } | { readonly owed: AccruedCost })

/** Records that were read, and where the last of them ends. */
interface ReadRecords {
  readonly records: readonly SpoolRecord[]
  readonly end: number
  /** Bytes between sound lines that could not be read: what they told is lost. */
  readonly damagedBytes: number
}

/** Bytes that one record takes; a little above what they come to. */
export const spoolRecordBytes = 1024

const newline = 0x0a
const crcChars = 8

/**
 * One line for all records that are written together: CRC-32 of the JSON in hexadecimal, a blank, the
 * JSON. Nobody is told before all are written, so that they may be torn together too.
 */
export const spoolLine = (records: readonly SpoolRecord[]): string =>
  withCrc(JSON.stringify(records))

/** Stands behind the newest line, which is written over older ones: no line begins with it. */
export const spoolEnd = '\0'
const endByte = 0

/** First line of a spool: whose calls these are. @param database its identity */
export const spoolHead = (database: string): string =>
  withCrc(JSON.stringify({ endings: formatVersion, database }))

const formatVersion = 2
/** Its lines are one record each. */
const singleRecordVersion = 1

const withCrc = (json: string): string =>
  `${Bun.hash.crc32(json).toString(16).padStart(crcChars, '0')} ${json}\n`

/** Damaged bytes of a first line that still says whose it is: another database's differs in most of its identity. */
const maxHeadDamage = 2

/** Whether the calls of a spool are those of a database. @param head the first line of that one's */
export function isSpoolOf(bytes: Uint8Array, database: string, head: Uint8Array): boolean {
  if (spoolDatabase(bytes) === database) return true
  if (lineAt(bytes, 0) !== null || bytes.length < head.length) return false
  const differing = head.reduce((sum, byte, at) => sum + (byte === bytes[at] ? 0 : 1), 0)
  return differing <= maxHeadDamage
}

/** The identity of the database that a spool belongs to; null where its first line is not sound. */
export function spoolDatabase(bytes: Uint8Array): string | null {
  const line = lineAt(bytes, 0)
  if (line === null) return null
  const { endings, database } = JSON.parse(line.json) as { endings?: number; database?: string }
  const isKnown = endings === formatVersion || endings === singleRecordVersion
  return isKnown && database !== undefined ? database : null
}

/**
 * Reads every sound line up to the end. A line that is not is torn where it is the last: nobody was told of it. Before
 * others it was damaged, and is left out alone.
 * @param from behind the head
 */
export function readSpoolRecords(bytes: Uint8Array, from: number): ReadRecords {
  const records: SpoolRecord[] = []
  let [end, damagedBytes] = [from, 0]
  for (let at = from; at < bytes.length && bytes[at] !== endByte;) {
    const line = lineAt(bytes, at)
    if (line === null) {
      at = nextLine(bytes, at)
      continue
    }
    const read = JSON.parse(line.json) as SpoolRecord | readonly SpoolRecord[]
    for (const record of isSeveral(read) ? read : [read]) records.push(record)
    damagedBytes += at - end
    at = end = line.end
  }
  return { records, end, damagedBytes }
}

/** Where the next line may begin: behind a line break, or where one was damaged, before a sum that is right. */
function nextLine(bytes: Uint8Array, from: number): number {
  const stop = bytes.indexOf(newline, from)
  if (stop < 0) return bytes.length
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, stop - from).toString('latin1')
  for (const { index } of text.matchAll(lineStart))
    if (index > 0 && lineAt(bytes, from + index) !== null) return from + index
  return stop + 1
}

const lineStart = /[\da-f]{8} (?=[[{])/g

const isSeveral = (read: SpoolRecord | readonly SpoolRecord[]): read is readonly SpoolRecord[] =>
  Array.isArray(read)

const decoder = new TextDecoder()

function lineAt(bytes: Uint8Array, from: number): { json: string; end: number } | null {
  const stop = bytes.indexOf(newline, from)
  if (stop < from + crcChars + 1) return null
  const crc = decoder.decode(bytes.subarray(from, from + crcChars))
  const body = bytes.subarray(from + crcChars + 1, stop)
  const sound = bytes[from + crcChars] === 0x20 && Bun.hash.crc32(body) === crcOf(crc)
  return sound ? { json: decoder.decode(body), end: stop + 1 } : null
}

const crcOf = (hex: string): number =>
  /^[\da-f]{8}$/.test(hex) ? Number.parseInt(hex, 16) : Number.NaN

/** Of two spools: an ending counts in place of what was owed before, and more in place of less. */
export const inSpoolOrder = (records: readonly SpoolRecord[]): readonly SpoolRecord[] => [
  ...records.flatMap((record) => ('owed' in record ? record : [])).sort(byOwed),
  ...records.filter((record) => 'ending' in record),
]

const byOwed = (
  one: { readonly owed: AccruedCost },
  other: { readonly owed: AccruedCost },
): number => one.owed.cost - other.owed.cost
