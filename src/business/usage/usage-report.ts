import type { AccountId, ProjectId } from '../../domain/ids'
import { plus } from '../../domain/money'
import type { ServiceUsageGroup, UsageSum } from '../../domain/reports/report'
import type { Storage } from '../data/storage'

/** Span and grouping of a sum of the service's usage; days since 1970, both included. */
interface RequestedUsage {
  readonly account: AccountId | null
  readonly project: ProjectId | null
  readonly fromDay: number
  readonly toDay: number
  readonly group: ServiceUsageGroup
}

/** A sum under the id of what it is of, with its name where it has one. */
export interface NamedUsage extends UsageSum {
  readonly name: string | null
}

type UsageStores = Pick<Storage, 'directory' | 'reports'>

/** Sums of usage by day, model, key, project or account. */
export async function namedUsage(
  storage: UsageStores,
  asked: RequestedUsage,
): Promise<readonly NamedUsage[]> {
  const { project, group, ...rest } = asked
  const sums =
    project === null
      ? await storage.reports.serviceUsage({ ...rest, group })
      : await usageOfProject(storage, { ...asked, project })
  const names = sums.length === 0 ? null : await namesOf(group, storage.directory)
  return sums.map((sum) => ({ ...sum, name: names?.get(Number(sum.key)) ?? null }))
}

async function usageOfProject(
  { directory, reports }: UsageStores,
  { account, project, fromDay, toDay, group }: RequestedUsage & { readonly project: ProjectId },
): Promise<readonly UsageSum[]> {
  const found = await directory.findProject(project)
  if (found === null || (account ?? found.account) !== found.account) return []
  const isWhole = group === 'project' || group === 'account'
  const sums = await reports.usage({ project, fromDay, toDay, group: isWhole ? 'model' : group })
  const [first, ...others] = sums
  if (!isWhole || first === undefined) return sums
  const key = String(group === 'project' ? project : found.account)
  return [others.reduce(together, { ...first, key })]
}

/** Names of projects, accounts or keys by number; null where the group has no names. */
async function namesOf(
  group: ServiceUsageGroup,
  directory: Storage['directory'],
): Promise<ReadonlyMap<number, string> | null> {
  if (group === 'day' || group === 'model') return null
  const named =
    group === 'project'
      ? await directory.listProjects()
      : group === 'account'
        ? await directory.listAccounts()
        : await directory.listKeys()
  return new Map(named.map(({ id, name }) => [id, name]))
}

const together = (one: UsageSum, other: UsageSum): UsageSum => ({
  key: one.key,
  requests: one.requests + other.requests,
  errors: one.errors + other.errors,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cost: plus(one.cost, other.cost),
})
