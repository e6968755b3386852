import { expect, test } from 'bun:test'
import { supervise } from '../../src/server/cluster/supervise'
import { paced } from '../support/pace'

const given = {
  environment: () => ({}),
  drainMs: 5000,
  now: () => performance.now(),
  onMessage() {},
  onEnded() {},
  onFault() {},
}
const sleeper = [process.execPath, '-e', 'setInterval(() => {}, 1000)']

test('begins another process where one is killed, and ends all when it stops', async () => {
  const ended = Promise.withResolvers<number>()
  const nodes = supervise({
    ...given,
    count: 2,
    command: sleeper,
    onEnded: ({ pid, signal }) => {
      if (signal === 'SIGKILL') ended.resolve(pid)
    },
  })
  const [first = 0, second = 0] = nodes.pids()
  process.kill(first, 'SIGKILL')
  expect(await ended.promise).toBe(first)
  while (nodes.pids().length < 2) await Bun.sleep(5)
  expect(nodes.pids()).toContain(second)
  expect(nodes.pids()).not.toContain(first)
  await nodes.stop()
  expect(nodes.pids()).toEqual([])
})

test('kills a process that does not end in time', async () => {
  const script = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`
  const nodes = supervise({
    ...given,
    drainMs: 50,
    count: 1,
    command: [process.execPath, '-e', script],
  })
  await nodes.stop()
  expect(nodes.pids()).toEqual([])
})

test('tries a program that does not exist again, and reports each failure', async () => {
  const twice = Promise.withResolvers<void>()
  let faults = 0
  const nodes = supervise({
    ...given,
    count: 1,
    command: ['/no/such/program'],
    onFault() {
      if (++faults === 2) twice.resolve()
    },
  })
  await twice.promise
  await nodes.stop()
})

test('restarts a process that served at once, however soon it ended', async () => {
  const begun: number[] = []
  const nodes = supervise({
    ...given,
    count: 1,
    command: [process.execPath, '-e', 'setTimeout(() => {}, 20)'],
    onEnded: ({ pid }) => void begun.push(pid),
  })
  const looking = setInterval(() => nodes.pids().forEach((pid) => nodes.sound(pid)), 1)
  const began = performance.now()
  // With the backoff of a process that fails at its start, six would take more than three seconds.
  while (begun.length < 6) await Bun.sleep(5)
  clearInterval(looking)
  expect(performance.now() - began).toBeLessThan(paced(2500))
  await nodes.stop()
})

test('begins no process in the place of a dismissed one', async () => {
  const heard = Promise.withResolvers<number>()
  const nodes = supervise({
    ...given,
    count: 1,
    command: [
      process.execPath,
      '-e',
      `process.on('message', () => process.exit(0)); process.send('ready')`,
    ],
    onMessage: (pid) => heard.resolve(pid),
  })
  const pid = await heard.promise
  nodes.dismiss(pid)
  nodes.send(pid, 'leave')
  while (nodes.pids().length > 0) await Bun.sleep(5)
  nodes.send(pid, 'leave')
  await Bun.sleep(200)
  expect(nodes.pids()).toEqual([])
  await nodes.stop()
})
