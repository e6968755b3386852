import { dayOf, type Clock } from '../../domain/clock'
import type { AccountId, NoticeId } from '../../domain/ids'
import { minus, plus, zeroUsd, type NanoUsd } from '../../domain/money'
import {
  sourceName,
  type DueNotice,
  type Notice,
  type NoticeSubject,
  type NoticeKind,
} from '../../domain/notice'
import type { CapSettings } from '../../ledger/caps'
import type { UnrecordedCall } from '../../ledger/leased/rejected-calls'
import { crossesThreshold, type Floor, type Scope } from '../../ledger/store'
import { settled, type Tally } from '../../ledger/tally'
import type { Charged, Dues, Miscount, Refused, Watch } from '../../ledger/watch'
import { verificationCeiling, type Caller } from '../../domain/caller'
import type { ErrorCode } from '../../errors/codes'
import type { CallerSums } from '../../ledger/places'

interface WatchParts {
  readonly clock: Clock
  readonly newId: () => NoticeId
  /** The floor of accounts that have none of their own; null for none. */
  readonly floor: NanoUsd | null
  /** Names of the channels that carry each notice to operators. */
  readonly channels: readonly string[]
  /** Same, to the people of the account that it is about. */
  readonly holders: readonly string[]
  /** Notices may have been written. */
  onWritten(): void
}

/** Notices remembered as told; the database remembers the rest. */
const maxRemembered = 10_000

/**
 * Finds what is to be told among the sums that a commit writes: a compare for each. What was told
 * is remembered here, so that the database is asked once for each threshold, not at each commit.
 */
export const openWatch = (parts: WatchParts): Watch => new SumWatch(parts)

class SumWatch implements Watch {
  readonly #told = new Map<string, NanoUsd>()
  /**
   * Caps that refused a call before all of them was spent, and odd counts, by their names, until they
   * are written.
   */
  readonly #findings = new Map<string, Finding>()
  /** Notices of the commit that asked last. */
  #asked: Asked = nothingRequested
  readonly #parts: WatchParts

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  miscounted(miscount: Miscount): void {
    const finding = { ...oddCount(miscount), threshold: null }
    const name = nameOf(finding)
    if (!this.#told.has(name) && !this.#findings.has(name)) this.#findings.set(name, finding)
  }

  refused({ caller, sums, code, needed }: Refused, settings: CapSettings): boolean {
    const cap = watchedCaps.find((each) => each.code === code)
    const limit = cap?.limit(caller, settings) ?? null
    if (cap === undefined || limit === null) return false
    const sum = cap.sum(sums)
    const amount = settled(sum)
    // What is only held comes back, and a call that is too dear early on says little of others.
    if (!isNearly(amount, limit) || amount + needed <= limit) return false
    const { period } = sum.scope
    const subject = cap.subject(caller)
    const finding = { kind: cap.kind, subject, threshold: 100, limit, amount, period } as const
    const name = nameOf(finding)
    if (this.#isTold(name, limit) || this.#findings.get(name)?.limit === limit) return false
    this.#findings.set(name, finding)
    return true
  }

  due(charged: readonly Charged[], settings: CapSettings): Dues {
    const asked: Asked = {
      notices: [],
      floors: new Map(),
      raised: [],
      findings: [...this.#findings],
    }
    for (const each of charged) {
      for (const cap of watchedCaps) this.#lookAtCap(asked, cap, each, settings)
      this.#lookAtBalance(asked, each)
    }
    // Behind those: where all is spent by now, that is told instead.
    for (const [, finding] of asked.findings) this.#raise(asked, finding)
    this.#asked = asked
    return { notices: asked.notices, floors: [...asked.floors.values()] }
  }

  written(balances: ReadonlyMap<AccountId, NanoUsd>): void {
    const { raised, floors, findings } = this.#asked
    this.#asked = nothingRequested
    for (const [name, finding] of findings)
      if (this.#findings.get(name) === finding) this.#findings.delete(name)
    for (const [name, floor] of floors) {
      const after = balances.get(floor.account)
      if (after === undefined) continue
      if (crossesThreshold(floor, after)) raised.push({ name, limit: floor.limit })
      // It was at the floor again in between: whether that was told is the database's to say.
      else if (plus(after, floor.charged) >= floor.limit) this.#told.delete(name)
    }
    if (raised.length === 0) return
    if (this.#told.size > maxRemembered) this.#told.clear()
    for (const { name, limit } of raised) this.#told.set(name, limit)
    this.#parts.onWritten()
  }

  #lookAtCap(
    asked: Asked,
    cap: WatchedCap,
    { caller, sums }: Charged,
    settings: CapSettings,
  ): void {
    const sum = cap.sum(sums)
    const limit = cap.limit(caller, settings)
    const amount = settled(sum)
    if (limit === null || !isNearly(amount, limit)) return
    const subject = cap.subject(caller)
    const finding = { kind: cap.kind, subject, limit, amount, period: sum.scope.period }
    this.#raise(asked, { ...finding, threshold: 80 })
    if (amount >= limit) this.#raise(asked, { ...finding, threshold: 100 })
  }

  #lookAtBalance({ floors }: Asked, { caller, balance }: Charged): void {
    const limit = caller.account.noticeFloor ?? this.#parts.floor
    if (limit === null) return
    const subject = ofAccount(caller)
    const finding = { kind: 'balance_floor', subject, threshold: null, limit, period: '' } as const
    const name = nameOf(finding)
    floors.set(name, {
      account: caller.account.id,
      limit,
      charged: minus(zeroUsd, balance.writing),
      isTold: this.#isTold(name, limit),
      due: this.#dueOf({ ...finding, amount: zeroUsd }),
    })
  }

  #raise({ raised, notices }: Asked, finding: Finding): void {
    const name = nameOf(finding)
    const { limit } = finding
    if (this.#isTold(name, limit)) return
    raised.push({ name, limit })
    notices.push(this.#dueOf(finding))
  }

  #dueOf(finding: Finding): DueNotice {
    const { newId, clock, channels: operators, holders } = this.#parts
    const channels = finding.subject.account === null ? operators : [...operators, ...holders]
    return { notice: { id: newId(), created: clock.now(), ...finding }, channels }
  }

  #isTold(name: string, limit: NanoUsd): boolean {
    return (this.#told.get(name) ?? -1) >= limit
  }
}

type Finding = Omit<Notice, 'id' | 'created'>

/** What is told of a call for which a vendor counted more than it can use. */
export const oddCount = ({ source, period, charged: limit, counted: amount }: Miscount) => ({
  kind: 'vendor_counts_oddly' as const,
  subject: { ...ofService(), source },
  period,
  limit,
  amount,
})

/** What is told of a call that a shared database rejects. */
export const unrecordedCall = ({ opening: { id, created }, cost }: UnrecordedCall) => ({
  kind: 'call_not_recorded' as const,
  subject: { ...ofService(), facts: { request: id } },
  period: dayOf(created),
  limit: zeroUsd,
  amount: cost,
})

/** Notices of one commit. */
interface Asked {
  readonly notices: DueNotice[]
  /** By their names. */
  readonly floors: Map<string, Floor>
  /** Notices to remember as told once they are written. */
  readonly raised: { readonly name: string; readonly limit: NanoUsd }[]
  readonly findings: readonly (readonly [string, Finding])[]
}

const nothingRequested: Asked = { notices: [], floors: new Map(), raised: [], findings: [] }

/** Four fifths, rounded up, without a product that could lose a digit. */
const isNearly = (amount: NanoUsd, limit: NanoUsd): boolean =>
  limit > 0 && amount >= limit - Math.floor(limit / 5)

const nameOf = ({ kind, subject, threshold, period }: Omit<Finding, 'limit' | 'amount'>): string =>
  `${kind} ${numbers(subject)} ${threshold} ${period}`

const numbers = ({ account, project, key, source }: NoticeSubject): string =>
  source === undefined
    ? `${account?.id ?? ''}/${project?.id ?? ''}/${key?.id ?? ''}`
    : sourceName(source)

/** A cap that is told of: where it stands, what counts against it, and whom it concerns. */
interface WatchedCap {
  readonly kind: NoticeKind
  /** Code that a call is refused with where it ends. */
  readonly code: ErrorCode
  sum(sums: CallerSums): Tally<Scope>
  /** Null: none. */
  limit(caller: Caller, settings: CapSettings): NanoUsd | null
  subject(caller: Caller): NoticeSubject
}

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

const watchedCaps: readonly WatchedCap[] = [
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
