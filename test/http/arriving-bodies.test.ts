import { expect, test } from 'bun:test'
import {
  arriveBody,
  isCutBody,
  strangerPatience,
  sweepBodies,
} from '../../src/gateway/http/slow-body-guard'

/** A body, looked at every second; `bytes` come in each. @returns the second in which it is given up */
function secondsOf(
  bytes: (second: number) => number,
  lasting: number,
  patience?: typeof strangerPatience,
): number | null {
  const request = new Request('http://localhost/')
  let late = false
  const arrival = arriveBody(request, () => (late = true), patience)
  for (let second = 0; second <= lasting; second++) {
    arrival.bytes += bytes(second)
    sweepBodies(1_000_000 + second * 1000)
    if (late) {
      expect(isCutBody(request)).toBe(true)
      return second
    }
  }
  arrival.end('whole')
  expect(isCutBody(request)).toBe(false)
  return null
}

test('a body is waited for while it comes at 1 KB a second', () => {
  expect(secondsOf(() => 1024, 1000)).toBeNull()
  expect(secondsOf((second) => (second % 55 === 0 ? 70_000 : 0), 1000)).toBeNull()
})

test('a body is given up after a minute without a byte, or of too few', () => {
  expect(secondsOf(() => 0, 100)).toBe(60)
  expect(secondsOf(() => 1, 100)).toBe(60)
  expect(secondsOf(() => 1000, 100)).toBe(60)
  expect(secondsOf((second) => (second < 30 ? 100_000 : 0), 300)).toBe(89)
  expect(secondsOf((second) => (second < 60 ? 100_000 : 10), 300)).toBe(120)
})

test('a stranger’s body is given up after 20 seconds without a byte, or a minute of too few', () => {
  expect(secondsOf(() => 0, 100, strangerPatience)).toBe(20)
  expect(secondsOf(() => 1, 100, strangerPatience)).toBe(60)
  expect(secondsOf(() => 1024, 200, strangerPatience)).toBeNull()
})

test('while descriptors lack nothing is waited for longer than a second', () => {
  const told: number[] = []
  const arrival = arriveBody(new Request('http://localhost/'), ({ status }) => told.push(status))
  const hurried = { silentMs: 1000, averagedMs: 1000 }
  sweepBodies(5000, hurried)
  sweepBodies(5900, hurried)
  expect(told).toEqual([])
  sweepBodies(6000, hurried)
  sweepBodies(9000, hurried)
  arrival.end('cut')
  expect(told).toEqual([408])
})
