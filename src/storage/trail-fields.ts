import type { AccountLimits, Project } from '../domain/caller'
import { showUsd, type NanoUsd } from '../domain/money'
import { serviceLimits, shownRpm, type LimitName } from '../identity/account-limits'
import type { AccountSummary, KeySummary } from '../identity/directory'
import type { TrailFields } from '../trail/trail'

/** An amount as the trail tells it. */
export const usdFields = (amount: NanoUsd | null): string | null =>
  amount === null ? null : showUsd(amount)

/** TrailFields of an account as the trail tells of them; so for a project and a key. */
export const accountFields = (account: AccountSummary): TrailFields => ({
  name: account.name,
  status: account.status,
  verified: account.verified,
  group: account.group,
  ...keptLimitFields(account),
  notice_floor_usd: usdFields(account.noticeFloor),
})

/** What is its own, and the service's where nothing is: a change of its group changes nothing of it. */
function keptLimitFields(account: AccountSummary): TrailFields {
  const { ownLimits } = account
  const kept = <Name extends LimitName>(name: Name): AccountSummary[Name] | AccountLimits[Name] =>
    ownLimits.includes(name) ? account[name] : serviceLimits[name]
  return {
    daily_cap_usd: usdFields(kept('dailyCap')),
    concurrency: kept('concurrency'),
    requests_per_minute: shownRpm(kept('requestsPerMinute')),
    max_request_kb: kept('maxRequestKb'),
    unverified_ceiling_usd: usdFields(kept('unverifiedCeiling')),
    own_limits: ownLimits,
  }
}

export const projectFields = (project: Project): TrailFields => ({
  account: project.account,
  name: project.name,
  active: project.active,
  allowed_models: project.allowedModels,
  monthly_budget_usd: usdFields(project.monthlyBudget),
})

export const keyFields = (key: KeySummary): TrailFields => ({
  project: key.project,
  name: key.name,
  prefix: key.prefix,
  state: key.state,
  requests_per_minute: key.requestsPerMinute,
  spend_limit_usd: usdFields(key.spendLimit),
  allowed_models: key.allowedModels,
  allowed_addresses: key.allowedAddresses,
  expires: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
})
