import { describe, expect, test } from 'bun:test'
import { CommitGathering } from '../../../src/ledger/leased/commit-gathering'
import type { LeaseExchange } from '../../../src/ledger/leased/exchange'

const waitMs = 4
const calls = { opened: [], ended: [] }
const arrival = (node: number, given: Partial<LeaseExchange> = { calls }) => ({
  exchange: { node, no: 1, calls: null, durable: false, lines: [], ...given },
})
const open = () => new CommitGathering<ReturnType<typeof arrival>>(waitMs)

describe('calls of one node', () => {
  test('wait for those of another one that is busy, and for nobody else', () => {
    const gathering = open()
    const [first, second] = [arrival(1), arrival(2)]
    expect(gathering.take([first], 0)).toEqual([first])
    // Node 1 is busy by now: node 2 waits for it.
    expect(gathering.take([second], 1)).toEqual([])
    expect(gathering.waitsUntil()).toBe(1 + waitMs)
    const next = arrival(1)
    expect(gathering.take([next], 2)).toEqual([second, next])
    expect(gathering.waitsUntil()).toBe(Number.POSITIVE_INFINITY)
  })

  test('wait no longer than that', () => {
    const gathering = open()
    gathering.take([arrival(1)], 0)
    const late = arrival(2)
    expect(gathering.take([late], 10)).toEqual([])
    expect(gathering.take([], 10 + waitMs - 0.5)).toEqual([])
    expect(gathering.take([], 10 + waitMs)).toEqual([late])
  })

  test('do not wait for one that has been quiet, nor where all are to be written', () => {
    const gathering = open()
    gathering.take([arrival(1)], 0)
    const [later, last] = [arrival(2), arrival(3)]
    expect(gathering.take([later], 1000)).toEqual([later])
    expect(gathering.take([last], 1001)).toEqual([])
    expect(gathering.take([], 1001, true)).toEqual([last])
  })
})

test('what brings no calls is answered at once, and what is durable takes the others along', () => {
  const gathering = open()
  gathering.take([arrival(1)], 0)
  const [waiting, asks] = [arrival(2), arrival(3, {})]
  expect(gathering.take([waiting, asks], 1)).toEqual([asks])
  const durable = arrival(3, { durable: true })
  expect(gathering.take([durable], 2)).toEqual([waiting, durable])
})
