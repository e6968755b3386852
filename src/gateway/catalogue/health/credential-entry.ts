import { ticksAfter, type Moment, type Ms, type Ticks } from '../../../domain/clock'
import type { VendorConfig } from '../../../domain/model'
import type { VendorBalance, VendorState, VendorTrouble } from '../../../domain/vendor-state'
import { forever, keptForever } from './terms'

/** Moves of a cool-down by less are not written: a further failure of the same kind. */
const noteMs = 60_000
const firstLimitMs = 1000
const maxLimitMs = 60_000
/** Cool-downs end within this, or last until something changes. */
const maxKeptMs = 3_600_000

interface Trouble {
  readonly kind: VendorTrouble
  readonly since: Ms
}

/** Before any other: what is until then is over. */
export const noTime = Number.NEGATIVE_INFINITY as Ticks

/** End of a cool-down as it is kept. */
function wallOf(until: Ticks, now: Moment): Ms {
  if (until === forever) return keptForever
  return Math.max(0, Math.round(now.at + until - now.ticks)) as Ms
}

/** End of a cool-down that was kept; by a clock that has been set back since, it would never come. */
function ticksOf(kept: Ms, now: Moment): Ticks {
  if (kept === keptForever) return forever
  return ticksAfter(now.ticks, Math.min(maxKeptMs, kept - now.at))
}

/** Health of a vendor, or of one of its credentials. */
export class HealthEntry {
  trouble: Trouble | null = null
  /** Until when others are tried before. */
  until = noTime
  checked: Ms | null = null
  balance: VendorBalance | null = null
  failure: { readonly code: string; readonly at: Ms } | null = null
  isChanged = false
  /** When the last failure was worth a write. */
  #noted: Ticks | null = null

  /** @returns whether that is news */
  begin(kind: VendorTrouble, since: Ms): boolean {
    if (this.trouble?.kind === kind) return false
    this.trouble = { kind, since }
    this.isChanged = true
    return true
  }

  coolUntil(until: Ticks): void {
    if (Math.abs(until - this.until) >= noteMs) this.isChanged = true
    this.until = until
  }

  noteFailure(code: string, { at, ticks }: Moment): void {
    const isNoted = this.#noted !== null && ticks - this.#noted < noteMs
    if (this.failure?.code !== code || !isNoted) {
      this.isChanged = true
      this.#noted = ticks
    }
    this.failure = { code, at }
  }

  restore({ trouble, since, coolingUntil, ...state }: VendorState, now: Moment): void {
    this.trouble = trouble === null || since === null ? null : { kind: trouble, since }
    this.until = coolingUntil === null ? noTime : ticksOf(coolingUntil, now)
    this.balance = state.balance
    this.checked = state.checked
    const { failureCode: code, failedAt: at } = state
    this.failure = code === null || at === null ? null : { code, at }
  }

  stateOf(vendor: string, credential: string, now: Moment): VendorState {
    return {
      vendor,
      credential,
      trouble: this.trouble?.kind ?? null,
      since: this.trouble?.since ?? null,
      coolingUntil: this.trouble === null ? null : wallOf(this.until, now),
      balance: this.balance,
      checked: this.checked,
      failureCode: this.failure?.code ?? null,
      failedAt: this.failure?.at ?? null,
      recent: null,
    }
  }
}

/** One credential of a vendor. */
export class CredentialEntry extends HealthEntry {
  /** The credential; undefined while it is only known from before. */
  secret: string | null | undefined = undefined
  address = ''
  /** How often it was limited in a row. */
  limits = 0
  /** It may be dead: the next check tells. */
  isSuspect = false
  /** That is to be soon. */
  wantsCheck = false
  /** The operator changed it since its trouble began. */
  isReopened = false

  get isWell(): boolean {
    return this.trouble === null && this.limits === 0 && !this.isSuspect
  }

  /** Another secret, or another address, is tried again at once. */
  meet({ credential, baseUrl }: VendorConfig): void {
    if (this.secret === credential && this.address === baseUrl) return
    if (this.secret !== undefined && this.trouble !== null) {
      this.isReopened = true
      this.wantsCheck = true
      this.until = noTime
      this.isChanged = true
    }
    this.secret = credential
    this.address = baseUrl
  }

  override begin(kind: VendorTrouble, since: Ms): boolean {
    // What the operator put in its place is refused too: that is news.
    if (this.isReopened) this.trouble = null
    this.isReopened = false
    return super.begin(kind, since)
  }

  limited(retryAfterSeconds: number | null, now: Ticks): void {
    // Calls that were under way together are limited together.
    if (this.until <= now) this.limits++
    const told = (retryAfterSeconds ?? 0) * 1000
    const coolMs = told > 0 ? told : firstLimitMs * 2 ** (this.limits - 1)
    this.until = ticksAfter(now, Math.max(this.until - now, Math.min(coolMs, maxLimitMs)))
  }

  /** @returns whether a trouble ended */
  recover(): boolean {
    const ended = this.trouble !== null
    if (ended) this.isChanged = true
    this.trouble = null
    this.until = noTime
    this.limits = 0
    this.isSuspect = false
    this.isReopened = false
    return ended
  }
}
