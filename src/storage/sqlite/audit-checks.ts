import { exactUsd, type Check, type Difference } from './audit-check'
import { rollupChecks } from './audit-rollups'
import { freshCalls, freshDays, freshSpent, zoneDayOf, type DayKind } from './fresh-charges'
import { freshProfit, realProfit } from './profit-sums'

/** Differences told at most by each check; the rest is the same fault over again. */
export const mostDifferences = 100

/** @param revenue the house account that every charge reaches */
export const checks = (revenue: number): readonly Check[] => [
  { sql: balances, tell: (d) => `account ${d.subject}: the balance is ${both(d)}` },
  { sql: uncharged(revenue), tell: (d) => `request ${d.subject}: the cost is ${both(d)}` },
  { sql: unexplained, tell: (d) => `charge ${d.subject}: its request's cost is ${both(d)}` },
  { sql: payments, tell: (d) => `payment ${d.subject}: its amount is ${both(d)}` },
  { sql: cardPayments, tell: (d) => `payment ${d.subject}: it was credited ${both(d)}` },
  { sql: redeemCodes, tell: (d) => `redeem code ${d.subject}: its amount is ${both(d)}` },
  { sql: refunds, tell: (d) => `refund of ${d.subject}: its amount is ${both(d)}` },
  { sql: videos, tell: (d) => `video ${d.subject}: its cost is ${both(d)}` },
  { sql: spentSums, tell: (d) => `spent by ${d.subject}: kept is ${both(d)}` },
  {
    sql: profitOf('model', 'profit_days'),
    tell: (d) => `earned by ${d.subject}: kept is ${both(d)}`,
  },
  {
    sql: profitOf('account', 'profit_accounts'),
    tell: (d) => `earned by account and day ${d.subject}: kept is ${both(d)}`,
  },
  { sql: usageOf('utc'), tell: (d) => `usage of project and day ${d.subject}: kept is ${both(d)}` },
  {
    sql: usageOf('zone'),
    tell: (d) => `usage of project and day of the zone ${d.subject}: kept is ${both(d)}`,
  },
  ...rollupChecks,
  {
    sql: unlisted,
    tell: ({ subject }) => `request ${subject}: the list of its account's calls does not have it`,
  },
]

const both = ({ kept, real }: Difference): string =>
  `${exactUsd(kept)}, the transfers come to ${exactUsd(real)} (off by ${exactUsd(kept - real)})`

/** Sums of days that profit is told from, against every record and refund. */
function profitOf(subject: 'model' | 'account', table: string): string {
  const keys =
    subject === 'model' ? `day || ' ' || vendor || ' ' || model` : `account || ' ' || day`
  const columns = `${keys} AS subject, calls, charged - refunded AS charged, vendor_cost, uncosted`
  const difference = (column: string) =>
    `sum(iif(kept, ${column}, 0)) <> sum(iif(kept, 0, ${column}))`
  return `
  SELECT subject, sum(iif(kept, charged - vendor_cost, 0)) AS kept,
    sum(iif(kept, 0, charged - vendor_cost)) AS real
  FROM (
    SELECT 1 AS kept, ${columns} FROM ${table}
    UNION ALL SELECT 1, ${columns} FROM (${freshProfit})
    UNION ALL SELECT 0, ${columns} FROM (${realProfit})
  ) GROUP BY subject
  HAVING ${['calls', 'charged', 'vendor_cost', 'uncosted'].map(difference).join(' OR ')} LIMIT ?`
}

const balances = `
  WITH moves (account, amount) AS (
    SELECT credit, amount FROM transfers UNION ALL SELECT debit, -amount FROM transfers
  ), sums AS (SELECT account, sum(amount) AS moved FROM moves GROUP BY account)
  SELECT CAST(a.id AS TEXT) AS subject, a.balance AS kept, coalesce(s.moved, 0) AS real
  FROM accounts a LEFT JOIN sums s ON s.account = a.id
  WHERE a.balance <> coalesce(s.moved, 0) LIMIT ?`

/** Each request that cost something was charged to its account, for exactly that. */
const uncharged = (revenue: number): string => `
  SELECT r.id AS subject, r.cost AS kept, coalesce(t.amount, 0) AS real
  FROM requests r LEFT JOIN transfers t
    ON t.kind = 'charge' AND t.reference = r.id AND t.debit = r.account AND t.credit = ${revenue}
  WHERE r.cost <> 0 AND r.cost <> coalesce(t.amount, 0) LIMIT ?`

/** Each charge has its request. */
const unexplained = `
  SELECT t.reference AS subject, coalesce(r.cost, 0) AS kept, t.amount AS real
  FROM transfers t LEFT JOIN requests r ON r.id = t.reference
  WHERE t.kind = 'charge' AND t.amount <> coalesce(r.cost, 0) LIMIT ?`

/** Each payment of coins put exactly its amount on its account. */
const payments = `
  SELECT p.id AS subject, p.amount AS kept, coalesce(t.amount, 0) AS real
  FROM payments p LEFT JOIN transfers t ON t.id = p.transfer AND t.credit = p.account
    AND t.kind = 'topup' AND t.reference = p.reference
  WHERE p.amount <> coalesce(t.amount, 0) LIMIT ?`

/** Each payment by card that is credited put exactly that on its account. */
const cardPayments = `
  SELECT p.id AS subject, p.credited_amount AS kept, coalesce(t.amount, 0) AS real
  FROM card_payments p LEFT JOIN transfers t ON t.id = p.transfer AND t.credit = p.account
    AND t.kind = 'topup' AND t.reference = p.kind || ':' || p.reference
  WHERE p.state = 'credited' AND p.credited_amount <> coalesce(t.amount, 0) LIMIT ?`

/** Each redeem code that was used put exactly its amount on the account. */
const redeemCodes = `
  SELECT CAST(c.id AS TEXT) AS subject, c.amount AS kept, coalesce(t.amount, 0) AS real
  FROM redeem_codes c LEFT JOIN transfers t ON t.id = c.transfer AND t.credit = c.account
    AND t.kind = 'topup' AND t.reference = 'code:' || c.id
  WHERE c.redeemed IS NOT NULL AND c.amount <> coalesce(t.amount, 0) LIMIT ?`

/** Each refund gives back one charge, a person's in part too, to whom it was charged. */
const refunds = `
  SELECT t.reference AS subject, t.amount AS kept, coalesce(c.amount, 0) AS real
  FROM transfers t LEFT JOIN transfers c ON c.kind = 'charge' AND c.reference = t.reference
    AND c.debit = t.credit AND c.credit = t.debit
  WHERE t.kind = 'refund' AND (t.amount > coalesce(c.amount, 0)
    OR (t.by IS NULL AND t.amount < c.amount)) LIMIT ?`

/** Each video that is made, or is on its way, was paid; each other one costs nothing. */
const videos = `
  SELECT * FROM (
    SELECT v.id AS subject,
      iif(v.status IN ('queued', 'in_progress', 'completed'), v.cost, 0) AS kept,
      coalesce(c.amount, 0) - coalesce(b.amount, 0) AS real
    FROM video_jobs v
    LEFT JOIN transfers c ON c.kind = 'charge' AND c.reference = v.request AND c.debit = v.account
    LEFT JOIN transfers b ON b.kind = 'refund' AND b.reference = v.request AND b.credit = v.account
      AND b.by IS NULL
  ) WHERE kept <> real LIMIT ?`

/** The days that reports are made of: their costs, and every call that ended. */
function usageOf(days: DayKind): string {
  const [table, day] =
    days === 'utc' ? ['usage_days', 'r.created / 86400000'] : ['usage_zone_days', zoneDayOf('r')]
  return `
  WITH real AS MATERIALIZED (
    SELECT r.project, ${day} AS day, sum(r.cost) AS cost, count(*) AS calls
    FROM requests r WHERE r.status <> 'pending' GROUP BY 1, 2
    UNION ALL SELECT r.project, ${day}, -sum(t.amount), 0
    FROM transfers t JOIN requests r ON r.id = t.reference WHERE t.kind = 'refund' GROUP BY 1, 2
  ), days AS MATERIALIZED (
    SELECT project, day, sum(cost) AS cost, sum(requests) AS calls FROM (
      SELECT project, day, cost, requests FROM ${table}
      UNION ALL SELECT project, day, cost, requests FROM (${freshDays(days)})
    ) GROUP BY 1, 2
  )
  SELECT project || ' ' || day AS subject, sum(kept) AS kept, sum(actual) AS real FROM (
    SELECT project, day, cost AS kept, 0 AS actual, calls AS kept_calls, 0 AS real_calls FROM days
    UNION ALL SELECT project, day, 0, cost, 0, calls FROM real
  ) GROUP BY project, day
  HAVING sum(kept) <> sum(actual) OR sum(kept_calls) <> sum(real_calls) LIMIT ?`
}

/** Every call that ended is in the list of its account, or about to be. */
const unlisted = `
  SELECT r.id AS subject, 0 AS kept, r.cost AS real
  FROM requests r LEFT JOIN account_calls c ON c.account = r.account AND c.request = r.id
  WHERE c.request IS NULL AND r.status <> 'pending'
    AND r.id >= coalesce((SELECT before FROM account_calls_fill), '')
    AND r.id NOT IN (SELECT request FROM (${freshCalls})) LIMIT ?`

/** The sums that caps are checked against; a charge counts where its call was opened. */
const spentSums = `
  WITH daily AS MATERIALIZED (
    SELECT account, project, key, created / 86400000 AS day, sum(cost) AS cost
    FROM requests WHERE cost <> 0 GROUP BY account, project, key, created / 86400000
    UNION ALL SELECT r.account, r.project, r.key, r.created / 86400000, -sum(t.amount)
    FROM transfers t JOIN requests r ON r.id = t.reference
    WHERE t.kind = 'refund' GROUP BY 1, 2, 3, 4
  ), dated AS MATERIALIZED (
    SELECT *, date(day * 86400, 'unixepoch') AS date FROM daily
  ), real (kind, id, period, amount) AS (
    SELECT 'key', key, '', cost FROM dated
    UNION ALL SELECT 'project-month', project, substr(date, 1, 7), cost FROM dated
    UNION ALL SELECT 'account', account, '', cost FROM dated
    UNION ALL SELECT 'account-day', account, date, cost FROM dated
    UNION ALL SELECT 'service-day', 0, date, cost FROM dated
  )
  SELECT trim(kind || ' ' || id || ' ' || period) AS subject, sum(kept) AS kept, sum(actual) AS real
  FROM (
    SELECT kind, id, period, amount AS kept, 0 AS actual FROM spent
    UNION ALL SELECT kind, id, period, amount, 0 FROM (${freshSpent})
    UNION ALL SELECT kind, id, period, 0, amount FROM real
  ) GROUP BY kind, id, period HAVING sum(kept) <> sum(actual) LIMIT ?`
