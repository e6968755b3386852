import type { Caller } from '../../domain/caller'
import type { Ms } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import { plus, zeroUsd, type NanoUsd } from '../../domain/money'
import { rejected } from '../../domain/rejected-promise'
import { GatewayError } from '../../errors/gateway-error'
import type { HoldRequest } from '../ledger'
import type { Miscount } from '../watch'
import { LeasedHold, type HoldingLedger } from './leased-hold'
import { LeasedJournal } from './leased-journal'
import type { LeasedLedger, LeasedLedgerParts } from './leased-contract'
import {
  requestedOf,
  limitCallerSlices,
  openCallerSlices,
  type CallerSlices,
} from './caller-slices'
import { capsIn, checkFreeCall, fundsIn, refusalOf, spentOfSlice } from './refusals'
import { NodeSlices, usualRules } from './node-slices'
import type { Asked, Granted, HoldResult, Slice } from './slice'

/**
 * The ledger of one of several processes: it holds in memory against slices of balances and caps, and tells
 * and asks everything in numbered exchanges. Sums are exact as the engine told them last.
 */
export function openLeasedLedger(parts: LeasedLedgerParts): LeasedLedger {
  const { node, engine, spools = null, rules = usualRules, beatMs, now, onFault } = parts
  const { onFenced, onUnrecorded } = parts
  const slices = new NodeSlices(node, rules)
  slices.begin(now())
  const { flushMs, pendingAfterMs } = parts.settings
  const written = { flushMs, pendingAfterMs, beatMs, now, onFault }
  const told = {
    ...(onFenced === undefined ? {} : { onFenced }),
    ...(onUnrecorded === undefined ? {} : { onUnrecorded }),
  }
  const journal = new LeasedJournal({ engine, slices, spools, ...written, ...told })
  return new LeasingLedger(slices, journal, parts)
}

class LeasingLedger implements LeasedLedger, HoldingLedger {
  #heldInAll = zeroUsd
  #holds = 0
  readonly slices: NodeSlices
  readonly journal: LeasedJournal
  readonly #purseOf: ReturnType<typeof openCallerSlices>
  readonly #parts: LeasedLedgerParts

  constructor(slices: NodeSlices, journal: LeasedJournal, parts: LeasedLedgerParts) {
    this.slices = slices
    this.journal = journal
    this.#parts = parts
    this.#purseOf = openCallerSlices(slices)
  }

  /** Each call passes here, and waits for nothing where there is a slice for it. */
  hold(request: HoldRequest): Promise<LeasedHold> {
    try {
      const purse = this.purse(request.caller, request.opening.created)
      const granted = this.#acquireNow(request, purse)
      return granted === null
        ? this.#holdLater(request, purse)
        : Promise.resolve(this.#begun(request, purse, granted))
    } catch (thrown) {
      return rejected(thrown)
    }
  }

  async #holdLater(request: HoldRequest, purse: CallerSlices): Promise<LeasedHold> {
    return this.#begun(request, purse, await this.#acquire(request, purse))
  }

  #begun(
    { caller, amount, opening }: HoldRequest,
    purse: CallerSlices,
    granted: Granted,
  ): LeasedHold {
    this.counted(amount, 1)
    const entry = this.journal.open(opening, amount, purse.slices)
    return new LeasedHold(this, caller, purse, entry, granted)
  }

  async check(request: HoldRequest) {
    const { caller, amount, opening } = request
    const { slices, balance } = this.purse(caller, opening.created)
    const { reserved } = await this.#acquire(
      { ...request, possible: amount },
      this.purse(caller, opening.created),
    )
    this.give(slices, amount, reserved)
    return fundsIn(balance)
  }

  async room(caller: Caller, opened: Ms) {
    const { slices } = await this.#told(this.purse(caller, opened))
    let free = Number.POSITIVE_INFINITY
    let sure = Number.POSITIVE_INFINITY
    for (const slice of slices) {
      if (slice.limit === null) continue
      free = Math.min(free, slice.reach())
      sure = Math.min(sure, slice.reach() - slice.reserved)
    }
    return { free, sure }
  }

  async funds(id: AccountId) {
    return fundsIn(await this.#toldOf({ kind: 'balance', id, period: '' }))
  }

  async caps(caller: Caller, at: Ms) {
    return capsIn(await this.#told(this.purse(caller, at)))
  }

  async spentByKey(id: Caller['key']['id']) {
    return spentOfSlice(await this.#toldOf({ kind: 'key', id, period: '' }))
  }

  async spentByAccount(id: AccountId) {
    return spentOfSlice(await this.#toldOf({ kind: 'account', id, period: '' }))
  }

  async spentByAccountOn(id: AccountId, period: string) {
    return spentOfSlice(await this.#toldOf({ kind: 'account-day', id, period }))
  }

  async spentByProject(id: Caller['project']['id'], period: string) {
    return spentOfSlice(await this.#toldOf({ kind: 'project-month', id, period }))
  }

  heldInAll(): NanoUsd {
    return this.#heldInAll
  }

  holds(): number {
    return this.#holds
  }

  queueLength(): number {
    return this.journal.queueLength()
  }

  spooled(): Promise<void> {
    return this.journal.spooled()
  }

  ready(): boolean {
    return this.journal.ready(this.now())
  }

  flush(durable = false): Promise<void> {
    return this.journal.flush(durable)
  }

  async refunded(): Promise<void> {
    this.slices.expire()
  }

  refresh(): void {
    this.slices.expire()
  }

  close(): Promise<void> {
    return this.journal.close()
  }

  hint(scope: string, no: number): void {
    this.slices.hint(scope, no)
    this.urge()
  }

  purse(caller: Caller, opened: Ms): CallerSlices {
    const purse = this.#purseOf(caller, opened)
    limitCallerSlices(purse, caller, this.#parts.settings)
    return purse
  }

  limit(purse: CallerSlices, caller: Caller): void {
    limitCallerSlices(purse, caller, this.#parts.settings)
  }

  checkFree(purse: CallerSlices, caller: Caller): void {
    checkFreeCall(caller, purse, this.#parts.settings)
  }

  counted(held: NanoUsd, holds: number): void {
    this.#heldInAll = plus(this.#heldInAll, held)
    this.#holds += holds
  }

  urge(): void {
    if (this.slices.isStirred()) this.journal.urge()
  }

  now(): number {
    return this.#parts.now()
  }

  tellMiscount(miscount: Miscount): void {
    this.#parts.onMiscount?.(miscount)
  }

  give(slices: readonly Slice[], held: NanoUsd, reserved: number): void {
    for (const slice of slices) {
      slice.reserved -= reserved
      slice.holds--
    }
    this.slices.drop(slices, held, 0, this.now())
    this.urge()
  }

  /** From what is at hand; null where that is not enough, or not known. @throws what `Ledger.hold` throws */
  #acquireNow(request: HoldRequest, purse: CallerSlices): Granted | null {
    const { amount, caller } = request
    if (amount < 0) throw new Error(`a hold of ${amount}`)
    const now = this.now()
    if (!this.journal.ready(now)) throw new GatewayError('gateway_error', {})
    if (amount === 0 && !caller.account.verified) return null
    const granting = this.slices.hold(requestedOf(request, purse), now)
    this.urge()
    return granting?.how === 'granted' ? granting : null
  }

  /** Waits for exchanges. @throws what `Ledger.hold` throws */
  async #acquire(request: HoldRequest, purse: CallerSlices): Promise<Granted> {
    const { caller, amount, opening } = request
    for (const slice of purse.slices) slice.pins++
    try {
      if (amount === 0 && !caller.account.verified) {
        await this.#tellOf(purse.account)
        this.checkFree(purse, caller)
      }
      const granting = await this.grantingOf(requestedOf(request, purse))
      if (granting.how === 'granted') return granting
      if (granting.how === 'unavailable') throw new GatewayError('gateway_error', {})
      throw refusalOf(granting.by, { needed: amount, opened: opening.created, firm: false })
    } finally {
      for (const slice of purse.slices) slice.pins--
    }
  }

  async grantingOf(asked: Asked): Promise<HoldResult> {
    const now = this.now()
    const granting = this.slices.hold(asked, now)
    if (granting !== null) return granting
    const waited = Promise.withResolvers<HoldResult>()
    this.slices.wait(asked, now, waited.resolve)
    this.urge()
    return waited.promise
  }

  async #told(purse: CallerSlices): Promise<CallerSlices> {
    await Promise.all(purse.slices.map((slice) => this.#tellOf(slice)))
    return purse
  }

  async #toldOf(scope: Slice['scope']): Promise<Slice> {
    const slice = this.slices.of(scope)
    await this.#tellOf(slice)
    return slice
  }

  /** @throws gateway_error where nobody can tell */
  async #tellOf(slice: Slice): Promise<void> {
    const { slices } = this
    const now = this.now()
    if (slice.isTold(now, slices.reading)) return
    if (!slices.isTrusted(now)) throw new GatewayError('gateway_error', {})
    await new Promise<void>((resolve) => {
      slices.probe(slice, resolve)
      this.journal.urge()
    })
    if (slice.reading < 0) throw new GatewayError('gateway_error', {})
  }
}
