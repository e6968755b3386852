import type { Clock } from '../../domain/clock'
import { nanoUsd } from '../../domain/money'
import type { Refund } from '../../domain/video-job'
import { houseAccounts } from '../house'
import type { Connection } from './database'
import { openFloorRecovery } from './floor-recovery'

/**
 * Gives the charge of a call back, whole and once, inside of the caller's transaction.
 * @returns the number of the transfer
 * @throws Error from the database when it was given back before
 */
export function openRefund(connection: Connection, clock: Clock): (refund: Refund) => number {
  const { raw } = connection
  const transfer = raw.prepare(`
    INSERT INTO transfers (debit, credit, amount, kind, reference, created)
    VALUES (${houseAccounts.revenue}, ?, ?, 'refund', ?, ?)`)
  const move = raw.prepare<{ balance: number }, [number, number]>(
    'UPDATE accounts SET balance = balance + ? WHERE id = ? RETURNING balance',
  )
  const recoverFloors = openFloorRecovery(connection)

  return ({ request, account, amount }) => {
    const time = clock.now()
    const { lastInsertRowid } = transfer.run(account, amount, request, time)
    move.get(-amount, houseAccounts.revenue)
    const row = move.get(amount, account)
    if (row === null) throw new Error(`no account ${account}`)
    recoverFloors(account, nanoUsd(row.balance), time)
    return Number(lastInsertRowid)
  }
}
