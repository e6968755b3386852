import { houseAccounts } from '../system-accounts'
import { uncoveredNote, uncoveredReference } from '../shortfall'
import { callRows, chargeCalls, freeCalls, insertCalls, updateCalls } from './call-sql'

/**
 * For connections of exchanges. Every row is found by an index: before a table has statistics, and where most rows
 * are guessed to be asked for, all accounts would be read each time. To plan the statement takes longer than to run it.
 */
export const exchangeSettings = { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan' }

/**
 * One exchange of a node: one statement, one commit. What `LeaseBook` does in memory, on rows that are locked in the
 * order of their keys. Parameters: $1 node, $2 number, $3 ttl in milliseconds; as JSON $4 calls, $5 lines and $6
 * what came of asking vendors for videos; $7 when the node was registered, which tells it from one of that number that
 * a database that was set back has forgotten.
 *
 * Nothing that decides is read outside of a locked row, but slices of others: `torn` says where they do not come
 * to what is leased. Balances are written absolutely, from the locked row: written relatively, PostgreSQL holds a
 * CHECK against the version that its snapshot has, before it looks for a newer one.
 */
export const exchangeSql = `
WITH me AS (
  UPDATE nodes SET batch = $2, expires = now_ms() + $3,
    renewed = CASE WHEN expires < now_ms() THEN now_ms() ELSE renewed END
  WHERE id = $1 AND started = $7 AND NOT dead AND batch = $2 - 1 RETURNING id),
q AS (SELECT * FROM json_to_recordset(($5::text)::json) AS j (
  name text, account bigint, cap bigint, sold boolean, charged bigint, give bigint, takes boolean, need bigint,
  want bigint, ask bigint, answer bigint, quiet boolean, held bigint, part text, minute boolean) WHERE EXISTS (SELECT 1 FROM me)),
${callRows('$4', 'WHERE EXISTS (SELECT 1 FROM me)')},
-- Sums that nobody leases from are only counted.
k AS (
  INSERT INTO scopes AS s (name, part_of, sum)
  SELECT coalesce(part, name), CASE WHEN part IS NULL THEN NULL ELSE name END, charged FROM q
  WHERE NOT sold AND charged > 0 ORDER BY 1
  ON CONFLICT (name) DO UPDATE SET sum = s.sum + excluded.sum),
-- Locked with what is told of them: no CTE is joined with another one, whose sizes nobody can estimate.
la AS (
  SELECT q.*, a.balance AS sum, a.leased, a.ask_no, a.ask_node, a.ask_until
  FROM accounts a JOIN q ON q.account = a.id WHERE q.sold ORDER BY a.id FOR UPDATE OF a),
ls AS (
  SELECT q.*, s.sum, s.leased, s.ask_no, s.ask_node, s.ask_until, s.used AS used_before, s.used_at, s.used_limit
  FROM scopes s JOIN q ON q.name = s.name WHERE q.sold AND q.account IS NULL ORDER BY s.name FOR UPDATE OF s),
-- Of a limit a minute, what was used flows back with time; what is left stays, as far as a limit that shrank
-- has room for it.
lm AS (
  SELECT *, CASE WHEN minute AND cap IS NOT NULL THEN greatest(0, used_before - greatest(0, used_limit - cap)
    - greatest(0, now_ms() - used_at)::float8 / 60000 * cap) + charged END AS used FROM ls),
l AS (
  SELECT name, account, cap, charged, give, takes, need, want, ask, answer, quiet, held, leased, ask_no, ask_node,
    ask_until, sum, NULL::float8 AS used FROM la
  UNION ALL
  SELECT name, account, cap, charged, give, takes, need, want, ask, answer, quiet, held, leased, ask_no, ask_node,
    ask_until, CASE WHEN used IS NOT NULL THEN ceil(used)::bigint - charged
      WHEN name LIKE 'service-day %' THEN sum + coalesce(
        (SELECT sum(p.sum)::bigint FROM scopes p WHERE p.part_of = lm.name), 0)
      ELSE sum END, used FROM lm),
c AS (
  SELECT l.*, coalesce(o.amount, 0) AS had, coalesce(o.answered, 0) AS answered, coalesce(o.quiet, true) AS was_quiet,
    o.node IS NOT NULL AS known, ask_node <> 0 AND ask_until >= now_ms() AS live,
    least(charged, coalesce(o.amount, 0)) AS paid
  FROM l LEFT JOIN slices o ON o.scope = l.name AND o.node = $1),
g AS (
  SELECT c.*, least(give, had - paid) AS given,
    CASE WHEN ask = 3 AND live AND ask_node = $1 THEN 0 WHEN ask = 1 AND NOT live THEN $1
      WHEN live THEN ask_node ELSE 0 END AS slot,
    (ask = 1 AND NOT live) OR (ask = 2 AND live AND ask_node = $1) AS asks,
    CASE WHEN account IS NULL THEN cap - sum - charged ELSE sum - charged END AS base
  FROM c),
r AS (
  SELECT g.*, greatest(0, base - (leased - paid - given)) AS room, slot IN (0, $1) AND takes AND cap IS NOT NULL AS may,
    (SELECT count(*) FROM nodes WHERE NOT dead) AS living FROM g),
x AS (
  SELECT r.*, CASE WHEN may THEN least(room, greatest(need, least(want,
    CASE WHEN living <= 1 THEN room ELSE room / (2 * living) END))) ELSE 0 END AS taken FROM r),
z AS (
  SELECT x.*, had - paid - given + taken AS amount, leased - paid - given + taken AS leases,
    ask_no + CASE WHEN asks THEN 1 ELSE 0 END AS slot_no,
    CASE WHEN account IS NULL THEN 0 ELSE greatest(0, charged - greatest(0, sum)) END AS lacking
  FROM x),
-- What a balance lacks that was lowered meanwhile, the service bears: of the last calls first, as \`uncoveredShares\`.
cv AS (
  SELECT id, account, least(cost, lacking - after)::bigint AS amount FROM (
    SELECT b.id, b.account, b.cost, z.lacking,
      sum(b.cost) OVER (PARTITION BY b.account ORDER BY b.id DESC) - b.cost AS after
    FROM b JOIN z ON z.account = b.account WHERE z.lacking > 0 AND b.cost > 0) AS charges
  WHERE lacking > after),
cs AS (SELECT account, sum(amount)::bigint AS amount FROM cv GROUP BY account),
un AS (
  INSERT INTO transfers (debit, credit, amount, kind, reference, created, note, told)
  SELECT ${houseAccounts.adjustments}, account, amount, 'adjustment', '${uncoveredReference('')}' || id, now_ms(),
    '${uncoveredNote}', 1
  FROM cv),
ha AS (
  UPDATE accounts SET balance = balance - (SELECT sum(amount) FROM cs)::bigint
  WHERE id = ${houseAccounts.adjustments} AND EXISTS (SELECT 1 FROM cs)),
ua AS (
  UPDATE accounts a SET balance = z.sum - z.charged + coalesce((SELECT amount FROM cs WHERE cs.account = z.account), 0),
    leased = leases, ask_no = slot_no, ask_node = slot,
    ask_until = CASE WHEN slot = 0 THEN 0 WHEN ask = 1 AND asks THEN now_ms() + 500 ELSE a.ask_until END
  FROM z WHERE a.id = z.account),
us AS (
  UPDATE scopes s SET sum = CASE WHEN z.used IS NULL THEN s.sum + z.charged ELSE 0 END,
    used = coalesce(z.used, 0), used_limit = CASE WHEN z.used IS NULL THEN 0 ELSE z.cap END,
    used_at = CASE WHEN z.used IS NULL THEN 0 ELSE now_ms() END, leased = leases, ask_no = slot_no, ask_node = slot,
    ask_until = CASE WHEN slot = 0 THEN 0 WHEN ask = 1 AND asks THEN now_ms() + 500 ELSE s.ask_until END
  FROM z WHERE s.name = z.name AND z.account IS NULL),
ws AS (
  INSERT INTO slices AS o (scope, node, amount, answered, quiet, held)
  SELECT name, $1, amount, greatest(answered, answer), CASE WHEN answer > answered THEN quiet ELSE was_quiet END, held
  FROM z WHERE amount > 0 OR (slot <> 0 AND (known OR answer > 0))
  ON CONFLICT (scope, node) DO UPDATE
    SET amount = excluded.amount, answered = excluded.answered, quiet = excluded.quiet,
      held = excluded.held),
ds AS (
  DELETE FROM slices o USING z WHERE o.node = $1 AND o.scope = z.name AND z.amount = 0 AND z.slot = 0),
others AS (
  SELECT o.scope, sum(o.amount)::bigint AS seen, sum(o.held)::bigint AS held,
    json_agg(json_build_array(o.node, o.amount, o.answered, o.quiet)) AS rows
  FROM slices o JOIN z ON z.name = o.scope WHERE o.node <> $1 GROUP BY o.scope),
told AS (
  SELECT pg_notify('chapar_ask', slot_no || ' ' || $1::bigint || ' ' || name) FROM z WHERE asks),
${insertCalls('$1::bigint')},
${updateCalls(`r.status = 'pending'`)},
${chargeCalls},
${freeCalls},
v AS (SELECT * FROM json_to_recordset(($6::text)::json) AS j (
  id text, accepted boolean, status text, progress bigint, cost bigint, vendor text, vendor_model text,
  vendor_job text, vendor_credential text, due bigint) WHERE EXISTS (SELECT 1 FROM me)),
vd AS (DELETE FROM video_jobs j USING v WHERE NOT v.accepted AND j.id = v.id AND j.status = 'creating'),
vu AS (
  UPDATE video_jobs j SET status = v.status, progress = v.progress, cost = v.cost, vendor = v.vendor,
    vendor_model = v.vendor_model, vendor_job = v.vendor_job, vendor_credential = v.vendor_credential,
    due = v.due
  FROM v WHERE v.accepted AND j.id = v.id AND j.status = 'creating' RETURNING j.id)
SELECT
  (SELECT count(*) FROM me)::int AS me,
  (SELECT count(*) FROM told)::int AS told,
  CASE WHEN (SELECT count(*) FROM ru) <> (SELECT count(*) FROM b WHERE NOT begins)
    THEN fail('a call of this exchange has no pending record') ELSE 0 END AS checked,
  CASE WHEN (SELECT count(*) FROM z) <> (SELECT count(*) FROM q WHERE sold)
    THEN fail('a scope of this exchange is not there') ELSE 0 END AS complete,
  CASE WHEN (SELECT count(*) FROM vu) <> (SELECT count(*) FROM v WHERE accepted)
    THEN fail('a video of this exchange is not being created') ELSE 0 END AS created,
  (SELECT version FROM world WHERE id = 1) AS version,
  (SELECT json_agg(json_build_array(z.name, z.amount, may AND taken < need,
    CASE WHEN account IS NULL THEN z.sum + z.charged
      ELSE z.sum - z.charged + coalesce((SELECT amount FROM cs WHERE cs.account = z.account), 0) END,
    leases, slot_no, slot,
    coalesce(others.seen, 0) <> z.leased - z.had, coalesce(others.rows, '[]'::json),
    coalesce(others.held, 0)))
    FROM z LEFT JOIN others ON others.scope = z.name) AS rows,
  ${requestedOf('$1')} AS asked`

/**
 * Outcome of an exchange whose answer was lost. Parameters: $1 node, $2 names of scopes as JSON, $3 when it was
 * registered.
 */
export const standingSql = `
SELECT n.batch, n.dead, (SELECT version FROM world WHERE id = 1) AS version, (SELECT format FROM world WHERE id = 1) AS format,
  (SELECT json_agg(json_build_array(l.name, coalesce(o.amount, 0), false, l.sum, l.leased, l.ask_no,
    CASE WHEN l.ask_until >= now_ms() THEN l.ask_node ELSE 0 END, true, '[]'::json,
    (SELECT coalesce(sum(h.held), 0)::bigint FROM slices h WHERE h.scope = l.name AND h.node <> $1)))
  FROM (
    SELECT 'balance ' || id || ' ' AS name, balance AS sum, leased, ask_no, ask_node, ask_until FROM accounts
    WHERE 'balance ' || id || ' ' IN (SELECT json_array_elements_text(($2::text)::json))
      AND id IN (SELECT split_part(json_array_elements_text(($2::text)::json), ' ', 2)::bigint)
    UNION ALL
    SELECT name, sum + coalesce((SELECT sum(p.sum)::bigint FROM scopes p WHERE p.part_of = s.name), 0), leased,
      ask_no, ask_node, ask_until FROM scopes s
    WHERE name IN (SELECT json_array_elements_text(($2::text)::json))
  ) l LEFT JOIN slices o ON o.scope = l.name AND o.node = $1) AS rows,
  ${requestedOf('$1')} AS asked
FROM nodes n WHERE n.id = $1 AND n.started = $3`

/** Scopes of which a node has a slice and another one asks for it. */
function requestedOf(node: string): string {
  const open = `ask_node NOT IN (0, ${node}) AND ask_until >= now_ms()`
  return `(SELECT json_agg(json_build_array(a.name, a.ask_no)) FROM (
    SELECT 'balance ' || id || ' ' AS name, ask_no FROM accounts WHERE ask_node <> 0 AND ${open}
    UNION ALL SELECT name, ask_no FROM scopes WHERE ask_node <> 0 AND ${open}) a
    JOIN slices o ON o.scope = a.name AND o.node = ${node} WHERE o.answered < a.ask_no)`
}
