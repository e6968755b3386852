import type { Ms } from '../../domain/clock'
import type { NanoUsd } from '../../domain/money'
import type { Connection } from '../../storage/sqlite/connection'

/** Notes that a balance is back at its floor: from here on a fall below it can be told again. */
export function openFloorRecovery({
  raw,
}: Connection): (account: number, balance: NanoUsd, now: Ms) => void {
  const recover = raw.prepare(`
    UPDATE notices SET recovered = ? WHERE subject = ? AND kind = 'balance_floor' AND period = ''
      AND threshold = 0 AND "limit" <= ? AND recovered IS NULL`)
  return (account, balance, now) => void recover.run(now, account, balance)
}
