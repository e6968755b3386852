import type { AccountLimits, Project } from '../../domain/caller'
import { showUsd, type NanoUsd } from '../../domain/money'
import type { Movement } from '../../domain/movement'
import { serviceLimits, type LimitName } from '../../identity/account-limits'
import type { AccountSummary, Directory, KeySummary } from '../../identity/directory'
import type { Fields } from '../../trail/trail'
import type { Record } from './recorder'
import type { Rows } from './store-rows'

/** An amount as the trail tells it. */
export const usdFields = (amount: NanoUsd | null): string | null =>
  amount === null ? null : showUsd(amount)

/** Fields of an account as the trail tells of them; so for a project and a key. */
export const accountFields = (account: AccountSummary): Fields => ({
  name: account.name,
  status: account.status,
  verified: account.verified,
  group: account.group,
  ...keptLimitFields(account),
  notice_floor_usd: usdFields(account.noticeFloor),
})

/** What is its own, and the service's where nothing is: a change of its group changes nothing of it. */
function keptLimitFields(account: AccountSummary): Fields {
  const { ownLimits } = account
  const kept = <Name extends LimitName>(name: Name): AccountSummary[Name] | AccountLimits[Name] =>
    ownLimits.includes(name) ? account[name] : serviceLimits[name]
  return {
    daily_cap_usd: usdFields(kept('dailyCap')),
    concurrency: kept('concurrency'),
    requests_per_minute: kept('requestsPerMinute'),
    max_request_kb: kept('maxRequestKb'),
    unverified_ceiling_usd: usdFields(kept('unverifiedCeiling')),
    own_limits: ownLimits,
  }
}

export const projectFields = (project: Project): Fields => ({
  account: project.account,
  name: project.name,
  active: project.active,
  allowed_models: project.allowedModels,
  monthly_budget_usd: usdFields(project.monthlyBudget),
})

export const keyFields = (key: KeySummary): Fields => ({
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

const fieldsOf = <T>(found: T | null, fields: (found: T) => Fields): Fields | null =>
  found === null ? null : fields(found)

/** The directory, each change of it with its line of the trail. */
export function recordedDirectory(directory: Rows<Directory>, record: Record): Rows<Directory> {
  return {
    ...directory,
    createAccount: (account) =>
      record({
        what: 'account.create',
        work: () => directory.createAccount(account),
        subject: ({ id }) => `account:${id}`,
        before: () => null,
        after: accountFields,
      }),
    setAccount: (id, change) =>
      record({
        what: 'account.set',
        work: () => directory.setAccount(id, change),
        subject: () => `account:${id}`,
        before: () => fieldsOf(directory.findAccount(id), accountFields),
        after: accountFields,
      }),
    createProject: (project) =>
      record({
        what: 'project.create',
        work: () => directory.createProject(project),
        subject: ({ id }) => `project:${id}`,
        before: () => null,
        after: projectFields,
      }),
    setProject: (id, change) =>
      record({
        what: 'project.set',
        work: () => directory.setProject(id, change),
        subject: () => `project:${id}`,
        before: () => fieldsOf(directory.findProject(id), projectFields),
        after: projectFields,
      }),
    createKey: (key, hash) =>
      record({
        what: 'key.create',
        work: () => directory.createKey(key, hash),
        subject: ({ id }) => `key:${id}`,
        before: () => null,
        after: keyFields,
      }),
    setKey: (id, change) =>
      record({
        what: 'key.set',
        work: () => directory.setKey(id, change),
        subject: () => `key:${id}`,
        before: () => fieldsOf(directory.findKey(id), keyFields),
        after: keyFields,
      }),
    deposit: (movement) => recordedDeposit(directory, record, movement),
  }
}

function recordedDeposit(
  directory: Rows<Directory>,
  record: Record,
  movement: Movement,
): ReturnType<Rows<Directory>['deposit']> {
  const { account, amount, kind, reference, note } = movement
  return record({
    what: `account.${kind}`,
    work: () => directory.deposit(movement),
    subject: () => `account:${account}`,
    before: () => null,
    after: ({ balance, repeated }) =>
      repeated
        ? null
        : { amount_usd: showUsd(amount), balance_usd: showUsd(balance), reference, note },
  })
}
