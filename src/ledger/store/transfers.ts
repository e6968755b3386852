import { maxUsd, minus, nanoUsd, showUsd, type NanoUsd } from '../../domain/money'
import type { Clock } from '../../domain/clock'
import { BelowFloor, type Movement } from '../../domain/reports/movement'
import { houseAccounts } from '../system-accounts'
import type { Connection } from '../../storage/sqlite/connection'
import { openFloorRecovery } from './balance-alert-reset'

interface Moved {
  readonly transfer: number
  readonly balance: NanoUsd
  /** The reference was counted before; nothing has changed. */
  readonly repeated: boolean
}

/**
 * Moves money once per kind and reference, inside of the caller's transaction.
 * @throws RangeError
 * @throws BelowFloor
 */
export function openMoveMoney(connection: Connection, clock: Clock): (movement: Movement) => Moved {
  const { raw } = connection
  const earlier = raw.prepare<
    { id: number; debit: number; credit: number; amount: number },
    [string, string]
  >('SELECT id, debit, credit, amount FROM transfers WHERE kind = ? AND reference = ?')
  const balance = raw.prepare<{ balance: number }, [number]>(
    'SELECT balance FROM accounts WHERE id = ? AND id > 0',
  )
  const transfer = raw.prepare(
    'INSERT INTO transfers (debit, credit, amount, kind, reference, created, note, told, by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const move = raw.prepare('UPDATE accounts SET balance = balance + ? WHERE id = ?')
  const recoverFloors = openFloorRecovery(connection)
  const balanceOf = (account: number) => nanoUsd(balance.get(account)?.balance ?? 0)

  return ({ account, amount, kind, reference, note, told, by, floor }) => {
    if (balance.get(account) === null) throw new RangeError(`there is no account ${account}`)
    if (amount === 0) throw new RangeError('an amount of nothing moves nothing')
    if (amount < 0 && kind === 'topup')
      throw new RangeError('a topup brings money in: take it out by an adjustment')
    const house = kind === 'topup' ? houseAccounts.payments : houseAccounts.adjustments
    const [debit, credit] = amount > 0 ? [house, account] : [account, house]
    const before = earlier.get(kind, reference)
    if (before !== null) {
      if (before.debit !== account && before.credit !== account)
        throw new RangeError(`the reference ${reference} belongs to another account`)
      if (before.debit !== debit || before.amount !== Math.abs(amount))
        throw new RangeError(`the reference ${reference} was counted with another amount`)
      return { transfer: before.id, balance: balanceOf(account), repeated: true }
    }
    if (Math.abs(balanceOf(account) + amount) > maxUsd)
      throw new RangeError(`$${showUsd(amount)} would make it more than an account can hold`)
    // Moved first: whoever else would move it waits from here on, and what it comes to is certain. Two
    // that were asked for at once would both have found enough before.
    move.run(amount, account)
    const after = balanceOf(account)
    if (floor !== undefined && after < floor) throw new BelowFloor(minus(after, amount))
    const time = clock.now()
    const row = transfer.run(
      debit,
      credit,
      Math.abs(amount),
      kind,
      reference,
      time,
      note ?? null,
      told ?? false,
      by ?? null,
    )
    move.run(-amount, house)
    if (amount > 0) recoverFloors(account, after, time)
    return { transfer: Number(row.lastInsertRowid), balance: after, repeated: false }
  }
}
