import { expect, test } from 'bun:test'
import { joinPieces } from '../../src/gateway/endpoints/byte-pieces'
import { yieldToLoop } from '../../src/domain/yield-to-loop'

/** Counts turns of the event loop while something is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let over = false
  const count = () => {
    turns++
    if (!over) setImmediate(count)
  }
  setImmediate(count)
  await work()
  over = true
  return turns
}

test('of many that wait, one goes on in a turn, in order', async () => {
  const order: number[] = []
  const one = async (name: number) => {
    for (let times = 0; times < 3; times++) {
      await yieldToLoop()
      order.push(name)
    }
  }
  const turns = await turnsDuring(() => Promise.all([one(1), one(2), one(3)]))
  expect(order).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3])
  expect(turns).toBeGreaterThanOrEqual(9)
})

test('pieces are joined as they are, many bytes in many turns', async () => {
  const pieces = [10_000_000, 0, 7, 3_000_000].map((size, at) => new Uint8Array(size).fill(at + 1))
  let joined = new Uint8Array()
  const turns = await turnsDuring(async () => (joined = await joinPieces(pieces)))
  expect(Buffer.compare(joined, Buffer.concat(pieces))).toBe(0)
  expect(turns).toBeGreaterThanOrEqual(4)
})
