import { countedError } from '../sums/unaggregated'
import { profitShard } from '../sums/profit-sums'

const dayMs = 86_400_000
/** UTC+3:30, as of records without a day of their own. */
const aheadMs = 12_600_000

const monthOf = (day: string): string =>
  `(extract(epoch FROM date_trunc('month', to_timestamp(${day} * 86400) AT TIME ZONE 'UTC')) / 86400)::bigint`
const utc = (form: string): string =>
  `to_char(to_timestamp(created / 1000) AT TIME ZONE 'UTC', '${form}')`

const usage = 'requests, errors, input_tokens, output_tokens, cached_tokens, cost'
const addUsage = `requests = u.requests + excluded.requests, errors = u.errors + excluded.errors,
  input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
  cached_tokens = u.cached_tokens + excluded.cached_tokens, cost = u.cost + excluded.cost`

const usageInto = (table: string, period: 'day' | 'month', value: string): string => `
  INSERT INTO ${table} AS u (project, ${period}, key, model, ${usage})
  SELECT project, ${value}, key, model, sum(counts)::bigint, sum(errors)::bigint, sum(input_tokens)::bigint,
    sum(output_tokens)::bigint, sum(cached_tokens)::bigint, sum(amount)::bigint
  FROM rows GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (project, ${period}, key, model) DO UPDATE SET ${addUsage}`

/** Sums over keys, models or projects of days. @param place columns, each by its SQL */
const rollupInto = (table: string, place: Readonly<Record<string, string>>): string => {
  const names = Object.keys(place).join(', ')
  const numbers = Object.keys(place).map((_, at) => at + 1)
  return `
  INSERT INTO ${table} AS u (${names}, ${usage})
  SELECT ${Object.values(place).join(', ')}, sum(counts)::bigint, sum(errors)::bigint, sum(input_tokens)::bigint,
    sum(output_tokens)::bigint, sum(cached_tokens)::bigint, sum(amount)::bigint
  FROM rows GROUP BY ${numbers.join()} ORDER BY ${numbers.join()}
  ON CONFLICT (${names}) DO UPDATE SET ${addUsage}`
}

const profit = 'calls, charged, refunded, vendor_cost, uncosted'
const addProfit = `calls = u.calls + excluded.calls, charged = u.charged + excluded.charged,
  refunded = u.refunded + excluded.refunded, vendor_cost = u.vendor_cost + excluded.vendor_cost,
  uncosted = u.uncosted + excluded.uncosted`

const profitInto = (table: string, period: string, value: string, rest: string): string => `
  INSERT INTO ${table} AS u (${period}, ${rest}, ${profit})
  SELECT ${value}, ${rest}, sum(counts)::bigint, sum(CASE WHEN refunds THEN 0 ELSE amount END)::bigint,
    sum(CASE WHEN refunds THEN - amount ELSE 0 END)::bigint, sum(vendor_cost)::bigint, sum(uncosted)::bigint
  FROM rows GROUP BY ${value}, ${rest} ORDER BY ${value}, ${rest}
  ON CONFLICT (${period}, ${rest}) DO UPDATE SET ${addProfit}`

const utcDay = `created / ${dayMs}`

const spentRows = [
  ['key', 'key', `''`],
  ['project-month', 'project', utc('YYYY-MM')],
  ['account', 'account', `''`],
  ['account-day', 'account', utc('YYYY-MM-DD')],
  ['service-day', '0', utc('YYYY-MM-DD')],
]
  .map(
    ([kind, id, period]) =>
      `SELECT '${kind}' AS kind, ${id} AS id, ${period} AS period, amount FROM rows WHERE amount <> 0`,
  )
  .join(' UNION ALL ')

/**
 * Writes sums up to a transfer below which nothing is under way any more, and calls that left none. One
 * process at a time: another one finds the mark locked and does nothing, and whoever stood still meanwhile finds it
 * beyond where it wanted to go. Parameters: $1 that transfer, $2 free calls and $3 transfers at most.
 */
export const sumSql = `
WITH mark AS (
  SELECT transfer, least($1::bigint, transfer + $3) AS upto FROM summed WHERE shard = ${profitShard} AND transfer <= $1 FOR UPDATE SKIP LOCKED),
free AS (
  DELETE FROM free_calls WHERE EXISTS (SELECT 1 FROM mark) AND (request, undone) IN (
    SELECT request, undone FROM free_calls ORDER BY request LIMIT $2) RETURNING request, undone),
found AS MATERIALIZED (
  SELECT t.reference AS id, t.kind = 'refund' AS refunds, false AS undone, t.amount FROM transfers t
  WHERE t.id > (SELECT transfer FROM mark) AND t.id <= (SELECT upto FROM mark) AND t.kind IN ('charge', 'refund') AND t.by IS NULL
  UNION ALL SELECT request, false, undone, 0 FROM free),
rows AS MATERIALIZED (
  SELECT r.id, r.account, r.project, r.key, r.model, r.created, f.refunds, f.undone,
    coalesce(r.zone_day, (r.created + ${aheadMs}) / ${dayMs}) AS zone_day,
    CASE WHEN f.refunds THEN - f.amount ELSE f.amount END AS amount,
    CASE WHEN f.refunds THEN 0 WHEN f.undone THEN -1 ELSE 1 END AS counts,
    CASE WHEN f.undone THEN -1 ELSE ${countedError('f.refunds')} END AS errors,
    CASE WHEN f.refunds OR f.undone THEN 0 ELSE r.input_tokens END AS input_tokens,
    CASE WHEN f.refunds OR f.undone THEN 0 ELSE r.output_tokens END AS output_tokens,
    CASE WHEN f.refunds OR f.undone THEN 0 ELSE r.cached_tokens END AS cached_tokens,
    CASE WHEN f.refunds OR f.undone THEN 0 ELSE coalesce(r.vendor_cost, 0) END AS vendor_cost,
    CASE WHEN f.refunds OR f.undone THEN 0 WHEN r.vendor IS NOT NULL AND r.vendor_cost IS NULL THEN 1 ELSE 0 END AS uncosted,
    CASE WHEN f.undone THEN '' ELSE coalesce(r.vendor, (SELECT c.vendor FROM cost_cards c WHERE c.id = r.cost_card), '') END AS vendor
  FROM found f JOIN requests r ON r.id = f.id),
ud AS (${usageInto('usage_days', 'day', utcDay)}),
uz AS (${usageInto('usage_zone_days', 'day', 'zone_day')}),
um AS (${usageInto('usage_months', 'month', monthOf(utcDay))}),
uzm AS (${rollupInto('usage_zone_model_days', { project: 'project', day: 'zone_day', model: 'model' })}),
uzk AS (${rollupInto('usage_zone_key_days', { project: 'project', key: 'key', day: 'zone_day' })}),
umd AS (${rollupInto('usage_model_days', { project: 'project', day: utcDay, model: 'model' })}),
usd AS (${rollupInto('usage_service_days', { day: utcDay, model: 'model' })}),
ukm AS (${rollupInto('usage_key_months', { month: monthOf(utcDay), project: 'project', key: 'key' })}),
pd AS (${profitInto('profit_days', 'day', utcDay, 'model, vendor')}),
pm AS (${profitInto('profit_months', 'month', monthOf(utcDay), 'model, vendor')}),
pa AS (${profitInto('profit_accounts', 'day', utcDay, 'account')}),
pn AS (${profitInto('profit_account_months', 'month', monthOf(utcDay), 'account')}),
sp AS (
  INSERT INTO spent AS s (kind, id, period, amount)
  SELECT kind, id, period, sum(amount)::bigint FROM (${spentRows}) all_spent GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (kind, id, period) DO UPDATE SET amount = s.amount + excluded.amount),
ac AS (
  INSERT INTO account_calls (account, request) SELECT account, id FROM rows WHERE counts = 1 ORDER BY 1, 2
  ON CONFLICT DO NOTHING),
hs AS (
  UPDATE accounts SET balance = balance + (
    SELECT coalesce(sum(amount), 0)::bigint FROM rows WHERE NOT refunds)
  WHERE id = -1 AND EXISTS (SELECT 1 FROM rows WHERE NOT refunds AND amount > 0)),
mk AS (UPDATE summed SET transfer = (SELECT upto FROM mark) WHERE EXISTS (SELECT 1 FROM mark))
SELECT (SELECT count(*) FROM mark)::int AS marked,
  (SELECT count(*) FROM free) < $2 AND (SELECT upto FROM mark) >= $1 AS "isOver",
  (SELECT json_agg(DISTINCT account) FROM rows WHERE amount > 0 AND NOT refunds) AS accounts`
