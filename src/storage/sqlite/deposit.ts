import { nanoUsd } from '../../domain/money'
import type { Clock } from '../../domain/clock'
import type { Directory } from '../../identity/directory'
import { houseAccounts } from '../house'
import type { Connection } from './database'

/** Money that a person moves: on disk before it is acknowledged, once per reference. */
export function openDeposit({ raw, transaction }: Connection, clock: Clock): Directory['deposit'] {
  const repeated = raw.prepare<{ debit: number; credit: number }, [string, string]>(
    'SELECT debit, credit FROM transfers WHERE kind = ? AND reference = ?',
  )
  const balance = raw.prepare<{ balance: number }, [number]>(
    'SELECT balance FROM accounts WHERE id = ? AND id > 0',
  )
  const transfer = raw.prepare(
    'INSERT INTO transfers (debit, credit, amount, kind, reference, created) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const move = raw.prepare('UPDATE accounts SET balance = balance + ? WHERE id = ?')
  const balanceOf = (account: number) => nanoUsd(balance.get(account)?.balance ?? 0)

  return ({ account, amount, kind, reference }) =>
    transaction(() => {
      if (balance.get(account) === null) throw new RangeError(`there is no account ${account}`)
      if (amount === 0) throw new RangeError('an amount of nothing moves nothing')
      if (amount < 0 && kind === 'topup')
        throw new RangeError('a topup brings money in: take it out by an adjustment')
      const earlier = repeated.get(kind, reference)
      if (earlier !== null) {
        if (earlier.debit !== account && earlier.credit !== account)
          throw new RangeError(`the reference ${reference} belongs to another account`)
        return { balance: balanceOf(account), repeated: true }
      }
      const house = kind === 'topup' ? houseAccounts.payments : houseAccounts.adjustments
      const [debit, credit] = amount > 0 ? [house, account] : [account, house]
      transfer.run(debit, credit, Math.abs(amount), kind, reference, clock.now())
      move.run(amount, account)
      move.run(-amount, house)
      return { balance: balanceOf(account), repeated: false }
    }, 'durable')
}
