import { expect, spyOn, test } from 'bun:test'
import fc from 'fast-check'
import { openCpuShare, openCoalescing, type Coalescing } from '../../src/gateway/call/coalescing'
import { openSource } from '../../src/gateway/outbound/http1/open-source'
import { until } from '../support/pace'

const bytesOf = (text: string) => Buffer.from(text)

/** In a process that has little to do. */
const atEase = (intervalMs: () => number) => openCoalescing(intervalMs, () => 0)

/** So many pieces at once make a stream a fast one. */
const burst = 8

/** A source through which what is said flows, with all that comes out and all that it was told. */
function flowing(coalescing: Coalescing) {
  const pieces: string[] = []
  let paused = false
  const { source, sink } = openSource({
    pause: () => void (paused = true),
    resume: () => void (paused = false),
  })
  const coalesced = coalescing.of(source)
  coalesced.flow({
    data: (bytes) => void pieces.push(Buffer.from(bytes).toString()),
    end: () => void pieces.push('(end)'),
    fail: (cause) => void pieces.push(`(${cause.message})`),
  })
  return {
    pieces,
    coalesced,
    paused: () => paused,
    say: (text: string) => sink.data(bytesOf(text)),
    /** From here on its pieces are coalesced; those that made it fast are forgotten. */
    hurry() {
      for (let at = 0; at < burst; at++) sink.data(bytesOf('.'))
      pieces.length = 0
    },
    end: () => sink.end(),
    fail: () => sink.fail(new Error('broken')),
  }
}

test('pieces that come slowly go on at once, however many', () => {
  let ms = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => ms)
  const { say, pieces } = flowing(atEase(() => 20))
  for (let at = 0; at < 3 * burst; at++) {
    ms += 6
    say('.')
    expect(pieces.length).toBe(at + 1)
  }
  clock.mockRestore()
})

test('once they come fast they go on together', async () => {
  const { say, hurry, pieces } = flowing(atEase(() => 20))
  hurry()
  for (const text of ['a', 'b', 'c']) say(text)
  expect(pieces).toEqual([])
  await until(() => pieces.length > 0)
  expect(pieces).toEqual(['abc'])
})

test.each([
  ['passes at once while the process is at ease', 0.2, false],
  ['is coalesced while it is busy', 0.9, true],
])('a stream of a hundred a second %s', (_, share, coalesced) => {
  let ms = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => ms)
  const { say, end, pieces } = flowing(
    openCoalescing(
      () => 20,
      () => share,
    ),
  )
  for (let at = 0; at < burst; at++) {
    ms += 10
    say('.')
  }
  clock.mockRestore()
  expect(pieces.length).toBe(burst)
  say('x')
  expect(pieces.length).toBe(coalesced ? burst : burst + 1)
  end()
})

test('after a quiet moment a piece does not wait', async () => {
  const { say, hurry, pieces } = flowing(atEase(() => 10))
  hurry()
  say('a')
  await until(() => pieces.length > 0)
  await Bun.sleep(40)
  say('b')
  expect(pieces).toEqual(['a', 'b'])
})

test('a stream that becomes slower than it is worth is coalesced no longer', async () => {
  const { say, hurry, pieces, paused } = flowing(atEase(() => 20))
  hurry()
  // One piece a tick is 50 a second, which is below the pace that pays.
  const waits = () => (say('.'), !pieces.includes('.'))
  for (let tries = 0; waits(); tries++) {
    if (tries > 50) throw new Error('it still waits')
    await until(() => pieces.length > 0 && !paused())
    pieces.length = 0
  }
  expect(pieces).toEqual(['.'])
})

test('an end waits for nothing, and nothing is lost before it', () => {
  const coalescing = atEase(() => 1000)
  const ended = flowing(coalescing)
  const broken = flowing(coalescing)
  for (const { say, hurry } of [ended, broken]) {
    hurry()
    say('a')
  }
  ended.end()
  broken.fail()
  expect(ended.pieces).toEqual(['a', '(end)'])
  expect(broken.pieces).toEqual(['a', '(broken)'])
})

test('with no time to wait every piece goes on as it comes', () => {
  const { say, hurry, pieces, paused } = flowing(atEase(() => 0))
  hurry()
  for (const text of ['a', 'b', 'c']) say(text)
  expect(pieces).toEqual(['a', 'b', 'c'])
  expect(paused()).toBe(false)
})

test('much is passed on without waiting', () => {
  const { say, hurry, pieces } = flowing(atEase(() => 1000))
  hurry()
  const large = 'x'.repeat(5000)
  for (let at = 0; at < 4; at++) say(large)
  expect(pieces.map((each) => each.length)).toEqual(
    [5000, 5000, 5000, 5000].slice(0, pieces.length),
  )
  expect(pieces.length).toBeGreaterThan(1)
})

test('a fast stream is read once between two ticks, and all that one read brings goes on together', async () => {
  const { say, hurry, pieces, paused, end } = flowing(atEase(() => 20))
  hurry()
  say('a')
  await until(paused)
  expect(pieces).toEqual(['a'])
  await until(() => !paused())
  say('c')
  say('d')
  expect(pieces).toEqual(['a'])
  await Bun.sleep(0)
  expect(pieces).toEqual(['a', 'cd'])
  expect(paused()).toBe(true)
  await until(() => !paused())
  say('e')
  end()
  expect(pieces).toEqual(['a', 'cd', 'e', '(end)'])
  // Its connection serves others now.
  await Bun.sleep(50)
  expect(paused()).toBe(false)
})

test('whoever has enough is not woken by a tick', async () => {
  const { say, hurry, coalesced, paused } = flowing(atEase(() => 5))
  hurry()
  say('a')
  await until(paused)
  coalesced.pause()
  await Bun.sleep(100)
  expect(paused()).toBe(true)
  coalesced.resume()
  await until(() => !paused())
})

test('a fast stream passes each piece at once when none may wait any more', async () => {
  let ms = 10
  const { say, hurry, pieces, paused } = flowing(atEase(() => ms))
  hurry()
  say('a')
  await until(paused)
  ms = 0
  await until(() => !paused())
  say('c')
  say('d')
  expect(pieces).toEqual(['a', 'c', 'd'])
})

test('one stream does not wait for another', async () => {
  const coalescing = atEase(() => 20)
  const fast = flowing(coalescing)
  const slow = flowing(coalescing)
  fast.hurry()
  fast.say('a')
  slow.say('b')
  expect(fast.pieces).toEqual([])
  expect(slow.pieces).toEqual(['b'])
})

test('whatever the pieces, their bytes come out in order though what they lay in is written over', async () => {
  const coalescing = atEase(() => 1)
  const waits = fc.integer({ max: 9, min: 0 }).map((at) => at === 0)
  const piece = fc.record({ bytes: fc.uint8Array({ maxLength: 6000 }), waits })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
      const came: Buffer[] = []
      let over = false
      const { source, sink } = openSource({ pause() {}, resume() {} })
      coalescing.of(source).flow({
        data: (bytes) => void came.push(Buffer.from(bytes)),
        end: () => void (over = true),
        fail() {},
      })
      const lent = new Uint8Array(6000)
      for (const { bytes, waits } of pieces) {
        lent.set(bytes)
        sink.data(lent.subarray(0, bytes.byteLength))
        lent.fill(0)
        if (waits) await Bun.sleep(2)
      }
      sink.end()
      expect(over).toBe(true)
      expect(Buffer.concat(came)).toEqual(Buffer.concat(pieces.map(({ bytes }) => bytes)))
    }),
    { numRuns: 60 },
  )
})

test('the share of a core is of the last half second', () => {
  let [ms, cpu] = [0, 0]
  const share = openCpuShare(
    () => ms,
    () => cpu,
  )
  ;[ms, cpu] = [499, 499]
  expect(share()).toBe(0)
  ;[ms, cpu] = [1000, 800]
  expect(share()).toBe(0.8)
  ;[ms, cpu] = [2000, 800]
  expect(share()).toBe(0)
})
