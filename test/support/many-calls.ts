import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../src/storage/sqlite/connect'
import { migrate } from '../../src/storage/sqlite/migrate'
import { testFolder, type TestFolder } from '../storage/folder'

interface ManyCalls {
  readonly calls: number
  /** Accounts 1 to so many; the first one has half of all calls, and the last one none. */
  readonly accounts: number
  /** Further keys of the first account. */
  readonly keys: number
  /** Charges that were not in the sums yet when the process died. */
  readonly unsummed: number
}

const counted = (count: number) =>
  `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`
const dayMs = 86_400_000
const hourMs = 3_600_000

/** People of the first account and of the last one. */
export const busyPhone = '09120000001'
export const newPhone = '09120000002'

/** The id of a call; ids grow with their time. */
const idSql = `printf('req_%012x%020x', created, n)`

/** A folder whose lists and roll-ups are still to be filled, with calls of three months until an hour ago. */
export function manyCalls({ calls, accounts, keys, unsummed }: ManyCalls): TestFolder {
  const folder = testFolder()
  folder.clock.set(Date.now())
  writeFileSync(join(folder.path, 'secret.key'), randomBytes(64), { mode: 0o600 })
  const connection = connect(join(folder.path, 'chapar.db'))
  migrate(connection, { folder: folder.path, locked: false })
  const { raw } = connection
  raw.run('PRAGMA synchronous = OFF')
  const until = Date.now() - hourMs
  const from = until - 90 * dayMs
  connection.transaction(() => {
    raw.run(`${counted(accounts)} INSERT INTO accounts (id, name, status, verified, concurrency,
      requests_per_minute, max_request_kb, balance, created)
      SELECT n, 'account ' || n, 'active', 1, 8, 1000000, 1024, 0, 0 FROM numbers`)
    raw.run(`${counted(accounts)} INSERT INTO projects (id, account, name, active, created)
      SELECT n, n, 'project ' || n, 1, 0 FROM numbers`)
    raw.run(`${counted(accounts + keys)} INSERT INTO keys (id, project, name, hash, prefix, state, created)
      SELECT n, iif(n <= ${accounts}, n, 1), 'key ' || n, 'hash ' || n, 'sk-test', iif(n % 7 = 0, 'revoked', 'active'), 0
      FROM numbers`)
    const person = raw.prepare('INSERT INTO people (id, phone, created) VALUES (?, ?, 0)')
    const member = raw.prepare(
      `INSERT INTO memberships (person, account, role, created) VALUES (?, ?, 'owner', 0)`,
    )
    for (const [id, phone, account] of [
      [1, busyPhone, 1],
      [2, newPhone, accounts],
    ] as const) {
      person.run(id, `+98${phone.slice(1)}`)
      member.run(id, account)
    }
    raw.run(`${counted(calls)}, calls (n, created, account) AS (
        SELECT n, ${from} + CAST(n * ${(until - from) / calls} AS INTEGER),
          iif(n % 2 = 0, 1, 2 + n / 2 % ${accounts - 2}) FROM numbers)
      INSERT INTO requests (id, account, project, key, endpoint, model, vendor, vendor_model, streamed,
        status, input_tokens, output_tokens, cached_tokens, reasoning_tokens, estimated, cost, held,
        card_version, address, created, latency_ms, error)
      SELECT ${idSql}, account, account, iif(account = 1, 1 + n / 2 % 50 * (${accounts} > 50), account), 'chat',
        'acme/model-' || (n / 3 % 8), 'acme', 'm', 0, iif(n % 20 = 0, 'error', 'success'), 700, 200, 0, 0,
        0, iif(n % 20 = 0, 0, 1000 + n % 977), 2000, '1', '::1', created, 800, iif(n % 20 = 0, 'upstream_error', NULL)
      FROM calls`)
    raw.run(`INSERT INTO transfers (debit, credit, amount, kind, reference, created)
      SELECT account, -1, cost, 'charge', id, created FROM requests WHERE cost > 0 ORDER BY id`)
    raw.run(`INSERT INTO transfers (debit, credit, amount, kind, reference, created, by)
      SELECT -1, account, cost, 'refund', id, created + 1, 'test' FROM requests
      WHERE cost > 0 AND rowid % 997 = 0 AND rowid < ${calls - 2 * unsummed}`)
    raw.run(`UPDATE accounts SET balance = (SELECT coalesce(sum(m.amount), 0) FROM (
      SELECT credit AS account, amount FROM transfers UNION ALL SELECT debit, -amount FROM transfers
    ) m WHERE m.account = accounts.id) WHERE id < 0`)
    raw.run(`WITH moved AS MATERIALIZED (
        SELECT account, sum(amount) AS amount FROM (
          SELECT credit AS account, amount FROM transfers UNION ALL SELECT debit, -amount FROM transfers
        ) GROUP BY account)
      UPDATE accounts SET balance = coalesce((SELECT amount FROM moved WHERE account = id), 0)`)
    writeSums(raw, calls, unsummed)
    beginFills(raw)
  })
  connection.close()
  return folder
}

/** As a process keeps them, but for its last charges; calls without a cost are always in. */
function writeSums(raw: ReturnType<typeof connect>['raw'], calls: number, unsummed: number): void {
  const isIn = `(r.cost = 0 OR r.rowid <= ${calls - unsummed})`
  const refunds = `transfers t JOIN requests r ON r.id = t.reference WHERE t.kind = 'refund'`
  const merged = (sums: string) => `ON CONFLICT DO UPDATE SET ${sums} = ${sums} + excluded.${sums}`
  raw.run(`INSERT INTO usage_days SELECT project, created / ${dayMs}, key, model, count(*),
    sum(status = 'error'), sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(cost)
    FROM requests r WHERE ${isIn} GROUP BY 1, 2, 3, 4`)
  raw.run(`INSERT INTO usage_days SELECT r.project, r.created / ${dayMs}, r.key, r.model, 0, 0, 0, 0, 0,
    -sum(t.amount) FROM ${refunds} GROUP BY 1, 2, 3, 4 ${merged('cost')}`)
  raw.run(`INSERT INTO profit_days SELECT created / ${dayMs}, model, vendor, count(*), sum(cost), 0, 0,
    count(*) FROM requests r WHERE ${isIn} GROUP BY 1, 2, 3`)
  raw.run(`INSERT INTO profit_days SELECT r.created / ${dayMs}, r.model, r.vendor, 0, 0, sum(t.amount), 0, 0
    FROM ${refunds} GROUP BY 1, 2, 3 ${merged('refunded')}`)
  raw.run(`INSERT INTO profit_accounts SELECT created / ${dayMs}, account, count(*), sum(cost), 0, 0,
    count(*) FROM requests r WHERE ${isIn} GROUP BY 1, 2`)
  raw.run(`INSERT INTO profit_accounts SELECT r.created / ${dayMs}, r.account, 0, 0, sum(t.amount), 0, 0
    FROM ${refunds} GROUP BY 1, 2 ${merged('refunded')}`)
  for (const [kind, id, period] of [
    ['key', 'key', `''`],
    ['project-month', 'project', `strftime('%Y-%m', r.created / 1000, 'unixepoch')`],
    ['account', 'account', `''`],
    ['account-day', 'account', `date(r.created / 1000, 'unixepoch')`],
    ['service-day', '0', `date(r.created / 1000, 'unixepoch')`],
  ] as const) {
    const column = id === '0' ? id : `r.${id}`
    raw.run(`INSERT INTO spent (kind, id, period, amount) SELECT '${kind}', ${column}, ${period},
      sum(cost) FROM requests r WHERE cost > 0 AND ${isIn} GROUP BY 2, 3`)
    raw.run(`INSERT INTO spent (kind, id, period, amount) SELECT '${kind}', ${column}, ${period},
      -sum(t.amount) FROM ${refunds} GROUP BY 2, 3 ${merged('amount')}`)
  }
  raw.run(`UPDATE summed SET transfer = (SELECT max(t.id) FROM transfers t JOIN requests r
    ON r.id = t.reference WHERE t.kind = 'charge' AND r.rowid <= ${calls - unsummed})`)
}

/** Sums by days of the zone and by months; what else is made of calls, the fills are to make. */
function beginFills(raw: ReturnType<typeof connect>['raw']): void {
  for (const statement of fills) raw.run(statement)
  raw.run('UPDATE summed SET transfer = (SELECT max(id) FROM transfers) WHERE shard > 65')
}

const fills: readonly string[] = [
  `INSERT INTO usage_zone_days SELECT project, (created + 12600000) / 86400000, key, model, count(*),
      sum(status = 'error'), sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(cost) FROM
      requests WHERE status <> 'pending' GROUP BY 1, 2, 3, 4`,
  `INSERT INTO usage_zone_days SELECT r.project, (r.created + 12600000) / 86400000, r.key, r.model, 0,
      0, 0, 0, 0, -sum(t.amount) FROM transfers t JOIN requests r ON r.id = t.reference WHERE t.kind =
      'refund' GROUP BY 1, 2, 3, 4 ON CONFLICT DO UPDATE SET cost = cost + excluded.cost`,
  `INSERT INTO usage_zone_days SELECT r.project, (r.created + 12600000) / 86400000, r.key, r.model,
      -sum(t.kind = 'charge'), -sum(t.kind = 'charge' AND r.status = 'error'), -sum(iif(t.kind =
      'charge', r.input_tokens, 0)), -sum(iif(t.kind = 'charge', r.output_tokens, 0)), -sum(iif(t.kind =
      'charge', r.cached_tokens, 0)), -sum(iif(t.kind = 'charge', t.amount, -t.amount)) FROM transfers t
      JOIN requests r ON r.id = t.reference JOIN summed s ON s.shard = r.project % 64 WHERE t.id >
      s.transfer AND t.id > (SELECT min(transfer) FROM summed) AND +t.kind IN ('charge', 'refund') AND
      t.by IS NULL GROUP BY 1, 2, 3, 4 ON CONFLICT DO UPDATE SET requests = requests + excluded.requests,
      errors = errors + excluded.errors, input_tokens = input_tokens + excluded.input_tokens,
      output_tokens = output_tokens + excluded.output_tokens, cached_tokens = cached_tokens +
      excluded.cached_tokens, cost = cost + excluded.cost`,
  `INSERT INTO account_calls_fill (id, before) SELECT 1, 'req_~' WHERE EXISTS (SELECT 1 FROM requests)`,
  `INSERT INTO profit_months SELECT unixepoch(day * 86400, 'unixepoch', 'start of month') / 86400,
      model, vendor, sum(calls), sum(charged), sum(refunded), sum(vendor_cost), sum(uncosted) FROM
      profit_days GROUP BY 1, 2, 3`,
  `INSERT INTO profit_account_months SELECT unixepoch(day * 86400, 'unixepoch', 'start of month') /
      86400, account, sum(calls), sum(charged), sum(refunded), sum(vendor_cost), sum(uncosted) FROM
      profit_accounts GROUP BY 1, 2`,
  `INSERT INTO usage_months SELECT project, unixepoch(day * 86400, 'unixepoch', 'start of month') /
      86400, key, model, sum(requests), sum(errors), sum(input_tokens), sum(output_tokens),
      sum(cached_tokens), sum(cost) FROM usage_days GROUP BY 1, 2, 3, 4`,
  `INSERT INTO usage_rollup_fill (id, project, day) SELECT 1, 0, 0 WHERE EXISTS (SELECT 1 FROM
      usage_days)`,
  `INSERT INTO usage_rollup_fill (id, project, day) SELECT 2, 0, 0 WHERE EXISTS (SELECT 1 FROM
      usage_zone_days)`,
]
