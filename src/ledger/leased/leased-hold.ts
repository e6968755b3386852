import type { Carried } from '../store'
import type { Caller } from '../../domain/caller'
import { dayOf } from '../../domain/clock'
import { minus, nanoUsd, plus, zeroUsd, type NanoUsd } from '../../domain/money'
import type { CallEnding, CallOpening, Owed, Unpaid } from '../../domain/record'
import { noUsage } from '../../domain/usage'
import { GatewayError } from '../../errors/gateway-error'
import { checkCost, checkOwed, checkSameCall } from '../hold-checks'
import type { Hold } from '../ledger'
import type { Miscount } from '../watch'
import type { LeasedEntry } from './exchanged-calls'
import type { LeasedJournal } from './leased-journal'
import type { Purse } from './purses'
import type { RefusedHold } from './refusals'
import type { NodeSlices } from './node-slices'
import type { Asked, Granted, Granting, Slice } from './slice'

/** What a hold does with the ledger that it is of. */
export interface HoldingLedger {
  readonly slices: NodeSlices
  readonly journal: Pick<LeasedJournal, 'owe' | 'reopen' | 'end' | 'amend'>
  /** Caps are from now on as they are for this caller. */
  limit(purse: Purse, caller: Caller): void
  /** @throws kyc_required */
  checkFree(purse: Purse, caller: Caller): void
  /** What is held by this process changed. */
  counted(held: NanoUsd, holds: number): void
  /** Sends what slices have to say, if they have. */
  urge(): void
  now(): number
  tellMiscount(miscount: Miscount): void
  /** Decides in memory, or waits for exchanges. */
  grantingOf(asked: Asked): Promise<Granting>
  /** Error of a hold that a slice did not cover, which others may be told of. */
  refusal(by: Slice, caller: Caller, refused: RefusedHold): GatewayError
  /** Ends a hold that no call came of. */
  give(slices: readonly Slice[], held: NanoUsd, reserved: number): void
}

/** A class, since every call makes one. */
export class LeasedHold implements Hold {
  readonly metered: boolean
  #over = false
  #reserved: number
  readonly #ledger: HoldingLedger
  readonly #caller: Caller
  readonly #purse: Purse
  readonly #entry: LeasedEntry

  constructor(
    ledger: HoldingLedger,
    caller: Caller,
    purse: Purse,
    entry: LeasedEntry,
    { reserved, metered }: Granted,
  ) {
    this.metered = metered
    this.#reserved = reserved
    this.#ledger = ledger
    this.#caller = caller
    this.#purse = purse
    this.#entry = entry
  }

  get amount(): NanoUsd {
    return this.#entry.held
  }

  chargeable(cost: NanoUsd): NanoUsd {
    const { held, owed } = this.#open()
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
    // What it owes is charged in any case.
    return nanoUsd(Math.max(most, Math.min(cost, owed?.cost ?? 0)))
  }

  grow(by: NanoUsd, caller = this.#caller): void {
    const { opening, held } = this.#open()
    if (by < 0) throw new Error(`a hold of ${by}`)
    const { slices } = this.#ledger
    const own = Math.min(by, this.#reserved)
    this.#ledger.limit(this.#purse, caller)
    if (by === 0) return this.#ledger.checkFree(this.#purse, caller)
    const lacking = slices.grow(this.#purse.slices, by, own, this.#ledger.now())
    this.#ledger.urge()
    if (lacking !== null)
      throw this.#ledger.refusal(lacking, caller, {
        needed: by,
        opened: opening.created,
        firm: own < by,
      })
    this.#reserved -= own
    this.#entry.held = plus(held, by)
    this.#ledger.counted(by, 0)
  }

  /**
   * Same as `grow`, from what other processes can spare too.
   * @throws what `hold` throws
   */
  async growFromAll(by: NanoUsd, caller = this.#caller): Promise<void> {
    const { opening } = this.#open()
    this.#ledger.limit(this.#purse, caller)
    if (by === 0) return this.#ledger.checkFree(this.#purse, caller)
    const { slices } = this.#purse
    const own = Math.min(by, this.#reserved)
    const need = by - own
    const asked = { slices, need, possible: need, endsAtMoney: true, isContent: true }
    const granting = await this.#ledger.grantingOf(asked)
    if (granting.how === 'unavailable') throw new GatewayError('gateway_error', {})
    if (granting.how !== 'granted')
      throw this.#ledger.refusal(granting.by, caller, {
        needed: by,
        opened: opening.created,
        firm: need > 0,
      })
    const lacking = this.#over
      ? null
      : this.#ledger.slices.grow(slices, own, own, this.#ledger.now())
    if (this.#over || lacking !== null) this.#ledger.give(slices, nanoUsd(need), granting.reserved)
    if (this.#over) return
    if (lacking !== null)
      throw this.#ledger.refusal(lacking, caller, {
        needed: by,
        opened: opening.created,
        firm: false,
      })
    for (const slice of slices) slice.holds--
    this.#reserved -= own
    this.#entry.held = plus(this.#entry.held, by)
    this.#ledger.counted(by, 0)
  }

  lower(by: NanoUsd): void {
    const { held } = this.#open()
    const left = minus(held, by)
    if (left < 0) throw new Error('held below zero')
    this.#ledger.slices.drop(this.#purse.slices, by, 0, this.#ledger.now())
    this.#entry.held = left
    this.#ledger.counted(minus(zeroUsd, by), 0)
    this.#ledger.urge()
  }

  owe(owed: Owed): void {
    checkOwed(this.#open(), owed)
    this.#ledger.journal.owe(this.#entry, owed)
  }

  answerAs(opening: CallOpening): void {
    const entry = this.#open()
    checkSameCall(entry, opening)
    this.#ledger.journal.reopen(entry, opening)
  }

  carry(row: Carried): void {
    this.#open().carried = row
  }

  settle(ending: CallEnding): void {
    const entry = this.#entry
    const { id } = entry.opening
    if (this.#over) throw new Error(`the hold of ${id} was closed twice`)
    checkCost(entry, ending)
    this.#over = true
    const { slices, journal } = this.#ledger
    if (ending.unpaid?.isBeyondPossible === true) this.#tellMiscount(ending, ending.unpaid)
    for (const slice of this.#purse.slices) {
      slice.reserved -= this.#reserved
      slice.holds--
    }
    slices.drop(this.#purse.slices, entry.held, ending.cost, this.#ledger.now())
    this.#ledger.counted(minus(zeroUsd, entry.held), -1)
    journal.end(entry, ending)
    this.#ledger.urge()
  }

  release(ending: CallEnding): void {
    if (ending.cost !== 0) throw new Error(`a released call has a cost: ${this.#entry.opening.id}`)
    this.settle(ending)
  }

  takeBack(): void {
    const { ending } = this.#entry
    if (ending === null) return
    const status = { status: 'error', error: 'gateway_error' } as const
    const { slices, journal } = this.#ledger
    if (!journal.amend(this.#entry, { ...ending, ...status, usage: noUsage, cost: zeroUsd })) return
    slices.drop(this.#purse.slices, 0, -ending.cost, this.#ledger.now())
    this.#ledger.urge()
  }

  #tellMiscount({ vendor, cost: charged }: CallEnding, { cost: counted }: Unpaid): void {
    const { model, created } = this.#entry.opening
    const source = { vendor: vendor ?? '', model }
    this.#ledger.tellMiscount({ source, period: dayOf(created), charged, counted })
  }

  /** @throws Error when it is closed */
  #open(): LeasedEntry {
    if (this.#over) throw new Error(`the hold of ${this.#entry.opening.id} is closed`)
    return this.#entry
  }
}
