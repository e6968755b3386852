import { accountFields } from '../domain/account-fields'
import type { Project } from '../domain/caller'
import { trailed } from '../domain/fields'
import { keyFields } from '../domain/key-fields'
import { showUsd, type NanoUsd } from '../domain/money'
import { projectFields } from '../domain/project-fields'
import { limitNames, serviceLimits } from '../identity/account-limits'
import type { AccountSummary, KeySummary } from '../identity/directory'
import type { TrailFields } from '../trail/trail'

/** An amount as the trail tells it. */
export const usdFields = (amount: NanoUsd | null): string | null =>
  amount === null ? null : showUsd(amount)

/** An account as the trail tells of it; so a project and a key. Limits are its own, else the service's. */
export function accountTrail(account: AccountSummary): TrailFields {
  const { ownLimits } = account
  const kept = Object.fromEntries(
    limitNames.map((name) => [name, (ownLimits.includes(name) ? account : serviceLimits)[name]]),
  )
  return { ...trailed(accountFields, { ...account, ...kept }), own_limits: ownLimits }
}

export const projectTrail = (project: Project): TrailFields => ({
  account: project.account,
  ...trailed(projectFields, project),
})

export const keyTrail = (key: KeySummary): TrailFields => ({
  project: key.project,
  prefix: key.prefix,
  state: key.state,
  ...trailed(keyFields, key),
})
