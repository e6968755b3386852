import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { sizeOf } from '../../src/gateway/endpoints/byte-pieces'
import { openMemoryBudget } from '../../src/domain/memory-budget'
import { WholeBody } from '../../src/gateway/outbound/http1/reply'

const megabyte = 1_048_576

/** A body in the making, and what became of it. */
function gathering(maxBytes = 8 * megabyte, memory = openMemoryBudget(6 * megabyte)) {
  const ends: string[] = []
  const body = new WholeBody(
    (pieces) => void ends.push(`whole ${sizeOf(pieces)}`),
    ({ message }) => void ends.push(message),
    { maxBytes, memory },
  )
  return { body, ends, memory }
}

test('a whole body is counted until it is released', () => {
  const { body, ends, memory } = gathering()
  for (let sent = 0; sent < 4; sent++) body.data(new Uint8Array(megabyte))
  body.end()
  expect(ends).toEqual([`whole ${4 * megabyte}`])
  expect(memory.reservedBytes()).toBe(3 * megabyte)
  body.release()
  expect(memory.reservedBytes()).toBe(0)
})

test('a body larger than any may be breaks, whatever comes after', () => {
  const { body, ends, memory } = gathering(2 * megabyte)
  for (let sent = 0; sent < 4; sent++) body.data(new Uint8Array(megabyte))
  body.end()
  expect(ends).toEqual(['body larger than the limit'])
  expect(memory.reservedBytes()).toBe(0)
})

test('a body of single bytes takes no more memory than its bytes', () => {
  let pieces: readonly Uint8Array[] = []
  const limits = { maxBytes: 8 * megabyte, memory: openMemoryBudget(6 * megabyte) }
  const body = new WholeBody(
    (whole) => void (pieces = whole),
    () => {},
    limits,
  )
  const bytes = Uint8Array.from({ length: 100_003 }, (_, at) => at % 251)
  for (let at = 0; at < bytes.length; at++) body.data(bytes.subarray(at, at + 1))
  body.data(new Uint8Array(70_000))
  body.end()
  expect(pieces.length).toBeLessThan(1200)
  expect(Buffer.concat(pieces).equals(Buffer.concat([bytes, new Uint8Array(70_000)]))).toBe(true)
})

test('bodies end once and leave no memory behind, whatever happens to them', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.nat(3 * megabyte) },
    { weight: 1, arbitrary: fc.constantFrom('end', 'fail', 'release') },
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), step), { maxLength: 20 }), (steps) => {
      const memory = openMemoryBudget(6 * megabyte)
      const all = Array.from({ length: 3 }, () => gathering(4 * megabyte, memory))
      for (const [at, what] of steps) {
        const body = all[at]?.body
        if (typeof what === 'number') body?.data(new Uint8Array(what))
        else if (what === 'end') body?.end()
        else if (what === 'fail') body?.fail(new Error('broken'))
        else body?.release()
        expect(memory.reservedBytes()).toBeLessThanOrEqual(memory.maxBytes)
      }
      for (const { body, ends } of all) {
        body.release()
        expect(ends.length).toBeLessThanOrEqual(1)
      }
      expect(memory.reservedBytes()).toBe(0)
    }),
    { numRuns: 40 },
  )
})
