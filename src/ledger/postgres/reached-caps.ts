import type { SQL } from 'bun'
import type { AccountId, KeyId, ProjectId } from '../../domain/ids'
import { nanoUsd, type NanoUsd } from '../../domain/money'
import type { NoticeKind, NoticeSubject } from '../../domain/notice'
import type { ReachedCap } from '../../domain/notice'
import { statement } from '../../storage/postgres/retry'

/** Limits that stand in no row. Null: none. */
export interface ServiceCaps {
  readonly kycCeiling: NanoUsd
  readonly serviceDayCapacity: NanoUsd | null
  readonly floor: NanoUsd | null
}

interface Row {
  readonly kind: NoticeKind
  readonly account: bigint | null
  readonly account_name: string
  readonly project: bigint | null
  readonly project_name: string
  readonly key: bigint | null
  readonly key_name: string
  readonly prefix: string
  readonly period: string
  readonly cap: bigint
  readonly amount: bigint
}

const near = (cap: string): string => `s.sum >= ${cap} - ${cap} / 5 AND ${cap} > 0`
const ids = `(SELECT (json_array_elements_text(($1::text)::json))::bigint)`
const day = `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')`
const month = `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM')`
const noKey = `NULL::bigint AS key, '' AS key_name, '' AS prefix`
const noProject = `NULL::bigint AS project, '' AS project_name, ${noKey}`
const ofAccount = `a.id AS account, a.name AS account_name`

const reachedSql = `
SELECT 'key_spend_limit' AS kind, ${ofAccount}, p.id AS project, p.name AS project_name, k.id AS key, k.name AS key_name,
  k.prefix, '' AS period, k.spend_limit AS cap, s.sum AS amount
FROM accounts a JOIN projects p ON p.account = a.id JOIN keys k ON k.project = p.id
JOIN scopes s ON s.name = 'key ' || k.id || ' ' WHERE a.id IN ${ids} AND ${near('k.spend_limit')}
UNION ALL SELECT 'project_monthly_budget', ${ofAccount}, p.id, p.name, ${noKey}, ${month}, p.monthly_budget, s.sum
FROM accounts a JOIN projects p ON p.account = a.id
JOIN scopes s ON s.name = 'project-month ' || p.id || ' ' || ${month} WHERE a.id IN ${ids} AND ${near('p.monthly_budget')}
UNION ALL SELECT 'account_daily_cap', ${ofAccount}, ${noProject}, ${day}, a.daily_cap, s.sum
FROM accounts a JOIN scopes s ON s.name = 'account-day ' || a.id || ' ' || ${day} WHERE a.id IN ${ids} AND ${near('a.daily_cap')}
UNION ALL SELECT 'preverification_ceiling', ${ofAccount}, ${noProject}, '', $2::bigint, s.sum
FROM accounts a JOIN scopes s ON s.name = 'account ' || a.id || ' '
WHERE a.id IN ${ids} AND a.verified = 0 AND ${near('$2::bigint')}
UNION ALL SELECT 'service_day_capacity', NULL, '', ${noProject}, ${day}, $3::bigint, s.sum
FROM (SELECT coalesce(sum(c.sum), 0)::bigint AS sum FROM scopes c
  WHERE c.name = 'service-day 0 ' || ${day} OR c.part_of = 'service-day 0 ' || ${day}) s WHERE ${near('$3::bigint')}
UNION ALL SELECT 'balance_floor', ${ofAccount}, ${noProject}, '', coalesce(a.notice_floor, $4::bigint), a.balance
FROM accounts a WHERE a.id IN ${ids} AND a.balance < coalesce(a.notice_floor, $4::bigint)`

/** Caps and floors of those accounts, and of the service, that are worth telling by now. */
export async function reachedCaps(
  sql: SQL,
  accounts: readonly number[],
  { kycCeiling, serviceDayCapacity, floor }: ServiceCaps,
): Promise<readonly ReachedCap[]> {
  const rows = await statement<Row>(sql, reachedSql, [
    JSON.stringify(accounts),
    kycCeiling,
    serviceDayCapacity,
    floor,
  ])
  return rows.map((row) => ({
    kind: row.kind,
    subject: subjectOf(row),
    period: row.period,
    limit: nanoUsd(Number(row.cap)),
    amount: nanoUsd(Number(row.amount)),
  }))
}

const subjectOf = (row: Row): NoticeSubject => ({
  account:
    row.account === null ? null : { id: Number(row.account) as AccountId, name: row.account_name },
  project:
    row.project === null ? null : { id: Number(row.project) as ProjectId, name: row.project_name },
  key:
    row.key === null
      ? null
      : { id: Number(row.key) as KeyId, name: row.key_name, prefix: row.prefix },
})
