import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Ms } from '../../src/domain/clock'
import type { AccountId, KeyId, ProjectId, RequestId } from '../../src/domain/ids'
import { nanoUsd } from '../../src/domain/money'
import type { CallOpening, AccruedCost } from '../../src/domain/record'
import {
  isSpoolOf,
  readSpoolRecords,
  spoolDatabase,
  spoolEnd,
  spoolHead,
  spoolLine,
  type SpoolRecord,
} from '../../src/ledger/spool-record'

const text = fc.string({ unit: 'binary', maxLength: 12 })
const usd = fc.nat().map(nanoUsd)

const opening: fc.Arbitrary<CallOpening> = fc.record({
  id: fc.uuid().map((uuid) => `req_${uuid}` as RequestId),
  account: fc.nat().map((id) => id as AccountId),
  project: fc.nat().map((id) => id as ProjectId),
  key: fc.nat().map((id) => id as KeyId),
  endpoint: fc.constant('chat' as const),
  model: text,
  streamed: fc.boolean(),
  address: text,
  created: fc.nat().map((ms) => ms as Ms),
  cardVersion: text,
})
const owed: fc.Arbitrary<AccruedCost> = fc.record({
  usage: fc.record({
    units: fc.record({ input: fc.nat(), output: fc.nat() }),
    reasoning: fc.nat(),
    estimated: fc.boolean(),
  }),
  cost: usd,
  vendor: fc.option(text),
  vendorModel: fc.option(text),
})
const record: fc.Arbitrary<SpoolRecord> = fc.oneof(
  fc.record({ opening, held: usd, owed }),
  fc.record({
    opening,
    held: usd,
    ending: fc.tuple(owed, text).map(([each, error]) => ({
      ...each,
      status: 'success' as const,
      vendorAnswer: error,
      error,
      latencyMs: 3,
      firstByteMs: null,
    })),
  }),
)
const records = fc.array(record, { maxLength: 5 })

const head = Buffer.from(spoolHead('ours'))
const bytesOf = (all: readonly SpoolRecord[]) => writtenAs(all.map((each) => [each]))
const writtenAs = (lines: readonly (readonly SpoolRecord[])[]) =>
  Buffer.concat([head, Buffer.from(lines.map(spoolLine).join(''))])
const readIn = (bytes: Uint8Array) => readSpoolRecords(bytes, head.length).records

describe('a spool', () => {
  test('gives back what was put in, and whose it is', () => {
    fc.assert(
      fc.property(records, (all) => {
        expect(readIn(bytesOf(all))).toEqual([...all])
        expect(spoolDatabase(bytesOf(all))).toBe('ours')
      }),
    )
  })

  test('keeps the order of records that were written together', () => {
    fc.assert(
      fc.property(fc.array(records, { maxLength: 4 }), (lines) => {
        expect(readIn(writtenAs(lines))).toEqual(lines.flat())
      }),
    )
  })

  test('of the version before, a record a line, is read as well', () => {
    const line = (json: string) => `${Bun.hash.crc32(json).toString(16).padStart(8, '0')} ${json}\n`
    const oldHead = line(JSON.stringify({ endings: 1, database: 'ours' }))
    fc.assert(
      fc.property(records, (all) => {
        const bytes = Buffer.from(oldHead + all.map((each) => line(JSON.stringify(each))).join(''))
        expect(spoolDatabase(bytes)).toBe('ours')
        expect(readSpoolRecords(bytes, oldHead.length).records).toEqual([...all])
      }),
    )
  })

  test('torn at any byte gives the records before it, whole', () => {
    fc.assert(
      fc.property(records, (all) => {
        const bytes = bytesOf(all)
        const ends = all.map((_, at) => bytesOf(all.slice(0, at + 1)).length)
        for (let size = head.length; size <= bytes.length; size++) {
          const whole = ends.filter((end) => end <= size).length
          const torn = bytes.subarray(0, size)
          expect(readIn(torn)).toHaveLength(whole)
          // Zeros are what the file held there before.
          const padded = Buffer.alloc(bytes.length + 64)
          torn.copy(padded)
          expect(readIn(padded)).toHaveLength(whole)
        }
      }),
      { numRuns: 10 },
    )
  })

  test('written over an older one gives the new records alone', () => {
    fc.assert(
      fc.property(records, records, (older, newer) => {
        const over = Buffer.concat([bytesOf(newer), Buffer.from(spoolEnd)])
        const left = bytesOf(older).subarray(over.length)
        expect(readIn(Buffer.concat([over, left]))).toEqual([...newer])
      }),
    )
  })

  test('never makes a record of garbage, or of one with a byte changed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (garbage) => {
        expect(readSpoolRecords(garbage, 0).records).toEqual([])
        expect(spoolDatabase(garbage)).toBeNull()
      }),
    )
    fc.assert(
      fc.property(record, fc.nat(), fc.integer({ min: 1, max: 255 }), (one, place, change) => {
        const bytes = bytesOf([one])
        const at = head.length + (place % (bytes.length - head.length))
        bytes[at] = (bytes[at] ?? 0) ^ change
        expect(readIn(bytes)).toEqual([])
      }),
    )
  })

  test('with a damaged line loses that one alone, and tells how much it was', () => {
    const several = fc.array(record, { minLength: 2, maxLength: 5 })
    const byte = fc.integer({ min: 1, max: 255 })
    fc.assert(
      fc.property(several, fc.nat(), fc.nat(), byte, (all, which, place, change) => {
        const lost = which % (all.length - 1)
        const begins = bytesOf(all.slice(0, lost)).length
        const ends = bytesOf(all.slice(0, lost + 1)).length
        const bytes = bytesOf(all)
        const at = begins + (place % (ends - begins))
        bytes[at] = (bytes[at] ?? 0) ^ change
        // There it looks like the end of the newest lines.
        fc.pre(at !== begins || bytes[at] !== 0)
        const read = readSpoolRecords(bytes, head.length)
        expect(read.records).toEqual(all.filter((_, index) => index !== lost))
        expect(read.damagedBytes).toBeWithin(ends - begins - 1, ends - begins + 1)
        expect(read.end).toBe(bytes.length)
      }),
    )
  })

  test('torn at its end is not damaged', () => {
    fc.assert(
      fc.property(records, fc.nat(), (all, cut) => {
        const bytes = bytesOf(all)
        const size = head.length + (cut % (bytes.length - head.length + 1))
        expect(readSpoolRecords(bytes.subarray(0, size), head.length).damagedBytes).toBe(0)
      }),
    )
  })

  test('whose first line is damaged is still its own, and never becomes another’s', () => {
    const identity = fc.uuid()
    fc.assert(
      fc.property(
        identity,
        identity,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (own, other, place, change) => {
          fc.pre(own !== other)
          const first = Buffer.from(spoolHead(own))
          const changed = Buffer.from(first)
          changed[place % first.length] = (changed[place % first.length] ?? 0) ^ change
          expect(isSpoolOf(first, own, first)).toBe(true)
          expect(isSpoolOf(changed, own, first)).toBe(true)
          expect(isSpoolOf(changed, other, Buffer.from(spoolHead(other)))).toBe(false)
        },
      ),
    )
  })
})
