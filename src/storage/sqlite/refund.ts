import type { Clock } from '../../domain/clock'
import { nanoUsd } from '../../domain/money'
import type { Refund } from '../../domain/video-job'
import { houseAccounts } from '../house'
import type { Connection } from './database'

/**
 * Gives the charge of a call back, whole and once, inside of the caller's transaction.
 * @returns the number of the transfer
 * @throws Error from the database when it was given back before
 */
export function openRefund({ raw }: Connection, clock: Clock): (refund: Refund) => number {
  const transfer = raw.prepare(`
    INSERT INTO transfers (debit, credit, amount, kind, reference, created)
    VALUES (${houseAccounts.revenue}, ?, ?, 'refund', ?, ?)`)
  const move = raw.prepare<{ balance: number }, [number, number]>(
    'UPDATE accounts SET balance = balance + ? WHERE id = ? RETURNING balance',
  )
  // From here on a fall below the floor can be told again.
  const recover = raw.prepare(`
    UPDATE notices SET recovered = ? WHERE subject = ? AND kind = 'balance_floor' AND period = ''
      AND threshold = 0 AND "limit" <= ? AND recovered IS NULL`)

  return ({ request, account, amount }) => {
    const time = clock.now()
    const { lastInsertRowid } = transfer.run(account, amount, request, time)
    move.get(-amount, houseAccounts.revenue)
    const row = move.get(amount, account)
    if (row === null) throw new Error(`no account ${account}`)
    recover.run(time, account, nanoUsd(row.balance))
    return Number(lastInsertRowid)
  }
}
