import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { openFrames } from '../../src/formats/frames'

const encoder = new TextEncoder()

/** The data of all events of these bytes, pushed in these pieces. */
function read(bytes: Uint8Array, cuts: readonly number[]): string[] {
  const frames = openFrames()
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
