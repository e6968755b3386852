import { accountFields } from '../../domain/fields/account-fields'
import type { Project } from '../../domain/caller'
import { retold, trailed } from '../../domain/fields/field'
import { groupFields } from '../../domain/fields/group-fields'
import { keyFields } from '../../domain/fields/key-fields'
import { projectFields } from '../../domain/fields/project-fields'
import { limitNames, serviceLimits } from '../../gateway/identity/account-limits'
import type { AccountSummary, KeySummary } from '../../gateway/identity/account-directory'
import type { AccountGroup } from '../../gateway/identity/groups'
import type { TrailFields, TrailLine } from '../../domain/audit-log'

/** An account as the trail tells of it; so a group, a project and a key. Limits are its own, else the service's. */
export function accountTrail(account: AccountSummary): TrailFields {
  const { ownLimits } = account
  const kept = Object.fromEntries(
    limitNames.map((name) => [name, (ownLimits.includes(name) ? account : serviceLimits)[name]]),
  )
  return { ...trailed(accountFields, { ...account, ...kept }), own_limits: ownLimits }
}

export const groupTrail = ({ name, limits }: AccountGroup): TrailFields =>
  trailed(groupFields, { name, ...limits })

/** A line of the trail as it would be told now. */
export function retoldLine(line: TrailLine): TrailLine {
  if (!line.subject.startsWith('account:')) return line
  const { before, after } = line
  return {
    ...line,
    before: before === null ? null : retold(accountFields, before),
    after: after === null ? null : retold(accountFields, after),
  }
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
