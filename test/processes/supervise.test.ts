import { expect, test } from 'bun:test'
import { superviseFronts } from '../../src/processes/supervise'

const given = { environment: {}, drainMs: 5000, now: () => performance.now() }
const sleeper = [process.execPath, '-e', 'setInterval(() => {}, 1000)']

test('where a process ends another one begins, and all end when it stops', async () => {
  const ended = Promise.withResolvers<number>()
  const fronts = superviseFronts({
    ...given,
    count: 2,
    command: () => sleeper,
    onEnded: ({ pid, signal }) => {
      if (signal === 'SIGKILL') ended.resolve(pid)
    },
    onFault() {},
  })
  const [first = 0, second = 0] = fronts.pids()
  void fronts.end(first)
  await fronts.end(1)
  expect(await ended.promise).toBe(first)
  while (fronts.pids().length < 2) await Bun.sleep(5)
  expect(fronts.pids()).toContain(second)
  expect(fronts.pids()).not.toContain(first)
  await fronts.stop()
  expect(fronts.pids()).toEqual([])
})

test('a process that does not end by itself is ended', async () => {
  const script = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`
  const fronts = superviseFronts({
    ...given,
    drainMs: 50,
    count: 1,
    command: () => [process.execPath, '-e', script],
    onEnded() {},
    onFault() {},
  })
  await fronts.stop()
  expect(fronts.pids()).toEqual([])
})

test('a program that is not there is a fault, and tried again', async () => {
  const twice = Promise.withResolvers<void>()
  let faults = 0
  const fronts = superviseFronts({
    ...given,
    count: 1,
    command: () => ['/no/such/program'],
    onEnded() {},
    onFault() {
      if (++faults === 2) twice.resolve()
    },
  })
  await twice.promise
  await fronts.stop()
})

test('one that served begins again at once, however soon it ended', async () => {
  const begun: number[] = []
  const fronts = superviseFronts({
    ...given,
    count: 1,
    command: () => [process.execPath, '-e', 'setTimeout(() => {}, 20)'],
    onEnded: ({ pid }) => void begun.push(pid),
    onFault() {},
  })
  const looking = setInterval(() => fronts.pids().forEach(fronts.sound), 1)
  const began = performance.now()
  // Backing off as for one that cannot begin, the last would have waited for more than three seconds.
  while (begun.length < 6) await Bun.sleep(5)
  clearInterval(looking)
  expect(performance.now() - began).toBeLessThan(2500)
  await fronts.stop()
})
