import type { AccountId, KeyId, ProjectId } from '../domain/ids'
import type { Refund } from '../domain/video-job'
import { periodOf, type Period } from './periods'
import type { Scope, SumScope } from './store'

/** Payer of a call: its key, project and account. */
export interface Spender {
  readonly account: AccountId
  readonly project: ProjectId
  readonly key: KeyId
}

/** The sums that a charge counts in, by what they are checked for. */
export const scopesOf = ({ account, project, key }: Spender, { day, month }: Period) =>
  ({
    key: { kind: 'key', id: key, period: '' },
    projectMonth: { kind: 'project-month', id: project, period: month },
    account: { kind: 'account', id: account, period: '' },
    accountDay: { kind: 'account-day', id: account, period: day },
    serviceDay: { kind: 'service-day', id: 0, period: day },
  }) as const satisfies Record<string, Scope>

/** The sums that a refund counts in, the balance among them. */
export const sumsOfRefund = (refund: Refund): readonly SumScope[] => [
  { kind: 'balance', id: refund.account, period: '' },
  ...Object.values(scopesOf(refund, periodOf(refund.opened))),
]
