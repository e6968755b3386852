import { expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import type { PriceLine } from '../../src/domain/model'
import type { Meter, Units } from '../../src/domain/usage'
import { price, vendorPrice } from '../../src/gateway/metering/price'
import { compileCard } from '../../src/gateway/metering/price-card'

const compiled = (lines: readonly PriceLine[]) =>
  compileCard({ version: '', validFrom: 0 as Ms, lines })
const each = (meter: Meter, usd: string): PriceLine => ({ meter, unit: 'each', price: usd })

test('a size without a cost of its own costs what the plain one does', () => {
  const card = compiled([each('image', '0.02')])
  const units: Units = { 'image:high 1024x1024': 2 }
  expect(vendorPrice(units, card)).toEqual({ amount: 40_000_000 as never, complete: false })
})

test('what the card does not know costs nothing that is known, and is told so', () => {
  const card = compiled([each('input', '0.1')])
  expect(vendorPrice({ input: 1, image: 3 }, card)).toEqual({
    amount: 100_000_000 as never,
    complete: false,
  })
  expect(vendorPrice({ input: 1, cached_input: 1 }, card)).toEqual({
    amount: 200_000_000 as never,
    complete: true,
  })
  expect(vendorPrice({ input: Number.NaN }, card)).toBeNull()
  expect(vendorPrice({ input: Number.MAX_VALUE }, card)?.amount).toBe(
    Number.MAX_SAFE_INTEGER as never,
  )
})

/** Deterministic chance: a failure can be repeated. */
function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const meters = ['input', 'cached_input', 'output', 'output_audio'] as const
/** Millionths of a dollar, as dollars. */
const usdOf = (millionths: number): string =>
  `${Math.floor(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, '0')}`

test('a hundred thousand calls over random cards are charged and cost exactly', () => {
  const next = chance(20_261_122)
  const cards = Array.from({ length: 50 }, () => {
    const prices = meters.map(() => next(90_000_000))
    const above = next(2) === 0 ? null : { inputAbove: next(3000), times: 2 + next(3) }
    const lines = meters.flatMap((meter, at): PriceLine[] => {
      const line = { meter, unit: 'million', price: usdOf(prices[at] ?? 0) } as const
      if (above === null) return [line]
      const { inputAbove, times } = above
      const dearer = usdOf((prices[at] ?? 0) * times)
      return [line, { ...line, price: dearer, when: { inputAbove } }]
    })
    return { prices, above, card: compiled(lines) }
  })
  let [charged, billed, expectedCharge, expectedBill] = [0n, 0n, 0n, 0n]
  for (let call = 0; call < 100_000; call++) {
    const [sale, cost] = [cards[next(50)], cards[next(50)]]
    if (sale === undefined || cost === undefined) throw new Error('no card')
    const counts = meters.map(() => next(2000))
    const units = Object.fromEntries(meters.map((meter, at) => [meter, counts[at] ?? 0]))
    charged += BigInt(price(units, sale.card))
    billed += BigInt(vendorPrice(units, cost.card)?.amount ?? 0)
    const exactly = ({ prices, above }: typeof sale) => {
      const times =
        above !== null && (counts[0] ?? 0) + (counts[1] ?? 0) > above.inputAbove ? above.times : 1
      const sum = counts.reduce(
        (all, count, at) => all + BigInt(count * (prices[at] ?? 0) * times),
        0n,
      )
      // Nano-dollars for a million units, rounded up once to whole ones.
      return (sum * 1000n + 999_999n) / 1_000_000n
    }
    expectedCharge += exactly(sale)
    expectedBill += exactly(cost)
  }
  expect([charged, billed]).toEqual([expectedCharge, expectedBill])
})
