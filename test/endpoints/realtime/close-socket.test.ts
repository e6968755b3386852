import { expect, test } from 'bun:test'
import { closeReason, passedClose } from '../../../src/gateway/endpoints/realtime/close-codes'
import { closeSocket } from '../../../src/gateway/endpoints/realtime/close-socket'

function openSocket() {
  const log: string[] = []
  const dropped = Promise.withResolvers<void>()
  return {
    log,
    dropped: dropped.promise,
    send: () => 1,
    pause: () => {},
    resume: () => {},
    ping: () => {},
    close: (code: number, reason: string) => void log.push(`${code} ${reason}`),
    terminate() {
      log.push('dropped')
      dropped.resolve()
    },
  }
}

test('a client that does not close its side is dropped', async () => {
  const socket = openSocket()
  closeSocket(socket, 4402, 'insufficient_credit', 1)
  expect(socket.log).toEqual(['4402 insufficient_credit'])
  await socket.dropped
  expect(socket.log).toEqual(['4402 insufficient_credit', 'dropped'])
})

test('one that does is left alone', async () => {
  const [closing, other] = [openSocket(), openSocket()]
  closeSocket(closing, 1000, '', 1)()
  closeSocket(other, 1000, '', 2)
  await other.dropped
  expect(closing.log).toEqual(['1000 '])
})

test('a reason is as long as a close frame holds, and ends with a whole letter', () => {
  expect(closeReason('short')).toBe('short')
  expect(closeReason('a'.repeat(200))).toBe('a'.repeat(123))
  expect(closeReason('ä'.repeat(62))).toBe('ä'.repeat(61))
})

test.each([
  [1000, 1000],
  [1001, 1001],
  [3000, 3000],
  [4001, 4001],
  [4401, 1011],
  [4503, 1011],
  [1005, 1000],
  [1006, 1000],
  [1015, 1000],
  [999, 1000],
  [5000, 1000],
])('a vendor’s close %i is passed on as %i', (code, passed) => {
  expect(passedClose(code)).toBe(passed)
})
