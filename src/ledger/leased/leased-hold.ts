import type { Caller } from '../../domain/caller'
import { minus, nanoUsd, plus, zeroUsd, type NanoUsd } from '../../domain/money'
import type { CallEnding } from '../../domain/record'
import { GatewayError } from '../../errors/gateway-error'
import type { Hold } from '../ledger'
import { RecordedHold } from '../recorded-hold'
import type { Miscount } from '../watch'
import type { LeasedEntry } from './exchanged-calls'
import type { LeasedJournal } from './leased-journal'
import type { CallerSlices } from './caller-slices'
import { refusalOf } from './refusals'
import type { NodeSlices } from './node-slices'
import type { Asked, Granted, HoldResult, Slice } from './slice'

/** What a hold does with the ledger that it is of. */
export interface HoldingLedger {
  readonly slices: NodeSlices
  readonly journal: Pick<LeasedJournal, 'owe' | 'reopen' | 'end' | 'amend'>
  /** Caps are from now on as they are for this caller. */
  limit(purse: CallerSlices, caller: Caller): void
  /** @throws kyc_required */
  checkFree(purse: CallerSlices, caller: Caller): void
  /** What is held by this process changed. */
  counted(held: NanoUsd, holds: number): void
  /** Sends what slices have to say, if they have. */
  urge(): void
  now(): number
  tellMiscount(miscount: Miscount): void
  /** Decides in memory, or waits for exchanges. */
  grantingOf(asked: Asked): Promise<HoldResult>
  /** Ends a hold that no call came of. */
  give(slices: readonly Slice[], held: NanoUsd, reserved: number): void
}

export class LeasedHold extends RecordedHold<LeasedEntry> implements Hold {
  readonly metered: boolean
  #reserved: number
  readonly #ledger: HoldingLedger
  readonly #caller: Caller
  readonly #purse: CallerSlices

  constructor(
    ledger: HoldingLedger,
    caller: Caller,
    purse: CallerSlices,
    entry: LeasedEntry,
    { reserved, metered }: Granted,
  ) {
    super(ledger.journal, entry)
    this.metered = metered
    this.#reserved = reserved
    this.#ledger = ledger
    this.#caller = caller
    this.#purse = purse
  }

  chargeable(cost: NanoUsd): NanoUsd {
    const { held } = this.open()
    const { slices, balance } = this.#purse
    // What others hold stays theirs; what they may come to beyond it, as far as this one has enough.
    let free = Number.POSITIVE_INFINITY
    let sure = Number.POSITIVE_INFINITY
    for (const slice of slices) {
      free = Math.min(free, slice.free())
      sure = Math.min(sure, slice.sure())
    }
    const spare = held + Math.max(0, free)
    const firm = held + this.#reserved + Math.max(0, sure)
    const most = Math.min(cost, spare, firm, Math.max(0, balance.sum - balance.unwritten))
    return this.noLessThanOwed(most, cost)
  }

  grow(by: NanoUsd, caller = this.#caller): void {
    const { opening, held } = this.open()
    if (by < 0) throw new Error(`a hold of ${by}`)
    const { slices } = this.#ledger
    const own = Math.min(by, this.#reserved)
    this.#ledger.limit(this.#purse, caller)
    if (by === 0) return this.#ledger.checkFree(this.#purse, caller)
    const lacking = slices.grow(this.#purse.slices, by, own, this.#ledger.now())
    this.#ledger.urge()
    if (lacking !== null)
      throw refusalOf(lacking, {
        needed: by,
        opened: opening.created,
        firm: own < by,
      })
    this.#reserved -= own
    this.entry.held = plus(held, by)
    this.#ledger.counted(by, 0)
  }

  /**
   * Same as `grow`, from what other processes can spare too.
   * @throws what `hold` throws
   */
  async growFromAll(by: NanoUsd, caller = this.#caller): Promise<void> {
    const { opening } = this.open()
    this.#ledger.limit(this.#purse, caller)
    if (by === 0) return this.#ledger.checkFree(this.#purse, caller)
    const { slices } = this.#purse
    const own = Math.min(by, this.#reserved)
    const need = by - own
    const asked = { slices, need, possible: need, endsAtMoney: true, isContent: true }
    const granting = await this.#ledger.grantingOf(asked)
    if (granting.how === 'unavailable') throw new GatewayError('gateway_error', {})
    if (granting.how !== 'granted')
      throw refusalOf(granting.by, {
        needed: by,
        opened: opening.created,
        firm: need > 0,
      })
    const lacking = this.isOver
      ? null
      : this.#ledger.slices.grow(slices, own, own, this.#ledger.now())
    if (this.isOver || lacking !== null) this.#ledger.give(slices, nanoUsd(need), granting.reserved)
    if (this.isOver) return
    if (lacking !== null)
      throw refusalOf(lacking, {
        needed: by,
        opened: opening.created,
        firm: false,
      })
    for (const slice of slices) slice.holds--
    this.#reserved -= own
    this.entry.held = plus(this.entry.held, by)
    this.#ledger.counted(by, 0)
  }

  lower(by: NanoUsd): void {
    const { held } = this.open()
    const left = minus(held, by)
    if (left < 0) throw new Error('held below zero')
    this.#ledger.slices.drop(this.#purse.slices, by, 0, this.#ledger.now())
    this.entry.held = left
    this.#ledger.counted(minus(zeroUsd, by), 0)
    this.#ledger.urge()
  }

  override settle(ending: CallEnding): void {
    super.settle(ending)
    this.#ledger.urge()
  }

  protected close(held: NanoUsd, cost: NanoUsd): void {
    const { slices } = this.#purse
    for (const slice of slices) {
      slice.reserved -= this.#reserved
      slice.holds--
    }
    this.#ledger.slices.drop(slices, held, cost, this.#ledger.now())
    this.#ledger.counted(minus(zeroUsd, held), -1)
  }

  protected undo(cost: NanoUsd): void {
    this.#ledger.slices.drop(this.#purse.slices, 0, -cost, this.#ledger.now())
    this.#ledger.urge()
  }

  protected tellMiscount(miscount: Miscount): void {
    this.#ledger.tellMiscount(miscount)
  }
}
