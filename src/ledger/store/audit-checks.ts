import { exactUsd, type Check, type Difference } from './audit-check'
import { capsOfDays, type Audited } from './audit-mark'
import { rollupChecks } from './audit-rollups'
import { freshCalls, freshDays, freshSpent, zoneDayOf, type DayKind } from '../sums/unaggregated'
import { freshProfit, realProfit } from '../sums/profit-sums'

/** Differences told at most by each check; the rest is the same fault over again. */
export const mostDifferences = 100

/** SQL of what is right and not kept yet, where several processes write sums behind their charges. */
export interface Unsummed {
  /** What comes on top of the balance of account `a`. */
  readonly balance: string
  /** Calls without a cost: further rows (project, day, cost, requests). @param day SQL of a call's, which is `r` */
  readonly usage: (day: string) => string
  /** Further rows as of `freshProfit`. */
  readonly profit: string
  /** Further ids of calls that are about to be listed. */
  readonly listed: string
}

export const nothingUnsummed: Unsummed = { balance: '0', usage: () => '', profit: '', listed: '' }

/**
 * Finds charges and calls that do not belong together, or that no list has: one by one.
 * @param revenue the house account that every charge reaches
 */
export const rowChecks = (
  revenue: number,
  unsummed: Unsummed,
  { calls, transfers }: Audited,
): readonly Check[] => [
  { sql: uncharged(revenue, calls), tell: (d) => `request ${d.subject}: the cost is ${both(d)}` },
  {
    sql: unexplained(transfers),
    tell: (d) => `charge ${d.subject}: its request's cost is ${both(d)}`,
  },
  {
    sql: unlisted(unsummed, calls),
    tell: ({ subject }) => `request ${subject}: the list of its account's calls does not have it`,
  },
]

/** Adds up days and months, and finds those that are kept otherwise. */
export const periodChecks = (unsummed: Unsummed, audited: Audited): readonly Check[] => [
  {
    sql: profitOf(unsummed, audited, byModel),
    tell: (d) => `earned by ${d.subject}: kept is ${both(d)}`,
  },
  {
    sql: profitOf(unsummed, audited, byAccount),
    tell: (d) => `earned by account and day ${d.subject}: kept is ${both(d)}`,
  },
  {
    sql: usageOf(unsummed, audited, 'utc'),
    tell: (d) => `usage of project and day ${d.subject}: kept is ${both(d)}`,
  },
  {
    sql: usageOf(unsummed, audited, 'zone'),
    tell: (d) => `usage of project and day of the zone ${d.subject}: kept is ${both(d)}`,
  },
  ...rollupChecks(audited),
]

/** @param revenue the house account that every charge reaches */
export const checks = (revenue: number, unsummed: Unsummed, audited: Audited): readonly Check[] => [
  {
    sql: balances(unsummed, audited),
    tell: (d) => `account ${d.subject}: the balance is ${both(d)}`,
  },
  { sql: payments, tell: (d) => `payment ${d.subject}: its amount is ${both(d)}` },
  { sql: cardPayments, tell: (d) => `payment ${d.subject}: it was credited ${both(d)}` },
  { sql: redeemCodes, tell: (d) => `redeem code ${d.subject}: its amount is ${both(d)}` },
  { sql: refunds, tell: (d) => `refund of ${d.subject}: its amount is ${both(d)}` },
  { sql: videos, tell: (d) => `video ${d.subject}: its cost is ${both(d)}` },
  { sql: spentSums(audited), tell: (d) => `spent by ${d.subject}: kept is ${both(d)}` },
  ...periodChecks(unsummed, audited),
  ...rowChecks(revenue, unsummed, audited),
]

const both = ({ kept, real }: Difference): string =>
  `${exactUsd(kept)}, the transfers come to ${exactUsd(real)} (off by ${exactUsd(kept - real)})`

/** Sums of days that profit is told from. */
interface ProfitTable {
  readonly table: string
  /** SQL of what tells a row from others. */
  readonly subject: string
}
const byModel: ProfitTable = {
  table: 'profit_days',
  subject: `day || ' ' || vendor || ' ' || model`,
}
const byAccount: ProfitTable = { table: 'profit_accounts', subject: `account || ' ' || day` }

/** Sums of days that profit is told from, against every record and refund. */
function profitOf(
  { profit }: Unsummed,
  { ended, looksAt }: Audited,
  { table, subject }: ProfitTable,
): string {
  const where = `WHERE ${looksAt('day', 'day')}`
  const columns = `${subject} AS subject, calls, charged - refunded AS charged, vendor_cost, uncosted`
  const difference = (column: string) =>
    `sum(CASE WHEN kept = 1 THEN ${column} ELSE 0 END) <> sum(CASE WHEN kept = 1 THEN 0 ELSE ${column} END)`
  return `
  SELECT subject, sum(CASE WHEN kept = 1 THEN charged - vendor_cost ELSE 0 END) AS kept,
    sum(CASE WHEN kept = 1 THEN 0 ELSE charged - vendor_cost END) AS real
  FROM (
    SELECT 1 AS kept, ${columns} FROM ${table} ${where}
    UNION ALL SELECT 1, ${columns} FROM (${freshProfit} ${profit}) AS found ${where}
    UNION ALL SELECT 0, ${columns} FROM (${realProfit(ended)}) AS found ${where}
  ) AS found GROUP BY subject
  HAVING ${['calls', 'charged', 'vendor_cost', 'uncosted'].map(difference).join(' OR ')} LIMIT ?`
}

const balances = ({ balance }: Unsummed, { moved }: Audited): string => `
  WITH sums AS (SELECT account, sum(amount) AS moved FROM ${moved} AS moves GROUP BY account)
  SELECT CAST(a.id AS TEXT) AS subject, a.balance + ${balance} AS kept, coalesce(s.moved, 0) AS real
  FROM accounts a LEFT JOIN sums s ON s.account = a.id
  WHERE a.balance + ${balance} <> coalesce(s.moved, 0) LIMIT ?`

/** Each request that cost something was charged to its account, for exactly that. */
const uncharged = (revenue: number, calls: string): string => `
  SELECT r.id AS subject, r.cost AS kept, coalesce(t.amount, 0) AS real
  FROM ${calls} r LEFT JOIN transfers t
    ON t.kind = 'charge' AND t.reference = r.id AND t.debit = r.account AND t.credit = ${revenue}
  WHERE r.cost <> 0 AND r.cost <> coalesce(t.amount, 0) LIMIT ?`

/** Each charge has its request. */
const unexplained = (transfers: string): string => `
  SELECT t.reference AS subject, coalesce(r.cost, 0) AS kept, t.amount AS real
  FROM ${transfers} t LEFT JOIN requests r ON r.id = t.reference
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
      CASE WHEN v.status IN ('queued', 'in_progress', 'completed') THEN v.cost ELSE 0 END AS kept,
      coalesce(c.amount, 0) - coalesce(b.amount, 0) AS real
    FROM video_jobs v
    LEFT JOIN transfers c ON c.kind = 'charge' AND c.reference = v.request AND c.debit = v.account
    LEFT JOIN transfers b ON b.kind = 'refund' AND b.reference = v.request AND b.credit = v.account
      AND b.by IS NULL
  ) AS found WHERE kept <> real LIMIT ?`

/** The days that reports are made of: their costs, and every call that ended. */
function usageOf({ usage }: Unsummed, { ended, looksAt }: Audited, days: DayKind): string {
  const [table, column, day] =
    days === 'utc'
      ? (['usage_days', 'day', 'r.created / 86400000'] as const)
      : (['usage_zone_days', 'zone_day', zoneDayOf('r')] as const)
  return `
  WITH real AS MATERIALIZED (
    SELECT project, ${column} AS day, sum(cost) AS cost, sum(calls) AS calls
    FROM ${ended} AS ended WHERE ${looksAt(column, column)} GROUP BY 1, 2
    UNION ALL SELECT r.project, ${day}, -sum(t.amount), 0
    FROM transfers t JOIN requests r ON r.id = t.reference
    WHERE t.kind = 'refund' AND ${looksAt(column, day)} GROUP BY 1, 2
  ), days AS MATERIALIZED (
    SELECT project, day, sum(cost) AS cost, sum(requests) AS calls FROM (
      SELECT project, day, cost, requests FROM ${table}
      UNION ALL SELECT project, day, cost, requests FROM (${freshDays(days)}) AS found
      ${usage(day)}
    ) AS found WHERE ${looksAt(column, 'day')} GROUP BY 1, 2
  )
  SELECT project || ' ' || day AS subject, sum(kept) AS kept, sum(actual) AS real FROM (
    SELECT project, day, cost AS kept, 0 AS actual, calls AS kept_calls, 0 AS real_calls FROM days
    UNION ALL SELECT project, day, 0, cost, 0, calls FROM real
  ) AS found GROUP BY project, day
  HAVING sum(kept) <> sum(actual) OR sum(kept_calls) <> sum(real_calls) LIMIT ?`
}

/** Every call that ended is in the list of its account, or about to be. */
const unlisted = ({ listed }: Unsummed, calls: string): string => `
  SELECT r.id AS subject, 0 AS kept, r.cost AS real
  FROM ${calls} r LEFT JOIN account_calls c ON c.account = r.account AND c.request = r.id
  WHERE c.request IS NULL AND r.status <> 'pending'
    AND r.id NOT IN (SELECT request FROM (${freshCalls}) AS found ${listed}) LIMIT ?`

/** The sums that caps are checked against; a charge counts where its call was opened. */
const spentSums = ({ spent }: Audited): string => `
  WITH ${spent}, returned AS MATERIALIZED (
    SELECT r.account, r.project, r.key, -sum(t.amount) AS cost,
      date(r.created / 86400000 * 86400, 'unixepoch') AS date
    FROM transfers t JOIN requests r ON r.id = t.reference
    WHERE t.kind = 'refund' GROUP BY r.account, r.project, r.key, r.created / 86400000
  )
  SELECT trim(kind || ' ' || id || ' ' || period) AS subject, sum(kept) AS kept, sum(actual) AS real
  FROM (
    SELECT kind, id, period, amount AS kept, 0 AS actual FROM spent
    UNION ALL SELECT kind, id, period, amount, 0 FROM (${freshSpent}) AS found
    UNION ALL SELECT kind, id, period, 0, amount FROM called
    UNION ALL SELECT kind, id, period, 0, amount FROM (${capsOfDays('returned')}) AS found
  ) AS found GROUP BY kind, id, period HAVING sum(kept) <> sum(actual) LIMIT ?`
