import { and, desc, eq, lt } from 'drizzle-orm'
import type { Clock } from '../../domain/clock'
import { systemPaymentId } from '../../domain/ids'
import type { PaymentStore } from './contract'
import { coinRates, payments } from '../../storage/schema'
import { refuseClosed } from '../accounts/refuse-closed-sql'
import type { Connection } from '../../storage/sqlite/connection'
import { openNewestRates } from './latest-rates-query'
import { openPayRow, paymentOf } from './credit-payment-sql'
import type { Rows } from '../../storage/sqlite/sync-store'

/** Payments and rates, as rows. */
export function openPaymentRows(connection: Connection, clock: Clock): Rows<PaymentStore> {
  const { orm, transaction } = connection
  const payRow = openPayRow(connection, clock)
  const newestRates = openNewestRates(connection)
  const rateNow = () => newestRates(1)[0] ?? null

  return {
    rate: rateNow,
    rates: newestRates,
    setRate: (rate, by) =>
      transaction(() => {
        const row = { rate, validFrom: clock.now(), by }
        const { id } = orm.insert(coinRates).values(row).returning({ id: coinRates.id }).get()
        return { ...row, id }
      }, 'durable'),
    list: ({ account, before = null, most }) =>
      orm
        .select()
        .from(payments)
        .where(
          and(
            account === null ? undefined : eq(payments.account, account),
            before === null ? undefined : lt(payments.id, before),
          ),
        )
        .orderBy(desc(payments.id))
        .limit(most)
        .all()
        .map(paymentOf),
    pay: (paying, amountAt) =>
      transaction(() => {
        const before = payRow.earlier(paying)
        if (before !== null) return before
        refuseClosed(connection, paying.account)
        const rate = paying.rate ?? rateNow()?.rate
        if (rate === undefined)
          throw new RangeError('there is no rate of coins yet: set one with chapar rate set')
        const { account, coins, reference, by } = paying
        const id = systemPaymentId()
        const amount = amountAt(rate)
        return payRow.write({ id, account, coins, rate, amount, reference, by })
      }, 'durable'),
  }
}
