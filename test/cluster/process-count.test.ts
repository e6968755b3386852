import { afterEach, expect, test } from 'bun:test'
import { availableParallelism } from 'node:os'
import { processCount } from '../../src/cli/local/node-processes'

const { platform } = process
const pretend = (name: NodeJS.Platform) =>
  Object.defineProperty(process, 'platform', { value: name })
afterEach(() => pretend(platform))

const shared = { folder: '/data', isShared: true }

test.each(['darwin', 'win32'] as const)(
  'on %s several processes are refused, and as many as there are cores is one',
  (name) => {
    pretend(name)
    expect(() => processCount(2, shared)).toThrow('serve with one process here')
    expect(processCount(0, shared)).toBe(1)
    expect(processCount(1, shared)).toBe(1)
  },
)

test('on Linux a shared database is served by as many as are wanted, or as there are cores', () => {
  pretend('linux')
  expect(processCount(3, shared)).toBe(3)
  expect(processCount(0, shared)).toBe(availableParallelism())
})
