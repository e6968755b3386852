import { verificationCeiling, type Caller } from '../domain/caller'
import type { NanoUsd } from '../domain/money'
import type { NoticeKind, NoticeSubject } from '../domain/notice'
import type { ErrorCode } from '../errors/codes'
import type { CapSettings } from '../ledger/caps'
import type { CallerSums } from '../ledger/places'
import type { Tally } from '../ledger/tally'
import type { Scope } from '../ledger/store'

/** A cap that is told of: where it stands, what counts against it, and whom it concerns. */
export interface WatchedCap {
  readonly kind: NoticeKind
  /** Code that a call is refused with where it ends. */
  readonly code: ErrorCode
  sum(sums: CallerSums): Tally<Scope>
  /** Null: none. */
  limit(caller: Caller, settings: CapSettings): NanoUsd | null
  subject(caller: Caller): NoticeSubject
}

export const ofService = (): NoticeSubject => ({ account: null, project: null, key: null })
export const ofAccount = ({ account }: Caller): NoticeSubject => ({
  ...ofService(),
  account: { id: account.id, name: account.name },
})
const ofProject = (caller: Caller): NoticeSubject => ({
  ...ofAccount(caller),
  project: { id: caller.project.id, name: caller.project.name },
})
const ofKey = (caller: Caller): NoticeSubject => ({
  ...ofProject(caller),
  key: { id: caller.key.id, name: caller.key.name, prefix: caller.key.prefix },
})

export const watchedCaps: readonly WatchedCap[] = [
  {
    kind: 'key_spend_limit',
    code: 'key_spend_limit_reached',
    sum: ({ key }) => key,
    limit: ({ key }) => key.spendLimit,
    subject: ofKey,
  },
  {
    kind: 'project_monthly_budget',
    code: 'project_budget_exceeded',
    sum: ({ projectMonth }) => projectMonth,
    limit: ({ project }) => project.monthlyBudget,
    subject: ofProject,
  },
  {
    kind: 'account_daily_cap',
    code: 'daily_cap_reached',
    sum: ({ accountDay }) => accountDay,
    limit: ({ account }) => account.dailyCap,
    subject: ofAccount,
  },
  {
    kind: 'preverification_ceiling',
    code: 'kyc_required',
    sum: ({ account }) => account,
    limit: ({ account }, settings) => verificationCeiling(account, settings),
    subject: ofAccount,
  },
  {
    kind: 'service_day_capacity',
    code: 'daily_capacity_reached',
    sum: ({ serviceDay }) => serviceDay,
    limit: (_, { serviceDayCapacity }) => serviceDayCapacity,
    subject: ofService,
  },
]
