import { eq } from 'drizzle-orm'
import type { Clock } from '../../domain/clock'
import { systemNoticeId, type AccountId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'
import { paymentNotice } from '../notices/recipients/notices'
import { accounts } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openNoticeWriter } from '../../storage/sqlite/notice-writer'

/** What came in for an account, or did not. */
interface EndedMoney {
  readonly account: AccountId
  /** The payment, or the code that was redeemed. */
  readonly payment: string
  readonly amount: NanoUsd
}

/** Tells the people of an account how a payment ended, inside of the caller's transaction. */
export function openPaymentNotice(connection: Connection, clock: Clock) {
  const { orm } = connection
  const write = openNoticeWriter(connection)
  return (
    kind: 'payment_credited' | 'payment_refused',
    { account: id, payment, amount }: EndedMoney,
  ): void => {
    const account = orm
      .select({ id: accounts.id, name: accounts.name })
      .from(accounts)
      .where(eq(accounts.id, id))
      .limit(1)
      .get()
    if (account === undefined) return
    const stamp = { id: systemNoticeId(), created: clock.now() }
    write([paymentNotice(kind, { account, payment, amount }, stamp)])
  }
}
