import type { Caller } from '../domain/caller'
import type { Clock } from '../domain/clock'
import type { NoticeId } from '../domain/ids'
import { minus, type NanoUsd } from '../domain/money'
import type { DueNotice, NoticeKind, NoticeSubject, Threshold } from '../domain/notice'
import { settled, type Tally } from '../ledger/tally'
import type { Scope } from '../ledger/store'
import type { Charged, Watch } from '../ledger/watch'

export interface WatchParts {
  readonly clock: Clock
  readonly newId: () => NoticeId
  /** The floor of accounts that have none of their own; null for none. */
  readonly floor: NanoUsd | null
  /** Names of the channels that carry each notice. */
  readonly channels: readonly string[]
  /** Notices may have been written. */
  onWritten(): void
}

/** What is remembered as told; the database remembers the rest. */
const mostRemembered = 10_000

/**
 * Finds what is to be told among the sums that a commit writes: a compare for each. What was told
 * is remembered here, so that the database is asked once for each threshold, not at each commit.
 */
export function openWatch({ clock, newId, floor, channels, onWritten }: WatchParts): Watch {
  const told = new Map<string, NanoUsd>()
  let raised: { readonly name: string; readonly limit: NanoUsd }[] = []
  let due: DueNotice[] = []

  const raise = (notice: Finding) => {
    const { kind, subject, threshold, limit, amount, period } = notice
    const name = `${kind} ${numbers(subject)} ${threshold} ${period}`
    if ((told.get(name) ?? -1) >= limit) return
    raised.push({ name, limit })
    const id = newId()
    const created = clock.now()
    due.push({
      notice: { id, kind, subject, threshold, limit, amount, period, created },
      channels,
    })
  }

  const lookAtCap = (
    kind: NoticeKind,
    sum: Tally<Scope>,
    limit: NanoUsd | null,
    subject: (caller: Caller) => NoticeSubject,
    caller: Caller,
  ) => {
    if (limit === null || limit <= 0) return
    const amount = settled(sum)
    // Four fifths, rounded up, without a product that could lose a digit.
    if (amount < limit - Math.floor(limit / 5)) return
    const { period } = sum.scope
    const finding = { kind, subject: subject(caller), limit, amount, period }
    raise({ ...finding, threshold: 80 })
    if (amount >= limit) raise({ ...finding, threshold: 100 })
  }

  const lookAtBalance = ({ caller, balance }: Charged, after: NanoUsd) => {
    const limit = caller.account.noticeFloor ?? floor
    if (limit === null) return
    const subject = ofAccount(caller)
    const kind = 'balance_floor'
    // It was at the floor again in between: whether that was told is the database's to say.
    if (minus(after, balance.pending) >= limit) told.delete(`${kind} ${numbers(subject)} null `)
    if (after < limit) raise({ kind, subject, threshold: null, limit, amount: after, period: '' })
  }

  return {
    due(charged, balances, caps) {
      raised = []
      due = []
      for (const each of charged) {
        const { caller, sums } = each
        const { key, project, account } = caller
        lookAtCap('key_spend_limit', sums.key, key.spendLimit, ofKey, caller)
        const budget = project.monthlyBudget
        lookAtCap('project_monthly_budget', sums.projectMonth, budget, ofProject, caller)
        lookAtCap('account_daily_cap', sums.accountDay, account.dailyCap, ofAccount, caller)
        if (!account.verified)
          lookAtCap('preverification_ceiling', sums.account, caps.kycCeiling, ofAccount, caller)
        const capacity = caps.serviceDayCapacity
        lookAtCap('service_day_capacity', sums.serviceDay, capacity, ofService, caller)
        const after = balances.get(account.id)
        if (after !== undefined) lookAtBalance(each, after)
      }
      return due
    },
    written() {
      if (raised.length === 0) return
      if (told.size > mostRemembered) told.clear()
      for (const { name, limit } of raised) told.set(name, limit)
      raised = []
      onWritten()
    },
  }
}

interface Finding {
  readonly kind: NoticeKind
  readonly subject: NoticeSubject
  readonly threshold: Threshold
  readonly limit: NanoUsd
  readonly amount: NanoUsd
  readonly period: string
}

const numbers = ({ account, project, key }: NoticeSubject): string =>
  `${account?.id ?? ''}/${project?.id ?? ''}/${key?.id ?? ''}`

const ofService = (): NoticeSubject => ({ account: null, project: null, key: null })
const ofAccount = ({ account }: Caller): NoticeSubject => ({
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
