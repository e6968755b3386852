import { ticksAfter, type Moment, type Ms, type Ticks } from '../../../domain/clock'
import type { VendorConfig } from '../../../domain/model'
import {
  wholeVendor,
  type TroubleTurn,
  type VendorState,
  type VendorTrouble,
} from '../../../domain/vendor-state'
import { CredentialEntry, HealthEntry, noTime } from './credential-entry'
import { credentialIn } from '../credentials'
import type { CheckedVendor } from './check'
import { faultOf, type FailureSeen } from './faults'
import { RecentAttempts } from './recent-calls'
import {
  forbiddenMs,
  forever,
  retryMs,
  troubledEveryMs,
  untilChecked,
  type HealthTerms,
} from './terms'

/** A vendor with its credentials. */
export class VendorEntry {
  called: Ticks
  readonly recent = new RecentAttempts()
  readonly #whole = new HealthEntry()
  readonly #credentials = new Map<string, CredentialEntry>()
  /** Names of those that are in use. */
  #active: readonly string[] | null = null
  #checkedAt: Ticks
  #failingSince: Moment | null = null
  #failures = 0
  /** Whether a call failed since the last check. */
  #callFailed = false
  #turns = 0

  constructor(
    readonly name: string,
    now: Ticks,
    readonly jitter: number,
  ) {
    this.called = now
    this.#checkedAt = now
  }

  get isWell(): boolean {
    if (this.#failingSince !== null || this.#whole.trouble !== null) return false
    for (const each of this.#credentials.values()) if (!each.isWell) return false
    return true
  }

  /** Round robin. */
  turn(): number {
    return (this.#turns = (this.#turns + 1) % forever)
  }

  restore(state: VendorState, now: Moment): void {
    if (state.credential !== wholeVendor) return this.#known(state.credential).restore(state, now)
    this.recent.restore(state.recent)
    this.#whole.restore(state, now)
    const { trouble, since } = state
    this.#failingSince = trouble === null || since === null ? null : { at: since, ticks: now.ticks }
  }

  credential(vendor: VendorConfig): CredentialEntry {
    const entry = this.#known(credentialIn(vendor))
    entry.meet(vendor)
    return entry
  }

  /** @returns names of credentials that are no more */
  configure(vendors: readonly VendorConfig[]): readonly string[] {
    for (const each of vendors) this.credential(each)
    const active = new Set(vendors.map(credentialIn))
    this.#active = [...active]
    const gone = [...this.#credentials.keys()].filter((name) => !active.has(name))
    for (const name of gone) this.#credentials.delete(name)
    return gone
  }

  names(): readonly string[] {
    return [wholeVendor, ...this.#credentials.keys()]
  }

  coolingUntil(now: Ticks): Ticks | null {
    if (this.#whole.until > now) return this.#whole.until
    const names = this.#active ?? [...this.#credentials.keys()]
    const each = names.map((name) => {
      const { trouble, until } = this.#known(name)
      return trouble === null ? noTime : until
    })
    const first = each.length === 0 ? noTime : (Math.min(...each) as Ticks)
    return first > now ? first : null
  }

  /** @param reportsBalance calls do not: it is checked however much it is called */
  isDue(now: Ticks, terms: HealthTerms, reportsBalance: boolean): boolean {
    const every = terms.checkEveryMs()
    if (every === null) return false
    if (this.#credentials.values().some(({ wantsCheck }) => wantsCheck)) return true
    const isInTrouble = this.#isInTrouble()
    const pause = isInTrouble ? Math.min(every, troubledEveryMs) : every
    const asked = reportsBalance || isInTrouble ? this.#checkedAt : this.called
    return now - Math.max(asked, this.#checkedAt) >= pause * this.jitter
  }

  /** When a call to it by this credential failed last; 0 for never. */
  failedAt(vendor: VendorConfig): number {
    return Math.max(this.#whole.failure?.at ?? 0, this.credential(vendor).failure?.at ?? 0)
  }

  succeeded(vendor: VendorConfig, at: Ms): readonly TroubleTurn[] {
    const name = credentialIn(vendor)
    const turns: TroubleTurn[] = []
    if (this.credential(vendor).recover()) turns.push(this.#back(name, at))
    if (this.#works()) turns.push(this.#back(wholeVendor, at))
    return turns
  }

  failed(vendor: VendorConfig, seen: FailureSeen, terms: HealthTerms): readonly TroubleTurn[] {
    if (seen.fault === 'failing') this.#callFailed = true
    return this.#fault(vendor, seen, terms)
  }

  checked(
    vendor: VendorConfig,
    result: CheckedVendor,
    now: Moment,
    terms: HealthTerms,
  ): readonly TroubleTurn[] {
    this.#checkedAt = now.ticks
    const entry = this.credential(vendor)
    if (entry.trouble !== null || entry.checked === null) entry.isChanged = true
    entry.checked = now.at
    entry.wantsCheck = false
    const { error } = result
    const fault = error === null ? 'none' : faultOf(error)
    if (error !== null && fault === 'failing')
      return this.#fault(vendor, { fault, error, now }, terms)
    const turns = this.#answered(now)
    if (error !== null && (fault === 'refused' || fault === 'out_of_money'))
      return [...turns, ...this.#fault(vendor, { fault, error, now }, terms)]
    if (error !== null && fault === 'forbidden' && entry.isSuspect)
      return [...turns, ...this.#fault(vendor, { fault: 'refused', error, now }, terms)]
    return [...turns, ...this.#passed(vendor, result, now)]
  }

  /** @param ending also what waits for its time */
  takeChanged(now: Moment, ending: boolean): readonly VendorState[] {
    if (this.recent.isDue(now, ending)) {
      this.#whole.isChanged = true
      this.recent.wrote(now)
    }
    const changed = [...this.#all()].filter(([, known]) => known.isChanged)
    for (const [, known] of changed) known.isChanged = false
    return changed.map(([name, known]) => this.#stateOf(name, known, now))
  }

  markChanged(credential: string): void {
    if (credential === wholeVendor) this.#whole.isChanged = true
    else this.#known(credential).isChanged = true
  }

  states(now: Moment): readonly VendorState[] {
    return [...this.#all()].map(([name, known]) => this.#stateOf(name, known, now))
  }

  #stateOf(name: string, known: HealthEntry, now: Moment): VendorState {
    const state = known.stateOf(this.name, name, now)
    return name === wholeVendor ? { ...state, recent: this.recent.summary() } : state
  }

  /** Apart from limits, which end by themselves. */
  #isInTrouble(): boolean {
    if (this.#failingSince !== null || this.#whole.trouble !== null) return true
    return this.#credentials
      .values()
      .some(({ trouble, isSuspect }) => trouble !== null || isSuspect)
  }

  #all(): readonly (readonly [string, HealthEntry])[] {
    return [[wholeVendor, this.#whole], ...this.#credentials]
  }

  #known(name: string): CredentialEntry {
    let entry = this.#credentials.get(name)
    if (entry === undefined) this.#credentials.set(name, (entry = new CredentialEntry()))
    return entry
  }

  #fault(
    vendor: VendorConfig,
    { fault, error, now }: FailureSeen,
    terms: HealthTerms,
  ): readonly TroubleTurn[] {
    const entry = this.credential(vendor)
    if (fault === 'failing') {
      this.#whole.noteFailure(error.code, now)
      return this.#fails(now, terms)
    }
    entry.noteFailure(error.code, now)
    switch (fault) {
      case 'limited':
        entry.limited(error.retryAfterSeconds, now.ticks)
        return []
      case 'forbidden':
        // While it cools by that, its next failures say nothing new.
        if (entry.until <= now.ticks) entry.isSuspect = entry.wantsCheck = true
        entry.until = ticksAfter(now.ticks, Math.max(entry.until - now.ticks, forbiddenMs))
        return []
      case 'refused': {
        const isNew = entry.begin('refuses_key', now.at)
        entry.coolUntil(untilChecked(now.ticks, terms))
        entry.isSuspect = false
        return isNew ? [this.#turn('refuses_key', vendor, now.at)] : []
      }
      case 'out_of_money':
        return this.#isEmpty(vendor, now)
      default:
        return []
    }
  }

  /** A check was answered, and not with a fault of the credential. */
  #passed(
    vendor: VendorConfig,
    { provesCredential, balance, isEmpty, error }: CheckedVendor,
    now: Moment,
  ): readonly TroubleTurn[] {
    const entry = this.credential(vendor)
    const { amount, currency } = entry.balance ?? {}
    if (balance !== null && (balance.amount !== amount || balance.currency !== currency)) {
      entry.balance = balance
      entry.isChanged = true
    }
    if (isEmpty) return this.#isEmpty(vendor, now)
    entry.isSuspect = false
    const kind = entry.trouble?.kind
    if (kind === 'refuses_key' && !(provesCredential && error === null)) {
      // Nothing speaks against a call any more.
      entry.coolUntil(noTime)
      return []
    }
    if (kind === 'out_of_money' && (balance === null || Number(balance.amount) <= 0)) return []
    if (kind === undefined) return []
    entry.recover()
    return [this.#back(credentialIn(vendor), now.at)]
  }

  #isEmpty(vendor: VendorConfig, now: Moment): readonly TroubleTurn[] {
    const entry = this.credential(vendor)
    const isNew = entry.begin('out_of_money', now.at)
    entry.coolUntil(ticksAfter(now.ticks, retryMs))
    return isNew ? [this.#turn('out_of_money', vendor, now.at)] : []
  }

  /** The vendor works: nothing of what it failed at is left. @returns whether it was down */
  #works(): boolean {
    this.#failingSince = null
    this.#failures = 0
    this.#callFailed = false
    const wasDown = this.#whole.trouble !== null
    if (wasDown) this.#whole.isChanged = true
    this.#whole.trouble = null
    this.#whole.until = noTime
    return wasDown
  }

  /** It answers a check. Where calls failed meanwhile, that proves little: the next ones may try. */
  #answered(now: Moment): readonly TroubleTurn[] {
    if (this.#callFailed) {
      this.#callFailed = false
      this.#whole.coolUntil(noTime)
      return []
    }
    return this.#works() ? [this.#back(wholeVendor, now.at)] : []
  }

  #fails(now: Moment, terms: HealthTerms): readonly TroubleTurn[] {
    this.#failures++
    const since = (this.#failingSince ??= now)
    if (this.#whole.trouble !== null) {
      this.#whole.coolUntil(untilChecked(now.ticks, terms))
      return []
    }
    if (this.#failures < 2 || now.ticks - since.ticks < terms.downAfterMs()) return []
    this.#whole.begin('down', since.at)
    this.#whole.coolUntil(untilChecked(now.ticks, terms))
    return [{ kind: 'down', vendor: this.name, credential: wholeVendor, at: since.at }]
  }

  #turn(kind: VendorTrouble, vendor: VendorConfig, at: Ms): TroubleTurn {
    return { kind, vendor: this.name, credential: credentialIn(vendor), at }
  }

  #back(credential: string, at: Ms): TroubleTurn {
    return { kind: 'back', vendor: this.name, credential, at }
  }
}
