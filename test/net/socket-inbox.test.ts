import { describe, expect, test } from 'bun:test'
import { brokenClose, type Frame } from '../../src/gateway/net/socket'
import { openSocketInbox } from '../../src/gateway/net/socket-inbox'

/** An inbox, and what became of what was put into it. */
function opened() {
  const seen: (Frame | number)[] = []
  const told: string[] = []
  const inbox = openSocketInbox({
    pause: () => told.push('pause'),
    resume: () => told.push('resume'),
    terminate: () => told.push('terminate'),
  })
  const listen = () =>
    inbox.listen({
      frame: (frame) => seen.push(frame),
      pong() {},
      closed: (code) => seen.push(code),
    })
  return { inbox, seen, told, listen }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const put = (inbox: ReturnType<typeof opened>['inbox'], from: number, to: number) => {
  for (let at = from; at < to; at++) inbox.sink.frame(String(at))
}
const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at))

describe('an inbox', () => {
  test('passes on at once what is little', () => {
    const { inbox, seen, told, listen } = opened()
    listen()
    put(inbox, 0, 10)
    expect(seen).toEqual(numbers(10))
    expect(told).toEqual([])
  })

  test('passes on a flood in many turns, in order, and the socket reads nothing meanwhile', async () => {
    const { inbox, seen, told, listen } = opened()
    listen()
    put(inbox, 0, 5000)
    inbox.sink.closed(1000, '')
    expect(seen.length).toBeLessThan(500)
    let most = 0
    for (let before = seen.length; seen.length < 5001; before = seen.length) {
      await turn()
      most = Math.max(most, seen.length - before)
    }
    expect(most).toBeLessThan(1000)
    expect(seen).toEqual([...numbers(5000), 1000])
    expect(told).toEqual(['pause'])
  })

  test('has the socket read again when all was passed on', async () => {
    const { inbox, seen, told, listen } = opened()
    listen()
    put(inbox, 0, 1000)
    while (told.length < 2) await turn()
    expect(seen).toEqual(numbers(1000))
    expect(told).toEqual(['pause', 'resume'])
  })

  test('keeps what came before anybody listened, and has no more come', () => {
    const { inbox, seen, told, listen } = opened()
    put(inbox, 0, 3)
    expect(told).toEqual(['pause'])
    listen()
    expect(seen).toEqual(numbers(3))
    expect(told).toEqual(['pause', 'resume'])
  })

  test('passes nothing on while its reader wants nothing', async () => {
    const { inbox, seen, told, listen } = opened()
    listen()
    inbox.pause()
    put(inbox, 0, 3)
    await turn()
    expect(seen).toEqual([])
    inbox.resume()
    while (told.length < 2) await turn()
    expect(seen).toEqual(numbers(3))
    expect(told).toEqual(['pause', 'resume'])
  })

  test('passes nothing on once it is closed, but hears the other side', async () => {
    const { inbox, seen, told, listen } = opened()
    listen()
    inbox.pause()
    put(inbox, 0, 3)
    inbox.close()
    put(inbox, 3, 5)
    await turn()
    expect(told).toEqual(['pause', 'resume'])
    inbox.sink.closed(1000, '')
    expect(seen).toEqual([1000])
  })

  test('breaks off a socket that asks for a sign of life again and again', () => {
    const { inbox, told, listen } = opened()
    listen()
    for (let times = 0; times < 100; times++) inbox.sink.ping()
    expect(told).toEqual([])
    for (let times = 0; times < 2000; times++) inbox.sink.ping()
    expect(told).toEqual(['terminate'])
  })

  test('breaks off a socket that floods it in spite of the pause', async () => {
    const { inbox, seen, told, listen } = opened()
    listen()
    put(inbox, 0, 200_000)
    expect(told).toEqual(['pause', 'terminate'])
    inbox.sink.closed(1000, '')
    while (seen.at(-1) !== brokenClose) await turn()
    await turn()
    expect(seen.filter((each) => typeof each === 'number')).toEqual([brokenClose])
  })
})
