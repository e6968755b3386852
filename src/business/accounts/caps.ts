import { verificationCeiling, type Account, type Key, type Project } from '../../domain/caller'
import type { Ms } from '../../domain/clock'
import { nanoUsd, type NanoUsd } from '../../domain/money'
import type { CapSettings } from '../../ledger/caps'
import { periodOf } from '../../ledger/periods'
import type { SpendingReader } from '../../ledger/spending-reader'
import type { Scope } from '../../ledger/store'

type CapName =
  'key_spend_limit' | 'project_budget' | 'daily_cap' | 'verification_ceiling' | 'daily_capacity'

/** One cap, and how far it is. Money that running calls hold is not counted. */
export interface CapUse {
  readonly name: CapName
  /** Empty: since ever; else the UTC day or month. */
  readonly period: string
  /** Null: no limit is set. */
  readonly limit: NanoUsd | null
  readonly spent: NanoUsd
  /** Null without a limit. */
  readonly left: NanoUsd | null
}

/** Owner of caps: an account, one of its projects, or one of that project's keys. */
interface CapOwner {
  readonly account: Account
  readonly project?: Project
  readonly key?: Key
}

/** Every cap that a call of the owner would be held against, the narrowest first. */
export async function ownerCaps(
  spending: SpendingReader,
  { account, project, key }: CapOwner,
  settings: CapSettings,
  now: Ms,
): Promise<readonly CapUse[]> {
  const { day, month } = periodOf(now)
  const caps: (Pick<CapUse, 'name' | 'limit'> & { readonly scope: Scope })[] = []
  if (key !== undefined)
    caps.push({
      name: 'key_spend_limit',
      limit: key.spendLimit,
      scope: { kind: 'key', id: key.id, period: '' },
    })
  if (project !== undefined)
    caps.push({
      name: 'project_budget',
      limit: project.monthlyBudget,
      scope: { kind: 'project-month', id: project.id, period: month },
    })
  caps.push({
    name: 'daily_cap',
    limit: account.dailyCap,
    scope: { kind: 'account-day', id: account.id, period: day },
  })
  caps.push({
    name: 'verification_ceiling',
    limit: verificationCeiling(account, settings),
    scope: { kind: 'account', id: account.id, period: '' },
  })
  caps.push({
    name: 'daily_capacity',
    limit: settings.serviceDayCapacity,
    scope: { kind: 'service-day', id: 0, period: day },
  })
  const sums = await spending.spent(caps.map(({ scope }) => scope))
  return caps.map(({ name, limit, scope }, at) => {
    const spent = sums[at] ?? nanoUsd(0)
    const left = limit === null ? null : nanoUsd(Math.max(0, limit - spent))
    return { name, period: scope.period, limit, spent, left }
  })
}
