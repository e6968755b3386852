import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../src/storage/sqlite/connect'
import { migrate } from '../../src/storage/sqlite/migrate'
import type { Connection } from '../../src/storage/sqlite/connection'

export interface LargeService {
  readonly accounts: number
  /** Ended calls of a year, up to an hour ago. */
  readonly calls: number
  readonly models?: number
}

/** Who signs in for an account of a large service. */
export const phoneOfAccount = (account: number): string => `09${String(account).padStart(9, '0')}`

type Raw = Connection['raw']

const dayMs = 86_400_000
const hourMs = 3_600_000
const callsInSlice = 500_000
/** What further keys and projects the busiest account has. */
const ownKeys = 50
const usualModels = 20

const counted = (first: number, last: number): string =>
  `WITH RECURSIVE numbers (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last})`
/** Pseudo-random in 0 to 1, the same in each run. */
const chance = (salt: number): string => `((n * 2654435761 + ${salt}) % 4294967291 / 4294967291.0)`

/**
 * Writes the folder of a service that has many accounts and a year of calls, with every sum, list
 * and index as the gateway would have left them. The busiest account has 2 % of the calls.
 */
export function makeLargeService(
  folder: string,
  { accounts, calls, models = usualModels }: LargeService,
  say: (text: string) => void = () => {},
): void {
  writeFileSync(join(folder, 'secret.key'), randomBytes(64), { mode: 0o600 })
  const connection = connect(join(folder, 'chapar.db'))
  try {
    migrate(connection, { folder, locked: false })
    const { raw } = connection
    raw.run('PRAGMA synchronous = OFF')
    raw.run('PRAGMA foreign_keys = OFF')
    raw.run('PRAGMA cache_size = -1000000')
    const step = (name: string, work: () => void) => {
      const began = performance.now()
      connection.transaction(work)
      raw.run('PRAGMA wal_checkpoint(TRUNCATE)')
      say(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`)
    }
    step('customers', () => putCustomers(raw, accounts))
    const until = Date.now() - hourMs
    for (let first = 1; first <= calls; first += callsInSlice)
      step(`calls from ${first}`, () =>
        putCalls(raw, accounts, models, {
          first,
          last: Math.min(calls, first + callsInSlice - 1),
          from: until - 365 * dayMs,
          apartMs: (365 * dayMs) / calls,
        }),
      )
    step('lists', () =>
      raw.run(`INSERT INTO account_calls (account, request)
        SELECT account, id FROM requests ORDER BY account, id`),
    )
    step('sums', () => putSums(raw))
    step('money', () => putMoney(raw, accounts, until))
    step('trail, notices', () => putLines(raw, accounts))
    raw.run('PRAGMA foreign_keys = ON')
  } finally {
    connection.close()
  }
}

function putCustomers(raw: Raw, accounts: number): void {
  const all = counted(1, accounts)
  raw.run(`${all} INSERT INTO accounts (id, name, status, verified, concurrency,
    requests_per_minute, max_request_kb, balance, created)
    SELECT n, 'customer ' || n, iif(n % 500 = 0, 'suspended', 'active'), 1, 8, 1000000, 1024, 0, n FROM numbers`)
  raw.run(`${all} INSERT INTO projects (id, account, name, active, created)
    SELECT n, n, 'project ' || n, 1, n FROM numbers`)
  raw.run(`${counted(1, accounts + ownKeys)} INSERT INTO keys (id, project, name, hash, prefix, state, created)
    SELECT n, iif(n <= ${accounts}, n, 1), 'key ' || n, 'hash ' || n, printf('sk-chapar-v1-%06x', n),
      iif(n % 7 = 0, 'revoked', 'active'), n FROM numbers`)
  raw.run(`${all} INSERT INTO people (id, phone, created)
    SELECT n, printf('+989%09d', n), n FROM numbers`)
  raw.run(`${all} INSERT INTO memberships (person, account, role, created)
    SELECT n, n, 'owner', n FROM numbers`)
}

interface CallSlice {
  readonly first: number
  readonly last: number
  readonly from: number
  readonly apartMs: number
}

function putCalls(
  raw: Raw,
  accounts: number,
  models: number,
  { first, last, from, apartMs }: CallSlice,
): void {
  raw.run(`${counted(first, last)}, calls (n, created, account) AS (
      SELECT n, ${from} + CAST(n * ${apartMs} AS INTEGER),
        1 + CAST(${accounts} * ${chance(7)} * ${chance(7)} * ${chance(7)} AS INTEGER) FROM numbers)
    INSERT INTO requests (id, account, project, key, endpoint, model, vendor, vendor_model, streamed,
      status, input_tokens, output_tokens, cached_tokens, reasoning_tokens, estimated, cost, held,
      card_version, address, created, zone_day, latency_ms, first_byte_ms, error, vendor_cost, cost_card)
    SELECT printf('req_%012x%020x', created, n), account, account,
      iif(account = 1, ${accounts} + 1 + n / 7 % ${ownKeys}, account), 'chat',
      'acme/model-' || (n / 3 % ${models}), 'acme', 'm', n % 2, iif(n % 20 = 0, 'error', 'success'),
      700, 200, 0, 0, 0, iif(n % 20 = 0, 0, 1000 + n % 977), 2000, '1', '192.0.2.1', created,
      (created + 12600000) / ${dayMs}, 800, 300, iif(n % 20 = 0, 'upstream_error', NULL), 700, 1
    FROM calls`)
  raw.run(`INSERT INTO transfers (debit, credit, amount, kind, reference, created)
    SELECT account, -1, cost, 'charge', id, created FROM requests
    WHERE id > printf('req_%012x', ${from} + CAST(${first} * ${apartMs} AS INTEGER)) AND cost > 0 ORDER BY id`)
}

function putSums(raw: Raw): void {
  const counts = `count(*), sum(status = 'error'), sum(input_tokens), sum(output_tokens),
    sum(cached_tokens), sum(cost)`
  const month = `unixepoch(day * 86400, 'unixepoch', 'start of month') / 86400`
  const added = `sum(requests), sum(errors), sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(cost)`
  for (const [table, day] of [
    ['usage_days', `created / ${dayMs}`],
    ['usage_zone_days', 'zone_day'],
  ] as const)
    raw.run(
      `INSERT INTO ${table} SELECT project, ${day}, key, model, ${counts} FROM requests GROUP BY 1, 2, 3, 4`,
    )
  raw.run(`INSERT INTO usage_months SELECT project, ${month}, key, model, ${added}
    FROM usage_days GROUP BY 1, 2, 3, 4`)
  const rolledUp = (table: string, place: string) =>
    raw.run(`INSERT INTO ${table} SELECT ${place}, ${added} FROM usage_days GROUP BY 1, 2, 3`)
  rolledUp('usage_model_days', 'project, day, model')
  for (const [table, place] of [
    ['usage_zone_model_days', 'project, day, model'],
    ['usage_zone_key_days', 'project, key, day'],
  ])
    raw.run(`INSERT INTO ${table} SELECT ${place}, ${added} FROM usage_zone_days GROUP BY 1, 2, 3`)
  rolledUp('usage_key_months', `${month}, project, key`)
  raw.run(
    `INSERT INTO usage_service_days SELECT day, model, ${added} FROM usage_days GROUP BY 1, 2`,
  )
  const earned = 'count(*), sum(cost), 0, sum(vendor_cost), 0'
  raw.run(`INSERT INTO profit_days SELECT created / ${dayMs}, model, vendor, ${earned}
    FROM requests GROUP BY 1, 2, 3`)
  raw.run(`INSERT INTO profit_accounts SELECT created / ${dayMs}, account, ${earned}
    FROM requests GROUP BY 1, 2`)
  const ofMonth = 'sum(calls), sum(charged), sum(refunded), sum(vendor_cost), sum(uncosted)'
  raw.run(`INSERT INTO profit_months SELECT ${month}, model, vendor, ${ofMonth}
    FROM profit_days GROUP BY 1, 2, 3`)
  raw.run(`INSERT INTO profit_account_months SELECT ${month}, account, ${ofMonth}
    FROM profit_accounts GROUP BY 1, 2`)
  raw.run(
    'CREATE TEMP TABLE daily AS SELECT account, key, day, sum(cost) AS cost FROM (SELECT account, key, created / 86400000 AS day, cost FROM requests WHERE cost > 0) GROUP BY 1, 2, 3',
  )
  for (const [kind, id, period] of [
    ['key', 'key', `''`],
    ['project-month', 'account', `strftime('%Y-%m', day * 86400, 'unixepoch')`],
    ['account', 'account', `''`],
    ['account-day', 'account', `date(day * 86400, 'unixepoch')`],
    ['service-day', '0', `date(day * 86400, 'unixepoch')`],
  ] as const)
    raw.run(`INSERT INTO spent (kind, id, period, amount)
      SELECT '${kind}', ${id} AS owner, ${period} AS period, sum(cost) FROM daily GROUP BY owner, period`)
  raw.run('DROP TABLE daily')
}

/** Top-ups of a year by card and by hand, codes, and the balances that all of it comes to. */
function putMoney(raw: Raw, accounts: number, until: number): void {
  const payments = 3 * accounts
  const began = until - 365 * dayMs
  const created = `CAST(${began} + n * ${(365 * dayMs) / payments} AS INTEGER)`
  const amount = 2_000_000_000
  raw.run(`${counted(1, payments)} INSERT INTO transfers (debit, credit, amount, kind, reference, created)
    SELECT -2, 1 + n % ${accounts}, ${amount}, 'topup', 'zarinpal:' || n, ${created} FROM numbers`)
  raw.run(`INSERT INTO card_payments (id, account, person, gateway, kind, coins, rate, amount, currency,
      charged, reference, state, created, credited, credited_amount, credited_rate, transfer)
    SELECT printf('pay_%012x%08x', created, id), credit, credit, 'zarinpal', 'zarinpal', 200000, '100000',
      amount, 'IRR', 2000000, substr(reference, 10), 'credited', created, created, amount, '100000', id
    FROM transfers WHERE kind = 'topup'`)
  raw.run(`${counted(1, payments)} INSERT INTO card_payments (id, account, person, gateway, kind, coins, rate,
      amount, currency, charged, reference, state, code, created)
    SELECT printf('pay_%012x%08x', 1700000000000 + n, n), 1 + n % ${accounts}, 1 + n % ${accounts}, 'zarinpal',
      'zarinpal', 200000, '100000', ${amount}, 'IRR', 2000000, 'refused-' || n, 'refused', '-51', 1700000000000 + n
    FROM numbers`)
  raw.run(`${counted(1, accounts)} INSERT INTO redeem_codes (hash, batch, amount, ending, created, by)
    SELECT 'hash ' || n, 'batch ' || (n / 1000), ${amount}, printf('%04x', n % 65536), n, 'operator:sara'
    FROM numbers`)
  raw.run(`CREATE TEMP TABLE moved AS SELECT account, sum(amount) AS amount FROM (
      SELECT credit AS account, amount FROM transfers UNION ALL SELECT debit, -amount FROM transfers
    ) GROUP BY account`)
  raw.run('CREATE UNIQUE INDEX temp.moved_account ON moved (account)')
  raw.run(
    `UPDATE accounts SET balance = coalesce((SELECT amount FROM moved WHERE account = id), 0)`,
  )
  raw.run('DROP TABLE moved')
  raw.run(`UPDATE summed SET transfer = (SELECT max(id) FROM transfers)`)
}

function putLines(raw: Raw, accounts: number): void {
  raw.run(`${counted(1, 5 * accounts)} INSERT INTO trail (at, who, what, subject, before, after)
    SELECT n, iif(n % 100 = 0, 'operator:sara', 'person:' || (n % ${accounts})), 'key.update',
      'key:' || (n % ${accounts}), '{"name":"a"}', '{"name":"b"}' FROM numbers`)
  raw.run(`${counted(1, accounts)} INSERT INTO notices (id, kind, subject, period, threshold, "limit", amount,
      about, created)
    SELECT printf('ntc_%012x%08x', n, n), 'service_day_capacity', n, '2026-01-01', 80, 5, 5,
      '{"account":null,"project":null,"key":null}', n FROM numbers`)
  raw.run(`INSERT INTO notice_deliveries (notice, channel, state, attempts, due)
    SELECT id, 'log', 'delivered', 1, created FROM notices`)
  raw.run(`${counted(1, accounts / 2)} INSERT INTO verifications (account, person, state, first_name, last_name,
      provider, submitted, decided)
    SELECT n, n, iif(n % 100 = 0, 'submitted', 'approved'), 'Sara', 'Ahmadi', 'manual', n,
      iif(n % 100 = 0, NULL, n + 1) FROM numbers`)
  raw.run(`${counted(1, accounts)} INSERT INTO video_jobs (id, request, account, project, key, model, seconds, size,
      cost, created, status, progress, vendor, ended)
    SELECT printf('vid_%012x%08x', n, n), 'none', n, n, n, 'acme/video', '4', '1280x720', 0, n,
      iif(n % 10 = 0, 'failed', 'completed'), 100, 'acme', n FROM numbers`)
  raw.run(`${counted(1, 10_000)} INSERT INTO refused_calls (minute, key, source, code, account, project, count,
      endpoint, address, request, time)
    SELECT n * 60000, n, '', 'insufficient_balance', n, n, 3, 'chat', '192.0.2.1', 'req_' || n, n * 60000
    FROM numbers`)
}
