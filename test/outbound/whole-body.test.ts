import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { sizeOf } from '../../src/endpoints/byte-pieces'
import { openMemoryBudget } from '../../src/domain/memory-budget'
import { WholeBody } from '../../src/outbound/http1/reply'

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
