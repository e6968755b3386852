import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { openRouteOrder } from '../../src/gateway/catalogue/route-order'
import type { Ticks } from '../../src/domain/clock'
import type { Route } from '../../src/domain/model'
import { route } from './entries'

function opened(draws: readonly number[] = [0.5]) {
  let now = 1_000_000
  let drawn = 0
  const order = openRouteOrder(
    { ticks: () => now as Ticks },
    () => draws[drawn++ % draws.length] ?? 0.5,
  )
  return {
    ...order,
    names: (routes: readonly Route[]) => order.order(routes).map(({ vendor }) => vendor),
    later: (ms: number) => (now += ms),
  }
}
const [a, b, c] = [route('a'), route('b', 'm', { priority: 1 }), route('c', 'm', { priority: 2 })]

describe('the order of routes', () => {
  test('leaves a single route as it is, without a copy', () => {
    const { order, failed } = opened()
    const one = [a]
    expect(order(one)).toBe(one)
    failed(a, null)
    expect(order(one)).toBe(one)
    expect(order([])).toEqual([])
  })

  test('is by priority', () => {
    expect(opened([0.1, 0.5, 0.9]).names([c, a, b])).toEqual(['a', 'b', 'c'])
  })

  test('is by weighted chance among equals', () => {
    let seed = 7
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    const { order } = openRouteOrder({ ticks: () => 0 as Ticks }, random)
    const routes = [route('one', 'm', { weight: 1 }), route('three', 'm', { weight: 3 })]
    let three = 0
    for (let i = 0; i < 8000; i++) if (order(routes)[0]?.vendor === 'three') three++
    expect(three / 8000).toBeGreaterThan(0.73)
    expect(three / 8000).toBeLessThan(0.77)
  })

  test('puts a failed route last until it has cooled', () => {
    const { names, failed, later } = opened()
    failed(a, null)
    expect(names([a, b])).toEqual(['b', 'a'])
    later(999)
    expect(names([a, b])).toEqual(['b', 'a'])
    later(1)
    expect(names([a, b])).toEqual(['a', 'b'])
  })

  test('doubles the wait with each failure, up to a minute', () => {
    const { names, failed, later } = opened()
    for (const waitMs of [1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1000)) {
      failed(a, null)
      later(waitMs - 1)
      expect(names([a, b])).toEqual(['b', 'a'])
      later(1)
      expect(names([a, b])).toEqual(['a', 'b'])
    }
  })

  test('counts calls that fail together as one failure', () => {
    const { names, failed, later } = opened()
    for (let call = 0; call < 64; call++) failed(a, null)
    later(1000)
    expect(names([a, b])).toEqual(['a', 'b'])
  })

  test('waits as long as the vendor asked, be it more or less than our own guess', () => {
    const { names, failed, later } = opened()
    failed(a, 90)
    later(89_999)
    expect(names([a, b])).toEqual(['b', 'a'])
    later(1)
    expect(names([a, b])).toEqual(['a', 'b'])
    for (let failure = 0; failure < 5; failure++) {
      failed(a, null)
      later(60_000)
    }
    failed(a, 2)
    later(2000)
    expect(names([a, b])).toEqual(['a', 'b'])
  })

  test('does not wait for ever when the vendor asks for it, nor shorten a longer wait', () => {
    const { names, failed, later } = opened()
    failed(a, Infinity)
    failed(a, null)
    later(3_599_999)
    expect(names([a, b])).toEqual(['b', 'a'])
    later(1)
    expect(names([a, b])).toEqual(['a', 'b'])
  })

  test('forgets failures at the first success', () => {
    const { names, failed, succeeded, later } = opened()
    failed(a, null)
    later(1000)
    failed(a, null)
    succeeded(a)
    expect(names([a, b])).toEqual(['a', 'b'])
    failed(a, null)
    later(1000)
    expect(names([a, b])).toEqual(['a', 'b'])
  })

  test('tries all when all are cooling, the soonest first', () => {
    const { names, failed } = opened()
    failed(a, 30)
    failed(b, 10)
    failed(c, 20)
    expect(names([a, b, c])).toEqual(['b', 'c', 'a'])
  })

  test('cools one model of a vendor, not the vendor', () => {
    const { order, failed } = opened()
    failed(route('a', 'broken'), null)
    expect(order([route('a', 'sound'), b])[0]?.vendorModel).toBe('sound')
  })

  test('any order holds every route exactly once, cooled ones behind the others', () => {
    const routes: fc.Arbitrary<Route[]> = fc.uniqueArray(
      fc.record({
        vendor: fc.constantFrom('a', 'b', 'c', 'd'),
        vendorModel: fc.constantFrom('m', 'n'),
        priority: fc.integer({ min: 0, max: 2 }),
        weight: fc.integer({ min: 0, max: 5 }),
      }),
      { selector: ({ vendor, vendorModel }) => `${vendor} ${vendorModel}` },
    )
    const draws = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1 })
    fc.assert(
      fc.property(routes, fc.array(fc.nat(7)), draws, (routes, failing, draws) => {
        const { order, failed } = opened(draws)
        const cooled = new Set(failing.flatMap((at) => routes[at] ?? []))
        for (const each of cooled) failed(each, null)
        const ordered = order(routes)
        expect(new Set(ordered)).toEqual(new Set(routes))
        expect(ordered.length).toBe(routes.length)
        if (routes.length < 2) return
        const sound = ordered.filter((each) => !cooled.has(each))
        expect(ordered.slice(0, sound.length)).toEqual(sound)
        expect(sound.map(({ priority }) => priority)).toEqual(
          sound.map(({ priority }) => priority).toSorted((x, y) => x - y),
        )
      }),
    )
  })
})

describe('calls that are alike', () => {
  const routes = [
    route('one', 'm', { weight: 1 }),
    route('two', 'm', { weight: 2 }),
    route('three', 'm', { weight: 3 }),
  ]
  const likeness = (prompt: number) => Bun.hash.wyhash(`prompt ${prompt}`, 7n)
  const prompts = Array.from({ length: 6000 }, (_, index) => likeness(index))
  /** Chance would end every test here. */
  const sticky = () => {
    let now = 1000
    const order = openRouteOrder({ ticks: () => now as Ticks }, () => {
      throw new Error('left to chance')
    })
    return { ...order, later: (ms: number) => (now += ms) }
  }
  const firsts = (order: ReturnType<typeof sticky>) =>
    prompts.map((each) => order.order(routes, each)[0]?.vendor ?? '')

  test('go the same way, and all of them together by weight', () => {
    const order = sticky()
    const chosen = firsts(order)
    expect(firsts(sticky())).toEqual(chosen)
    for (const [vendor, share] of [
      ['one', 1 / 6],
      ['two', 2 / 6],
      ['three', 3 / 6],
    ] as const) {
      const part = chosen.filter((each) => each === vendor).length / prompts.length
      expect(Math.abs(part - share)).toBeLessThan(0.025)
    }
  })

  test('leave a route that cools down, and nobody else moves; then they are back', () => {
    const order = sticky()
    const before = firsts(order)
    order.failed(routes[2] ?? route('x'), null)
    const during = firsts(order)
    expect(during).not.toContain('three')
    before.forEach((vendor, index) => {
      if (vendor !== 'three') expect(during[index]).toBe(vendor)
    })
    // Those that left are shared by weight too.
    const moved = during.filter((_, index) => before[index] === 'three')
    const two = moved.filter((vendor) => vendor === 'two').length / moved.length
    expect(Math.abs(two - 2 / 3)).toBeLessThan(0.05)
    order.later(1000)
    expect(firsts(order)).toEqual(before)
  })

  test('keep to priorities', () => {
    const late = route('late', 'm', { priority: 1, weight: 1000 })
    for (const each of prompts.slice(0, 200))
      expect(
        sticky()
          .order([late, ...routes], each)
          .at(-1),
      ).toBe(late)
  })
})

test('routes cool down together only when each of them does', () => {
  const { areCooling, failed, later } = opened()
  expect(areCooling([a, b])).toBe(false)
  failed(a, null)
  expect([areCooling([a, b]), areCooling([a])]).toEqual([false, true])
  failed(b, 5)
  expect(areCooling([a, b])).toBe(true)
  later(1000)
  expect(areCooling([a, b])).toBe(false)
})

test('the routes of a vendor that cools as a whole are all cooling, whatever they did', () => {
  const vendors = { coolingUntil: (vendor: string) => (vendor === 'a' ? (2 as Ticks) : null) }
  const { areCooling } = openRouteOrder({ ticks: () => 1 as Ticks }, () => 0.5, vendors)
  expect([areCooling([a]), areCooling([a, b]), areCooling([])]).toEqual([true, false, false])
})
