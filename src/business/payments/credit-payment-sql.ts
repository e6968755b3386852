import { eq } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import type { AccountId, PaymentId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'
import type { Paid, Payment } from './contract'
import { accounts, payments } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openMoveMoney } from '../../ledger/store/transfers'

/** A payment in coins as it is written, with the rate that turns them into dollars. */
type PayingRow = Pick<Payment, 'id' | 'account' | 'coins' | 'rate' | 'amount' | 'reference' | 'by'>

/** What was written before under a reference, or is written now; and its transfer. */
interface PaidRow extends Paid {
  readonly transfer: number
}

export const paymentOf = ({ transfer: _, ...row }: typeof payments.$inferSelect): Payment => ({
  ...row,
  id: row.id as PaymentId,
  created: row.created as Ms,
})

/**
 * Moves the money of a payment in coins and keeps the payment, once per reference, inside of the
 * caller's transaction.
 * @throws RangeError
 */
export function openPayRow(connection: Connection, clock: Clock) {
  const { orm } = connection
  const moveMoney = openMoveMoney(connection, clock)
  const balanceOf = (id: AccountId): NanoUsd => {
    const row = orm
      .select({ balance: accounts.balance })
      .from(accounts)
      .where(eq(accounts.id, id))
      .limit(1)
      .get()
    if (row === undefined) throw new RangeError(`there is no account ${id}`)
    return row.balance
  }
  /** Counted before under this reference, and for the same; null where it was not. */
  const earlier = ({
    account,
    coins,
    reference,
  }: Pick<PayingRow, 'account' | 'coins' | 'reference'>): PaidRow | null => {
    const row = orm.select().from(payments).where(eq(payments.reference, reference)).limit(1).get()
    if (row === undefined) return null
    if (row.account !== account)
      throw new RangeError(`the reference ${reference} belongs to another account`)
    if (row.coins !== coins)
      throw new RangeError(`the reference ${reference} was counted with another amount`)
    const balance = balanceOf(account)
    return { payment: paymentOf(row), balance, repeated: true, transfer: row.transfer }
  }
  const write = (paying: PayingRow): PaidRow => {
    const { account, amount, reference, by } = paying
    const moved = moveMoney({ account, amount, kind: 'topup', reference, by })
    if (moved.repeated) throw new RangeError(`the reference ${reference} was counted as dollars`)
    const payment = { ...paying, created: clock.now() }
    const { transfer, balance } = moved
    orm
      .insert(payments)
      .values({ ...payment, transfer })
      .run()
    return { payment, balance, repeated: false, transfer }
  }
  return { earlier, write }
}
