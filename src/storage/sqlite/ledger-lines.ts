import type { Ms } from '../../domain/clock'
import { firstRequestIdAt } from '../../domain/ids'
import { minus, nanoUsd, plus } from '../../domain/money'
import type { LedgerLine, Reports } from '../../domain/report'
import type { Connection } from './database'

interface Row {
  readonly created: number
  readonly kind: LedgerLine['kind']
  readonly amount: number
  readonly reference: string
  readonly note: string | null
  readonly by: string | null
}

/**
 * Movements of the account ?1 since ?2, in the order in which they were written. No index knows
 * the accounts of charges: it would cost each call more than all the rest of its writing. They
 * are found by the time in the ids of their requests, ?3, and all others by their kinds, since
 * those are made by people.
 */
const since = `
  SELECT id, created, kind, reference, note, by, iif(credit = ?1, amount, -amount) AS amount
  FROM transfers WHERE kind = 'charge' AND reference >= ?3 AND (debit = ?1 OR credit = ?1)
  UNION ALL
  SELECT id, created, kind, reference, note, by, iif(credit = ?1, amount, -amount) AS amount
  FROM transfers WHERE kind IN ('topup', 'adjustment', 'refund')
    AND (debit = ?1 OR credit = ?1) AND created >= ?2`

export function openLedgerLines({ raw }: Connection): Reports['ledger'] {
  const balance = raw.prepare<{ balance: number }, [number]>(
    'SELECT balance FROM accounts WHERE id = ? AND id > 0',
  )
  const total = raw.prepare<{ amount: number }, [number, number, string]>(
    `SELECT coalesce(sum(amount), 0) AS amount FROM (${since})`,
  )
  const lines = raw.prepare<Row, [number, number, string]>(`${since} ORDER BY id`)

  return ({ account, from, to }, take) => {
    raw.run('BEGIN')
    try {
      const now = balance.get(account)
      if (now === null) return null
      const asked = [account, from, firstRequestIdAt(from)] as const
      const opening = minus(nanoUsd(now.balance), nanoUsd(total.get(...asked)?.amount ?? 0))
      let closing = opening
      for (const { created, amount, ...row } of lines.iterate(...asked)) {
        if (created >= to) continue
        closing = plus(closing, nanoUsd(amount))
        take({ ...row, created: created as Ms, amount: nanoUsd(amount), balance: closing })
      }
      return { opening, closing }
    } finally {
      raw.run('ROLLBACK')
    }
  }
}
