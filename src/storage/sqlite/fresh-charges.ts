/*
 * SQL of what was charged and is not in the sums yet. There is at most what the serving process
 * charged in the last seconds, or before it died.
 */

/** Sums lie in as many shards. Part of the database's meaning: it never changes. */
export const shards = 64

/**
 * A refund counts against the charge that it gives back, where that was counted. The plus keeps the
 * index of kinds out of it: all charges ever are of one kind. A refund by a person is in the sums from
 * its beginning.
 * @param since SQL of the transfer after which charges are fresh
 */
const charges = (since: string): string => `
  SELECT t.id AS transfer, t.kind = 'refund' AS refunds,
    iif(t.kind = 'refund', -t.amount, t.amount) AS amount, r.account, r.project, r.key, r.model, r.created, r.status,
    r.input_tokens, r.output_tokens, r.cached_tokens
  FROM transfers t JOIN requests r ON r.id = t.reference
  WHERE t.id > (${since}) AND +t.kind IN ('charge', 'refund') AND t.by IS NULL`

const anyShard = 'SELECT min(transfer) FROM summed'

const scopes = [
  [`'key'`, 'key', `''`],
  [`'project-month'`, 'project', `strftime('%Y-%m', created / 1000, 'unixepoch')`],
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
    FROM (${charges(anyShard)})`,
      )
      .join(' UNION ALL ')}
  ) f JOIN summed s ON s.shard = f.id % ${shards} WHERE f.transfer > s.transfer`

const dayColumns = `project, created / 86400000 AS day, key, model, iif(refunds, 0, 1) AS requests,
  iif(refunds, 0, status = 'error') AS errors, iif(refunds, 0, input_tokens) AS input_tokens,
  iif(refunds, 0, output_tokens) AS output_tokens, iif(refunds, 0, cached_tokens) AS cached_tokens,
  amount AS cost`

/** Rows for `usage_days`, one for each call. */
export const freshDays = `
  SELECT ${dayColumns} FROM (${charges(anyShard)}) f
  JOIN summed s ON s.shard = f.project % ${shards} WHERE f.transfer > s.transfer`

/** The same of one project, which is ?1. */
export const freshDaysOfProject = `
  SELECT ${dayColumns} FROM (${charges(`SELECT transfer FROM summed WHERE shard = ?1 % ${shards}`)})
  WHERE project = ?1`
