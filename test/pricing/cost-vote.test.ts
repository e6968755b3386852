import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { PriceLine } from '../../src/domain/model'
import type { Meter } from '../../src/domain/usage'
import { costVote, type PriceSource } from '../../src/business/pricing/cost-vote'
import { movesWithin } from '../../src/business/pricing/price-move'

const line = (meter: Meter, price: string, inputAbove?: number): PriceLine => ({
  meter,
  unit: 'million',
  price,
  ...(inputAbove === undefined ? {} : { when: { inputAbove } }),
})
const held = [line('input', '2'), line('output', '8')]
const voice = (source: string, ...prices: PriceSource['prices']): PriceSource => ({
  source,
  prices,
})
const moved = (...voices: readonly PriceSource[]) =>
  costVote(held, voices).moved.map(
    ({ meter, agree, differ }) => `${meter} ${agree.join('+')} not ${differ.join('+')}`,
  )

describe('sources of a cost', () => {
  test('change nothing by telling what is on record, however it is written', () => {
    const same = voice('a', line('input', '2.0'), { ...line('output', '0.000008'), unit: 'each' })
    expect(costVote(held, [same])).toEqual({ lines: null, moved: [], doubts: [] })
    expect(costVote(held, [])).toEqual({ lines: null, moved: [], doubts: [] })
  })

  test('decide by how many tell the same; of as many the first does', () => {
    const [old, risen] = [line('input', '2'), line('input', '3')]
    expect(moved(voice('a', risen), voice('b', old))).toEqual(['input a not b'])
    expect(moved(voice('b', old), voice('a', risen))).toEqual([])
    expect(moved(voice('b', old), voice('a', risen), voice('c', risen))).toEqual([
      'input a+c not b',
    ])
  })

  test('leave a price alone that none of them tells', () => {
    expect(costVote(held, [voice('a', line('input', '3'))]).lines).toEqual([
      line('input', '3'),
      line('output', '8'),
    ])
  })

  test('add a price that two of them tell, or the first to know the model', () => {
    const cached = line('cached_input', '1')
    expect(moved(voice('a', line('input', '2')), voice('b', cached))).toEqual([])
    expect(moved(voice('a', line('input', '2'), cached))).toEqual(['cached_input a not '])
    expect(moved(voice('x', line('input', '2')), voice('a', cached), voice('b', cached))).toEqual([
      'cached_input a+b not ',
    ])
    const above = line('input', '4', 200_000)
    expect(costVote(held, [voice('a', above)]).lines).toContainEqual(above)
  })

  test('never add a size, and one price for all sizes moves none', () => {
    const second = (meter: Meter, price: string): PriceLine => ({ meter, unit: 'each', price })
    const sized = [second('video_second:1280x720', '0.1'), second('video_second:1920x1080', '0.3')]
    const plain = voice('a', second('video_second', '0.2'))
    expect(costVote(sized, [plain]).lines).toBeNull()
    const cheaper = voice('b', second('video_second:1280x720', '0.05'))
    expect(costVote(sized, [plain, cheaper]).moved).toHaveLength(1)
    const confirming = voice('a', second('video_second', '0.1'))
    expect(costVote(sized, [confirming, cheaper]).lines).toBeNull()
  })

  test.each([
    ['a negative price', { ...line('input', '1'), price: null }, 'no price'],
    ['nothing for what had a price', line('output', '0'), 'zero'],
    ['a billion dollars', line('cached_input', '1000000000'), 'too high'],
    ['cents for dollars', line('input', '200'), 'too far from what it was'],
    ['thousands for millions', line('output', '0.008'), 'too far from what it was'],
  ] as const)('are not believed with %s, nor in anything else of the model', (_, odd, reason) => {
    const verdict = costVote(held, [voice('a', line('input', '3'), odd)])
    expect(verdict.lines).toBeNull()
    expect(verdict.doubts.map((doubt) => doubt.reason)).toContain(reason)
    expect(moved(voice('a', line('input', '3'), odd), voice('b', line('input', '3')))).toEqual([
      'input b not ',
    ])
  })

  test('a zero for a cache is a gap', () => {
    const verdict = costVote(held, [voice('a', line('input', '3'), line('cached_input', '0'))])
    expect(verdict.moved.map(({ meter }) => meter)).toEqual(['input'])
  })
})

test('a move is within a share exactly up to it', () => {
  const of = (price: string) => [line('input', price)]
  expect(movesWithin(of('10'), of('13'), 30)).toBe(true)
  expect(movesWithin(of('10'), of('13.000000001'), 30)).toBe(false)
  expect(movesWithin(of('10'), of('6.9'), 30)).toBe(false)
  // A cache read was billed as input before.
  const cached = [...of('10'), line('cached_input', '1')]
  expect(movesWithin(of('10'), cached, 30)).toBe(false)
  expect(movesWithin(of('10'), [...of('10'), line('input', '14', 100)], 30)).toBe(false)
  expect(movesWithin(of('10'), [...of('10'), line('output', '1')], 30)).toBe(false)
})

test('no price of a card goes away, and none becomes what nobody told', () => {
  const meters: readonly Meter[] = ['input', 'output', 'cached_input', 'input_audio']
  const price = fc.integer({ min: 0, max: 300 }).map((cents) => String(cents / 100))
  const lines = fc
    .dictionary(fc.constantFrom(...meters), price, { minKeys: 1 })
    .map((prices) => Object.entries(prices).map(([meter, each]) => line(meter as Meter, each)))
  const told = fc.array(lines, { maxLength: 3 })
  fc.assert(
    fc.property(lines, told, (before, all) => {
      const { lines: after } = costVote(
        before,
        all.map((prices, at) => voice(String(at), ...prices)),
      )
      if (after === null) return
      for (const { meter } of before) expect(after.some((each) => each.meter === meter)).toBe(true)
      for (const each of after) expect([...before, ...all.flat()]).toContainEqual(each)
    }),
  )
})
