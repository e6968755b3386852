import type { SQL } from 'bun'
import type { Ms } from '../../domain/clock'
import type { NodeId } from '../../domain/ids'
import { scopeName } from '../leased/exchange'
import { periodOf } from '../periods'
import { scopesOf, type Spender } from '../scopes'
import { houseAccounts } from '../system-accounts'
import { uncoveredNote, uncoveredReference, uncoveredShares } from '../shortfall'
import { retried } from '../../storage/postgres/retry'

/** What was left by nodes that are gone. */
export interface TakenOver {
  readonly nodes: readonly NodeId[]
  /** Calls that were ended for them. */
  readonly calls: number
}

const nobody: TakenOver = { nodes: [], calls: 0 }

/**
 * Takes over nodes that are silent for their ttl: their slices go back, their running calls become errors that cost what
 * they owed. Only a node that has lived for a whole ttl without a gap may: after an outage everybody first speaks for
 * itself.
 */
export async function takeOver(sql: SQL, by: NodeId, ttlMs: number): Promise<TakenOver> {
  return retried(() =>
    sql.begin(async (work) => {
      const gone = (await work.unsafe(
        `UPDATE nodes SET dead = true, ended = now_ms(), taken_by = $1 WHERE id IN (
          SELECT n.id FROM nodes n WHERE NOT n.dead AND n.expires < now_ms() AND EXISTS (
            SELECT 1 FROM nodes m WHERE m.id = $1 AND NOT m.dead AND m.expires >= now_ms()
              AND now_ms() - m.renewed >= $2)
          ORDER BY n.id FOR UPDATE SKIP LOCKED) RETURNING id`,
        [by, ttlMs],
      )) as { id: bigint }[]
      const nodes = gone.map(({ id }) => Number(id))
      if (nodes.length === 0) return nobody
      return { nodes, calls: await finalizeDead(work, nodes) }
    }),
  )
}

export const listIn = (parameter: string): string =>
  `(SELECT (json_array_elements_text((${parameter}::text)::json))::bigint)`

interface Charged extends Spender {
  readonly id: string
  readonly created: Ms
  readonly cost: number
}

/** Ends what is left of nodes that are marked as gone. @returns how many calls */
export async function finalizeDead(work: SQL, nodes: readonly NodeId[]): Promise<number> {
  const gone = JSON.stringify(nodes)
  const calls = (await work.unsafe(
    `UPDATE requests SET status = 'error', error = 'gateway_error', cost = coalesce(owed, 0), node = - node
      WHERE status = 'pending' AND node IN ${listIn('$1')}
      RETURNING id, account::float8, project::float8, key::float8, cost::float8, created::float8`,
    [gone],
  )) as Charged[]
  const ids = JSON.stringify(calls.map(({ id }) => id))
  const ours = 'SELECT json_array_elements_text(($1::text)::json)'
  await work.unsafe(
    `INSERT INTO transfers (debit, credit, amount, kind, reference, created, told)
      SELECT account, -1, cost, 'charge', id, created, 0 FROM requests WHERE id IN (${ours}) AND cost > 0 ORDER BY id`,
    [ids],
  )
  await work.unsafe(
    `INSERT INTO free_calls (request) SELECT id FROM requests WHERE id IN (${ours}) AND cost = 0`,
    [ids],
  )
  await work.unsafe(
    `UPDATE video_jobs SET status = 'failed', error = 'creation_lost', ended = created
      WHERE status = 'creating' AND request IN (${ours})`,
    [ids],
  )
  await giveBack(work, gone)
  await chargeDirectly(
    work,
    calls.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  )
  return calls.length
}

/** Slices of nodes that are gone; a question of theirs is over. */
async function giveBack(work: SQL, gone: string): Promise<void> {
  await work.unsafe(
    `SELECT id FROM accounts WHERE id IN (SELECT split_part(scope, ' ', 2)::bigint FROM slices
      WHERE node IN ${listIn('$1')} AND scope LIKE 'balance %') ORDER BY id FOR UPDATE`,
    [gone],
  )
  await work.unsafe(
    `SELECT name FROM scopes WHERE name IN (SELECT scope FROM slices WHERE node IN ${listIn('$1')})
      ORDER BY name FOR UPDATE`,
    [gone],
  )
  await work.unsafe(
    `WITH back AS (DELETE FROM slices WHERE node IN ${listIn('$1')} RETURNING scope, amount),
      sums AS (SELECT scope, sum(amount)::bigint AS amount FROM back GROUP BY scope),
      ofScopes AS (UPDATE scopes s SET leased = leased - sums.amount FROM sums WHERE s.name = sums.scope)
    UPDATE accounts a SET leased = leased - sums.amount FROM sums
    WHERE sums.scope LIKE 'balance %' AND a.id = split_part(sums.scope, ' ', 2)::bigint`,
    [gone],
  )
  for (const table of ['accounts', 'scopes'])
    await work.unsafe(
      `UPDATE ${table} SET ask_node = 0, ask_until = 0 WHERE ask_node <> 0 AND ask_node IN ${listIn('$1')}`,
      [gone],
    )
}

/**
 * Charges that no slice pays: balances and sums, each kind in one statement, since other nodes wait for these rows.
 * The service bears what a balance lacks, as `uncoveredShares` says.
 */
export async function chargeDirectly(work: SQL, calls: readonly Charged[]): Promise<void> {
  const paid = calls.filter(({ cost }) => cost > 0)
  if (paid.length === 0) return
  const charges = Map.groupBy(paid, ({ account }) => account)
  const sums = new Map<string, number>()
  for (const call of paid)
    for (const scope of Object.values(scopesOf(call, periodOf(call.created))))
      sums.set(scopeName(scope), (sums.get(scopeName(scope)) ?? 0) + call.cost)
  const balances: { id: bigint; balance: bigint }[] = await work.unsafe(
    `SELECT id, balance FROM accounts WHERE id IN ${listIn('$1')} OR id = ${houseAccounts.adjustments}
      ORDER BY id FOR UPDATE`,
    [JSON.stringify([...charges.keys()])],
  )
  const balanceOf = new Map(balances.map(({ id, balance }) => [Number(id), Number(balance)]))
  const covered = [...charges].flatMap(([account, charged]) =>
    uncoveredShares(charged, balanceOf.get(account) ?? 0).map(({ id, amount }) => ({
      account,
      amount,
      reference: uncoveredReference(id),
    })),
  )
  await work.unsafe(chargeSql, [
    JSON.stringify(paid.map(({ account, cost }) => ({ account, cost }))),
    JSON.stringify(covered),
  ])
  await work.unsafe(
    `INSERT INTO scopes AS s (name, sum)
      SELECT name, cost FROM json_to_recordset(($1::text)::json) AS j (name text, cost bigint) ORDER BY name COLLATE "C"
      ON CONFLICT (name) DO UPDATE SET sum = s.sum + excluded.sum`,
    [JSON.stringify(Array.from(sums, ([name, cost]) => ({ name, cost })))],
  )
}

/**
 * Of accounts that are locked. Parameters, as JSON: $1 each call's `account` and `cost`, $2 what the service bears of
 * them: `account`, `amount` and `reference`.
 */
const chargeSql = `
WITH charged AS (
  SELECT account, sum(cost)::bigint AS cost
  FROM json_to_recordset(($1::text)::json) AS j (account bigint, cost bigint) GROUP BY account),
covered AS (
  SELECT * FROM json_to_recordset(($2::text)::json) AS j (account bigint, amount bigint, reference text)),
told AS (
  INSERT INTO transfers (debit, credit, amount, kind, reference, created, note, told)
  SELECT ${houseAccounts.adjustments}, account, amount, 'adjustment', reference, now_ms(), '${uncoveredNote}', 1
  FROM covered),
service AS (
  UPDATE accounts SET balance = balance - (SELECT sum(amount) FROM covered)::bigint
  WHERE id = ${houseAccounts.adjustments} AND EXISTS (SELECT 1 FROM covered))
UPDATE accounts a SET balance = a.balance - c.cost
  + coalesce((SELECT sum(amount)::bigint FROM covered v WHERE v.account = a.id), 0)
FROM charged c WHERE a.id = c.account`
