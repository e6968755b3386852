/*
 * SQL of what was charged and is not in the sums yet. There is at most what the serving process
 * charged in the last seconds, or before it died.
 */

/** Sums lie in as many shards. Part of the database's meaning: it never changes. */
export const shards = 64

/** How far UTC+3:30 is ahead, in milliseconds: the zone of records without a day of their own. */
const aheadMs = 12_600_000

/** The day of a request in the service's zone. @param alias SQL name of the row */
export const zoneDayOf = (alias: string): string =>
  `coalesce(${alias}.zone_day, (${alias}.created + ${aheadMs}) / 86400000)`

/**
 * 1 where the end of a call `r`, or its refund by the service, counts as an error. A video that a vendor accepted was none
 * at the end of its call: its refund counts the failure of the job.
 * @param refunds SQL condition of a refund
 */
export const countedError = (refunds: string): string =>
  `CASE WHEN r.status = 'error' AND (${refunds}) = (r.endpoint = 'videos' AND r.vendor IS NOT NULL) THEN 1 ELSE 0 END`

/**
 * A refund counts against the charge that it gives back, where that was counted. The plus keeps the
 * index of kinds out of it: all charges ever are of one kind. A refund by a person is in the sums from
 * its beginning.
 * @param since SQL of the transfer after which charges are fresh
 */
const charges = (since: string): string => `
  SELECT t.id AS transfer, t.kind = 'refund' AS refunds,
    CASE WHEN t.kind = 'refund' THEN -t.amount ELSE t.amount END AS amount, r.account, r.project, r.key, r.model, r.created,
    ${countedError(`t.kind = 'refund'`)} AS errors,
    ${zoneDayOf('r')} AS zone_day, r.input_tokens, r.output_tokens, r.cached_tokens
  FROM transfers t JOIN requests r ON r.id = t.reference
  WHERE t.id > (${since}) AND +t.kind IN ('charge', 'refund') AND t.by IS NULL`

const anyShard = `SELECT min(transfer) FROM summed WHERE shard < ${shards}`

const scopes = [
  [`'key'`, 'key', `''`],
  [`'project-month'`, 'project', `substr(date(created / 1000, 'unixepoch'), 1, 7)`],
  [`'account'`, 'account', `''`],
  [`'account-day'`, 'account', `date(created / 1000, 'unixepoch')`],
  [`'service-day'`, '0', `date(created / 1000, 'unixepoch')`],
] as const

/** Rows (kind, id, period, amount) for `spent`. */
export const freshSpent = `
  SELECT f.kind, f.id, f.period, f.amount FROM (
    ${scopes
      .map(
        ([kind, id, period]) => `
    SELECT ${kind} AS kind, ${id} AS id, ${period} AS period, amount, transfer
    FROM (${charges(anyShard)}) AS found`,
      )
      .join(' UNION ALL ')}
  ) f JOIN summed s ON s.shard = f.id % ${shards} WHERE f.transfer > s.transfer`

/** Whose days a sum is of: those of UTC, or those of the service's zone. */
export type DayKind = 'utc' | 'zone'

const dayColumns = (days: DayKind): string => `project,
  ${days === 'utc' ? 'created / 86400000' : 'zone_day'} AS day, key, model, CASE WHEN refunds THEN 0 ELSE 1 END AS requests,
  errors, CASE WHEN refunds THEN 0 ELSE input_tokens END AS input_tokens,
  CASE WHEN refunds THEN 0 ELSE output_tokens END AS output_tokens, CASE WHEN refunds THEN 0 ELSE cached_tokens END AS cached_tokens,
  amount AS cost`

/** Rows for sums of days, one for each call. */
export const freshDays = (days: DayKind): string => `
  SELECT ${dayColumns(days)} FROM (${charges(anyShard)}) f
  JOIN summed s ON s.shard = f.project % ${shards} WHERE f.transfer > s.transfer`

/** Rows for sums of days of one project. @param project SQL of its id */
export const freshDaysOfProject = (days: DayKind, project = '?1'): string => `
  SELECT ${dayColumns(days)}
  FROM (${charges(`SELECT transfer FROM summed WHERE shard = ${project} % ${shards}`)}) AS found
  WHERE project = ${project}`

/** Rows for sums of days of all projects of $account, each by the mark of its own shard. */
export const freshDaysOfAccount = (days: DayKind): string => `
  SELECT ${dayColumns(days)} FROM (${charges(anyShard)}) f
  JOIN summed s ON s.shard = f.project % ${shards} WHERE f.transfer > s.transfer AND f.account = $account`

/** The shards of the index of accounts' calls among the marks of how far sums have come. */
export const firstIndexShard = 66

const freshCallsSince = (since: string): string => `
  SELECT r.account, r.id AS request, t.id AS transfer
  FROM transfers t JOIN requests r ON r.id = t.reference
  WHERE t.id > (${since}) AND +t.kind = 'charge'`

/** Accounts and ids of charged calls that are not in the index yet. */
export const freshCalls = `
  SELECT f.account, f.request
  FROM (${freshCallsSince(`SELECT min(transfer) FROM summed WHERE shard >= ${firstIndexShard}`)}) f
  JOIN summed s ON s.shard = ${firstIndexShard} + f.account % ${shards}
  WHERE f.transfer > s.transfer`

/** Accounts and ids of charged calls of $account that are not in the index yet. */
export const freshCallsOfAccount = `
  ${freshCallsSince(`SELECT transfer FROM summed WHERE shard = ${firstIndexShard} + $account % ${shards}`)}
    AND r.account = $account`

/** What the charges of one key come to that are not in its sum yet; the key is ?1. */
export const freshOfKey = `
  SELECT coalesce(sum(amount), 0) AS amount
  FROM (${charges(`SELECT transfer FROM summed WHERE shard = ?1 % ${shards}`)}) AS found WHERE key = ?1`

/** Rows (period, amount) for `spent` of the days of one account, which is ?1. */
export const freshSpentOfAccount = `
  SELECT date(created / 1000, 'unixepoch') AS period, amount
  FROM (${charges(`SELECT transfer FROM summed WHERE shard = ?1 % ${shards}`)}) AS found
  WHERE account = ?1`
