import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { MemoryBudgetExceeded, openMemoryBudget } from '../../src/domain/memory-budget'
import { Frames } from '../../src/gateway/formats/frames'

const encoder = new TextEncoder()

/** The data of all events of these bytes, pushed in these pieces. */
function read(bytes: Uint8Array, cuts: readonly number[]): string[] {
  const frames = new Frames()
  const ends = [...cuts, bytes.length]
  let from = 0
  const data = ends.flatMap((to) => {
    const events = frames.push(bytes.subarray(from, to))
    from = to
    return [...events]
  })
  return [...data, ...frames.end()]
}

const lineEnds = [
  ['line feeds', '\n'],
  ['carriage returns and line feeds', '\r\n'],
] as const

describe('events', () => {
  test.each(lineEnds)('that end in %s are found wherever they are cut', (_, end) => {
    const events = ['{"a":1}', '{"b":"سلام 🌍"}', '[DONE]']
    const text = [': hello', '', ...events.flatMap((one) => [`event: x`, `data: ${one}`, ''])]
    const bytes = encoder.encode(`${text.join(end)}${end}`)
    for (let first = 0; first <= bytes.length; first++)
      for (let second = first; second <= Math.min(bytes.length, first + 4); second++)
        expect(read(bytes, [first, second])).toEqual(events)
    const every = Array.from({ length: bytes.length - 1 }, (_gap, at) => at + 1)
    expect(read(bytes, every)).toEqual(events)
  })
})

test.each([
  ['error: {"code":500,"message":"failed"}', '{"error":{"code":500,"message":"failed"}}'],
  ['error: failed', '{"error":"failed"}'],
  ['event: x\nerror: failed', '{"error":"failed"}'],
  ['data: {"a":1}\nerror: failed', '{"a":1}'],
])('an error in a field of its own is an event: %j', (field, data) => {
  expect(read(encoder.encode(`data: 1\n\n${field}\n\n`), [3, 15])).toEqual(['1', data])
})

test('any events come out the same in any pieces, with any line ends', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 6 }),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.nat(400), { maxLength: 20 }),
      (said, end, cuts) => {
        const events = said.map((one) => JSON.stringify(one))
        const bytes = encoder.encode(events.map((one) => `data: ${one}${end}${end}`).join(''))
        const sorted = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)
        expect(read(bytes, sorted)).toEqual(events)
      },
    ),
  )
})

describe('a large event', () => {
  const said = 'x'.repeat(100_000)
  const pushed = (frames: Frames, text: string, size: number): string[] => {
    const found: string[] = []
    const bytes = encoder.encode(text)
    for (let at = 0; at < bytes.length; at += size)
      found.push(...frames.push(bytes.subarray(at, at + size)))
    return found
  }

  test.each([1, 7, 8192, 1_000_000])('comes out whole from pieces of %p bytes', (size) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const events = [`{"a":"${said}"}`, `{"b":"${said} سلام"}`, 'short']
      const text = events.map((each) => `event: e${end}data: ${each}${end}${end}`).join('')
      const frames = new Frames()
      expect([...pushed(frames, text, size), ...frames.end()]).toEqual(events)
    }
  })

  test('is one event of many lines', () => {
    const frames = new Frames()
    expect(pushed(frames, `${'data: [\ndata:]\n'.repeat(20_000)}\n`, 8192)).toEqual([
      '[\n]\n'.repeat(20_000).slice(0, -1),
    ])
    expect(() => pushed(frames, `${'data:a\n'.repeat(100_001)}\n`, 8192)).toThrow('lines')
  })

  test('beyond all bounds breaks the stream, and what it took is given back', () => {
    const memory = openMemoryBudget(8_000_000)
    const frames = new Frames({ maxEventBytes: 4_000_000, maxTextBytes: 4_000_000, memory })
    pushed(frames, `data: ${'x'.repeat(3_900_000)}`, 8192)
    expect(memory.reservedBytes()).toBeGreaterThan(2_000_000)
    expect(() => pushed(frames, 'x'.repeat(200_000), 8192)).toThrow('larger')
    expect(memory.reservedBytes()).toBe(0)
  })

  test('may have 64 MB of base64, and 8 MB of anything else', () => {
    const event = (content: string) => `data: {"image":"${content}"}\n\n`
    const picture = 'iVBO/w0KGg+='.repeat(1_700_000)
    expect(pushed(new Frames(), event(picture), 8192)).toHaveLength(1)
    expect(pushed(new Frames(), event(picture.replaceAll('/', '\\/')), 8192)).toHaveLength(1)
    const text = 'some words '.repeat(700_000)
    expect(pushed(new Frames(), event(text), 8192)).toHaveLength(1)
    expect(() => pushed(new Frames(), event(text + text), 8192)).toThrow('larger')
  })

  test('may be far behind another, but not behind a megabyte of comments', () => {
    const comments = ': still thinking\n\n'.repeat(50_000)
    const frames = new Frames()
    expect(pushed(frames, `${comments}data: a\n\n${comments}data: b\n\n`, 8192)).toEqual(['a', 'b'])
    expect(() => pushed(frames, comments + comments, 8192)).toThrow('without an event')
  })

  test.each([
    [
      'when it is complete and was passed on',
      (frames: Frames) => {
        frames.push(encoder.encode('\n\n'))
        frames.passed()
      },
    ],
    ['when the stream ends', (frames: Frames) => frames.end()],
    ['when nobody wants it any more', (frames: Frames) => frames.release()],
  ])('gives its memory back %s', (_, over) => {
    const memory = openMemoryBudget(8_000_000)
    const frames = new Frames({ maxEventBytes: 4_000_000, maxTextBytes: 4_000_000, memory })
    pushed(frames, `data: ${'x'.repeat(3_000_000)}`, 65_536)
    expect(memory.reservedBytes()).toBeGreaterThan(0)
    over(frames)
    expect(memory.reservedBytes()).toBe(0)
  })

  test('is refused where there is no memory for it', () => {
    const memory = openMemoryBudget(2_000_000)
    const frames = new Frames({ maxEventBytes: 67_108_864, maxTextBytes: 67_108_864, memory })
    expect(() => pushed(frames, 'x'.repeat(4_000_000), 65_536)).toThrow(MemoryBudgetExceeded)
    expect(memory.reservedBytes()).toBe(0)
  })
})
