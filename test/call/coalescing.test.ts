import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { openCoalescing, type Coalescing } from '../../src/call/coalescing'
import { openSource } from '../../src/outbound/open-source'

const bytesOf = (text: string) => Buffer.from(text)

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
    end: () => sink.end(),
    fail: () => sink.fail(new Error('broken')),
  }
}

test('the first piece goes on at once, those that follow closely go on together', async () => {
  const { say, pieces } = flowing(openCoalescing(() => 20))
  for (const text of ['a', 'b', 'c']) say(text)
  expect(pieces).toEqual(['a'])
  await Bun.sleep(30)
  expect(pieces).toEqual(['a', 'bc'])
})

test('after a quiet moment a piece does not wait', async () => {
  const { say, pieces } = flowing(openCoalescing(() => 10))
  say('a')
  await Bun.sleep(40)
  say('b')
  expect(pieces).toEqual(['a', 'b'])
})

test('an end waits for nothing, and nothing is lost before it', () => {
  const coalescing = openCoalescing(() => 1000)
  const ended = flowing(coalescing)
  const broken = flowing(coalescing)
  for (const { say } of [ended, broken]) {
    say('a')
    say('b')
  }
  ended.end()
  broken.fail()
  expect(ended.pieces).toEqual(['a', 'b', '(end)'])
  expect(broken.pieces).toEqual(['a', 'b', '(broken)'])
})

test('with no time to wait every piece goes on as it comes', () => {
  const { say, pieces, paused } = flowing(openCoalescing(() => 0))
  for (const text of ['a', 'b', 'c']) say(text)
  expect(pieces).toEqual(['a', 'b', 'c'])
  expect(paused()).toBe(false)
})

test('much is passed on without waiting', () => {
  const { say, pieces } = flowing(openCoalescing(() => 1000))
  const large = 'x'.repeat(5000)
  for (let at = 0; at < 4; at++) say(large)
  expect(pieces.map((each) => each.length)).toEqual([5000, 5000, 5000])
})

test('a fast stream is read once between two ticks, and all that one read brings goes on together', async () => {
  const { say, pieces, paused, end } = flowing(openCoalescing(() => 20))
  say('a')
  say('b')
  await until(paused)
  expect(pieces).toEqual(['a', 'b'])
  await until(() => !paused())
  say('c')
  say('d')
  expect(pieces).toEqual(['a', 'b'])
  await Bun.sleep(0)
  expect(pieces).toEqual(['a', 'b', 'cd'])
  expect(paused()).toBe(true)
  await until(() => !paused())
  say('e')
  end()
  expect(pieces).toEqual(['a', 'b', 'cd', 'e', '(end)'])
  // Its connection serves others now.
  await Bun.sleep(50)
  expect(paused()).toBe(false)
})

test('whoever has enough is not woken by a tick', async () => {
  const { say, coalesced, paused } = flowing(openCoalescing(() => 5))
  say('a')
  say('b')
  await until(paused)
  coalesced.pause()
  await Bun.sleep(40)
  expect(paused()).toBe(true)
  coalesced.resume()
  await until(() => !paused())
})

test('a fast stream passes each piece at once when none may wait any more', async () => {
  let ms = 10
  const { say, pieces, paused } = flowing(openCoalescing(() => ms))
  say('a')
  say('b')
  await until(paused)
  ms = 0
  await until(() => !paused())
  say('c')
  say('d')
  expect(pieces).toEqual(['a', 'b', 'c', 'd'])
})

test('one stream does not wait for another', async () => {
  const coalescing = openCoalescing(() => 20)
  const fast = flowing(coalescing)
  const slow = flowing(coalescing)
  for (let at = 0; at < 20; at++) {
    fast.say('.')
    if (at % 10 === 5) slow.say('-')
    await Bun.sleep(5)
  }
  await Bun.sleep(50)
  expect(fast.pieces.join('')).toBe('.'.repeat(20))
  expect(fast.pieces.length).toBeLessThan(15)
  expect(slow.pieces).toEqual(['-', '-'])
})

test('whatever the pieces, their bytes come out in order though what they lay in is written over', async () => {
  const coalescing = openCoalescing(() => 1)
  const piece = fc.record({ bytes: fc.uint8Array({ maxLength: 6000 }), waits: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
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

async function until(holds: () => boolean): Promise<void> {
  const last = performance.now() + 2000
  while (!holds()) {
    if (performance.now() > last) throw new Error('it never came')
    await Bun.sleep(1)
  }
}
