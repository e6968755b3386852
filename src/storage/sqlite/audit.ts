import { nanoUsd, showUsd } from '../../domain/money'
import type { AuditReport } from '../../ledger/store'
import type { Connection } from './database'

/** One check: rows that should not be there, and what each of them means. */
interface Check<Row> {
  readonly sql: string
  tell(row: Row): string
}

const usd = (nanos: number): string => `$${showUsd(nanoUsd(nanos))}`

const balances: Check<{ id: number; balance: number; moved: number }> = {
  sql: `
    WITH moves (id, amount) AS (
      SELECT credit, amount FROM transfers UNION ALL SELECT debit, -amount FROM transfers
    ), sums AS (SELECT id, sum(amount) AS moved FROM moves GROUP BY id)
    SELECT a.id, a.balance, coalesce(s.moved, 0) AS moved
    FROM accounts a LEFT JOIN sums s ON s.id = a.id
    WHERE a.balance <> coalesce(s.moved, 0)`,
  tell: (row) =>
    `account ${row.id}: the balance is ${usd(row.balance)}, its transfers come to ${usd(row.moved)}`,
}

const uncharged: Check<{ id: string; cost: number; amount: number | null }> = {
  sql: `
    SELECT r.id, r.cost, t.amount FROM requests r
    LEFT JOIN transfers t ON t.kind = 'charge' AND t.reference = r.id AND t.debit = r.account
    WHERE r.cost > 0 AND (t.amount IS NULL OR t.amount <> r.cost)`,
  tell: (row) =>
    `request ${row.id}: the cost is ${usd(row.cost)}, ` +
    (row.amount === null ? 'nothing was charged' : `${usd(row.amount)} was charged`),
}

const unexplained: Check<{ reference: string; amount: number }> = {
  sql: `
    SELECT t.reference, t.amount FROM transfers t
    LEFT JOIN requests r ON r.id = t.reference
    WHERE t.kind = 'charge' AND (r.id IS NULL OR r.cost <> t.amount)`,
  tell: (row) => `charge ${row.reference}: ${usd(row.amount)} has no request of that cost`,
}

/** Each sum that caps are checked against, beside what the requests come to. */
const scopes = [
  ['key', 'key', `''`],
  ['project-month', 'project', `strftime('%Y-%m', created / 1000, 'unixepoch')`],
  ['account', 'account', `''`],
  ['account-day', 'account', `strftime('%Y-%m-%d', created / 1000, 'unixepoch')`],
  ['service-day', '0', `strftime('%Y-%m-%d', created / 1000, 'unixepoch')`],
] as const

const spentSums: Check<{ kind: string; id: number; period: string; kept: number; real: number }> = {
  sql: `
    WITH real (kind, id, period, amount) AS (
      ${scopes
        .map(
          ([kind, id, period]) =>
            `SELECT '${kind}', ${id} AS id, ${period} AS period, sum(cost) FROM requests WHERE cost > 0 GROUP BY 2, 3`,
        )
        .join(' UNION ALL ')}
    )
    SELECT kind, id, period, sum(kept) AS kept, sum(actual) AS real FROM (
      SELECT kind, id, period, amount AS kept, 0 AS actual FROM spent
      UNION ALL SELECT kind, id, period, 0, amount FROM real
    ) GROUP BY kind, id, period HAVING kept <> real`,
  tell: (row) =>
    `spent ${row.kind} ${row.id} ${row.period}: kept ${usd(row.kept)}, requests come to ${usd(row.real)}`,
}

/** Differences told at most; the rest is the same fault over again. */
const mostDifferences = 100

/** Recomputes everything from the transfers, in one consistent view; reads only. */
export function audit({ raw }: Connection): AuditReport {
  const count = (sql: string): number =>
    raw.prepare<{ count: number }, []>(`SELECT count(*) AS count FROM ${sql}`).get()?.count ?? 0
  const differences: string[] = []
  const run = <Row>(check: Check<Row>) => {
    for (const row of raw.prepare<Row, []>(check.sql).all().slice(0, mostDifferences))
      differences.push(check.tell(row))
  }
  raw.run('BEGIN')
  try {
    run(balances)
    run(uncharged)
    run(unexplained)
    run(spentSums)
    return {
      ok: differences.length === 0,
      accounts: count('accounts WHERE id > 0'),
      transfers: count('transfers'),
      requests: count('requests'),
      pending: count(`requests WHERE status = 'pending'`),
      differences,
    }
  } finally {
    raw.run('ROLLBACK')
  }
}
