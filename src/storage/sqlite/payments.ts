import { desc, eq, lte } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import { systemPaymentId, type PaymentId } from '../../domain/ids'
import type { CoinRate } from '../../payments/rate'
import type { Payment, PaymentStore } from '../../payments/store'
import { accounts, coinRates, payments } from '../schema'
import type { Connection } from './database'
import { openMoveMoney } from './move-money'
import type { Rows } from './store-rows'

/** Payments and rates, as rows. */
export function openPaymentRows(connection: Connection, clock: Clock): Rows<PaymentStore> {
  const { orm, transaction } = connection
  const moveMoney = openMoveMoney(connection, clock)
  const newestRates = (most: number): CoinRate[] =>
    orm
      .select()
      .from(coinRates)
      .where(lte(coinRates.validFrom, clock.now()))
      .orderBy(desc(coinRates.validFrom), desc(coinRates.id))
      .limit(most)
      .all()
      .map(({ rate, validFrom, by }) => ({ rate, validFrom: validFrom as Ms, by }))
  const rateNow = () => newestRates(1)[0] ?? null

  const paymentOf = ({ transfer: _, ...row }: typeof payments.$inferSelect): Payment => ({
    ...row,
    id: row.id as PaymentId,
    created: row.created as Ms,
  })
  const earlier = (reference: string): Payment | null => {
    const row = orm.select().from(payments).where(eq(payments.reference, reference)).limit(1).get()
    return row === undefined ? null : paymentOf(row)
  }
  const balanceOf = (id: Payment['account']) => {
    const row = orm
      .select({ balance: accounts.balance })
      .from(accounts)
      .where(eq(accounts.id, id))
      .limit(1)
      .get()
    if (row === undefined) throw new RangeError(`there is no account ${id}`)
    return row.balance
  }

  return {
    rate: rateNow,
    rates: newestRates,
    setRate: (rate, by) =>
      transaction(() => {
        const row = { rate, validFrom: clock.now(), by }
        orm.insert(coinRates).values(row).run()
        return row
      }, 'durable'),
    list: ({ account, most }) =>
      orm
        .select()
        .from(payments)
        .where(account === null ? undefined : eq(payments.account, account))
        .orderBy(desc(payments.id))
        .limit(most)
        .all()
        .map(paymentOf),
    pay: ({ account, coins, reference, by }, amountAt) =>
      transaction(() => {
        const before = earlier(reference)
        if (before !== null) {
          if (before.account !== account)
            throw new RangeError(`the reference ${reference} belongs to another account`)
          if (before.coins !== coins)
            throw new RangeError(`the reference ${reference} was counted with another amount`)
          return { payment: before, balance: balanceOf(account), repeated: true }
        }
        const now = rateNow()
        if (now === null)
          throw new RangeError('there is no rate of coins yet: set one with chapar rate set')
        const amount = amountAt(now.rate)
        const moved = moveMoney({ account, amount, kind: 'topup', reference, by })
        if (moved.repeated)
          throw new RangeError(`the reference ${reference} was counted as dollars`)
        const { rate } = now
        const id = systemPaymentId()
        const payment = { id, account, coins, rate, amount, reference, created: clock.now(), by }
        orm
          .insert(payments)
          .values({ ...payment, transfer: moved.transfer })
          .run()
        return { payment, balance: moved.balance, repeated: false }
      }, 'durable'),
  }
}
