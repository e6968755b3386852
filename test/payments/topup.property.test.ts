import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { minimumCoins, topUp } from '../../src/business/payments/coins'
import { parseRate } from '../../src/business/payments/rate'
import { customer, handClock, memoryStorage } from '../storage/folder'

type Step =
  | { readonly kind: 'rate'; readonly millionths: number }
  | {
      readonly kind: 'coins'
      readonly coins: number
      readonly account: number
      readonly repeat: boolean
    }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('rate' as const),
    millionths: fc.integer({ min: 1_000_000_000, max: 2_000_000_000_000 }),
  }),
  fc.record({
    kind: fc.constant('coins' as const),
    coins: fc.integer({ min: 1, max: 200_000_000 }),
    account: fc.nat(2),
    repeat: fc.boolean(),
  }),
)

const nanosPerUsd = 1_000_000_000n
const scale = 1_000_000n

test('any sequence of topups at changing rates gives balances that are the sums of what was locked, never more than the coins are worth', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const clock = handClock()
      const storage = memoryStorage(clock)
      const customers = await Promise.all([0, 1, 2].map(() => customer(storage)))
      const accounts = customers.map(({ account }) => account.id)
      const sums = new Map(accounts.map((id) => [id, 0n]))
      const seen = new Map<string, { coins: number; amount: number; rate: string }>()
      let millionths: bigint | null = null
      let count = 0
      for (const each of steps) {
        // Rates of the same millisecond follow one another, too.
        if (count++ % 2 === 0) clock.set(clock.now() + 1)
        if (each.kind === 'rate') {
          millionths = BigInt(each.millionths)
          await storage.payments.setRate(parseRate(String(each.millionths / 1_000_000)), 'test')
          continue
        }
        const account = accounts[each.account] ?? accounts[0]
        if (account === undefined) throw new Error('there are three')
        const { coins } = each
        const reference = `payment ${count}`
        const pay = () => topUp(storage.payments, { account, coins, reference, by: 'test' })
        if (coins < minimumCoins) {
          expect(pay()).rejects.toThrow('the minimum top-up is 50,000 local coins')
          continue
        }
        if (millionths === null) {
          expect(pay()).rejects.toThrow('no rate')
          continue
        }
        const { payment, repeated } = await pay()
        const amount = BigInt(payment.amount)
        expect(repeated).toBe(false)
        // As much as the coins are worth and not a nano-dollar more.
        const worth = BigInt(coins) * nanosPerUsd * scale
        expect(amount * millionths <= worth).toBe(true)
        expect((amount + 1n) * millionths > worth).toBe(true)
        sums.set(account, (sums.get(account) ?? 0n) + amount)
        seen.set(reference, payment)
        if (!each.repeat) continue
        await storage.payments.setRate('7000', 'test')
        millionths = 7000n * scale
        expect(await pay()).toMatchObject({ payment, repeated: true })
      }
      for (const [id, sum] of sums)
        expect(BigInt((await storage.directory.findAccount(id))?.balance ?? -1)).toBe(sum)
      expect(await storage.audit()).toMatchObject({ ok: true, transfers: seen.size })
      await storage.close()
    }),
    { numRuns: 60 },
  )
})
