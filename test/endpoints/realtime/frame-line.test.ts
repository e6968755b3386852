import { expect, test } from 'bun:test'
import { openFrameLine } from '../../../src/gateway/endpoints/realtime/frame-line'
import type { Frame } from '../../../src/gateway/net/socket'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

function opened(isSound: boolean) {
  const taken: Frame[] = []
  const told: string[] = []
  const line = openFrameLine({
    changes: () => null,
    passNow: (frame) => isSound && taken.push(frame) > 0,
    take: async (frame) => void taken.push(frame),
    onFault(fault) {
      throw fault
    },
    hold: () => told.push('hold'),
    free: () => told.push('free'),
  })
  return { line, taken, told }
}

test.each([
  ['sound', true],
  ['frames that need a look', false],
])('a flood of %s is taken in many turns, in order', async (_, isSound) => {
  const { line, taken, told } = opened(isSound)
  const frames = Array.from({ length: 2000 }, (_, at) => String(at))
  for (const frame of frames) line.add(frame)
  expect(line.holds()).toBe(true)
  let most = taken.length
  for (let before = taken.length; line.holds(); before = taken.length) {
    await turn()
    most = Math.max(most, taken.length - before)
  }
  expect(most).toBeLessThan(200)
  expect(taken).toEqual(frames)
  expect(told).toEqual(['hold', 'free'])
})

test('a frame alone holds nobody back', async () => {
  const { line, taken, told } = opened(false)
  line.add('one')
  await turn()
  line.add('two')
  await turn()
  expect(taken).toEqual(['one', 'two'])
  expect(told).toEqual([])
})
