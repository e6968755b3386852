import type { Caller } from '../domain/caller'
import type { Ms } from '../domain/clock'
import type { AccountId, KeyId, ProjectId } from '../domain/ids'
import { minus, nanoUsd, plus, zeroUsd, type NanoUsd } from '../domain/money'
import type { Refund } from '../domain/video-job'
import { GatewayError, isGatewayError } from '../errors/gateway-error'
import {
  capRoom,
  capsOf,
  checkCaps,
  checkFree,
  type Asked,
  type CallerCaps,
  type CapSettings,
} from './caps'
import type { Funds, Room } from './ledger'
import { periodOf } from './periods'
import { openPlaces, type Places } from './places'
import { scopesOf } from './scopes'
import type { Batch, LedgerStore } from './store'
import { dropHold, lowerHeld, openTallies, settled, type Tallies, type Tally } from './tally'
import { UnwrittenCharges } from './unwritten-charges'
import type { Charged, Refused } from './watch'

/** Money of one call. */
export interface Holding {
  readonly places: Places
  /** Beyond what is held: what it can still cost. */
  reserved: NanoUsd
  /** As of `Hold`. */
  readonly metered: boolean
}

/** What is asked for a call that begins. */
export interface AskedToHold {
  readonly amount: NanoUsd
  /** The most that the call can cost. */
  readonly possible: NanoUsd
  /** As of `HoldRequest`. */
  readonly endsAtMoney: boolean
  readonly opened: Ms
}

/** Balances and sums in memory: every decision about money is made here. */
export interface Book {
  /** Everything that `hold` checks, and nothing held. @throws what `Ledger.hold` throws */
  check(caller: Caller, amount: NanoUsd, opened: Ms): Funds
  /** @throws what `Ledger.hold` throws */
  hold(caller: Caller, asked: AskedToHold): Holding
  /** @throws what `Ledger.hold` throws; what was held stays held */
  grow(caller: Caller, holding: Holding, asked: Omit<Asked, 'firm'>): void
  /** Gives back a part of what is held. */
  lower(holding: Holding, by: NanoUsd): void
  /** As of `Hold`. @param held for the call itself */
  chargeable(holding: Holding, held: NanoUsd, cost: NanoUsd): NanoUsd
  /** Ends a hold of `held` and charges `cost`, whatever the balance. */
  close(holding: Holding, held: NanoUsd, cost: NanoUsd): void
  /** Takes back a charge that no commit has written. */
  takeBack(places: Places, cost: NanoUsd): void
  /** As of `Ledger`. */
  room(caller: Caller, opened: Ms): Room
  funds(account: AccountId): Funds
  caps(caller: Caller, now: Ms): CallerCaps
  spentByKey(key: KeyId): NanoUsd
  spentByAccount(account: AccountId): NanoUsd
  spentByAccountOn(account: AccountId, day: string): NanoUsd
  spentByProject(project: ProjectId, month: string): NanoUsd
  heldInAll(): NanoUsd
  /** Number of open holds, those of zero included. */
  holds(): number
  /** Charges that no commit has written, per sum. */
  unwritten(): Batch['spent']
  /** The keys that those charges are of. */
  charged(): readonly Charged[]
  /** All of that is committed now. @param balances committed balances of the charged accounts */
  written(balances: ReadonlyMap<AccountId, NanoUsd>): void
  /** Charges went back in the database: what they were counted in is read anew. */
  refunded(refunds: readonly Refund[]): void
  /** Another process may have moved money: read balances and sums anew when they are next needed. */
  expire(): void
}

/** Told when a cap, or the balance, gave no money. */
type OnRefused = (refusal: Refused) => void

export const openBook = (store: LedgerStore, settings: CapSettings, onRefused: OnRefused): Book =>
  new MemoryBook(store, settings, onRefused)

class MemoryBook implements Book {
  #heldInAll = zeroUsd
  #holds = 0
  readonly #tallies: Tallies
  readonly #placesOf: ReturnType<typeof openPlaces>
  readonly #charges: UnwrittenCharges
  readonly #settings: CapSettings
  readonly #onRefused: OnRefused

  constructor(store: LedgerStore, settings: CapSettings, onRefused: OnRefused) {
    this.#tallies = openTallies(store)
    this.#placesOf = openPlaces(this.#tallies)
    this.#charges = new UnwrittenCharges(this.#tallies)
    this.#settings = settings
    this.#onRefused = onRefused
  }

  check(caller: Caller, amount: NanoUsd, opened: Ms): Funds {
    const places = this.#placesOf(caller, opened)
    this.#check(caller, places, { amount, opened, firm: false })
    return fundsOf(places.balance)
  }

  hold(caller: Caller, { amount, possible, endsAtMoney, opened }: AskedToHold): Holding {
    const places = this.#placesOf(caller, opened)
    this.#take(caller, places, { amount, opened, firm: false })
    const wanted = minus(possible, amount)
    const room = wanted > 0 ? this.#roomOf(caller, places, true) : 0
    const metered = wanted > room
    const reserved = metered ? nanoUsd(endsAtMoney ? 0 : Math.max(0, room)) : wanted
    if (reserved > 0) reserve(places, reserved)
    places.balance.holds++
    for (const sum of places.charged) sum.holds++
    this.#holds++
    return { places, reserved, metered }
  }

  grow(caller: Caller, holding: Holding, { amount, opened }: Omit<Asked, 'firm'>): void {
    const { places } = holding
    const own = Math.min(amount, holding.reserved)
    reserve(places, -own)
    try {
      this.#take(caller, places, { amount, opened, firm: own < amount })
      holding.reserved = minus(holding.reserved, own as NanoUsd)
    } catch (thrown) {
      reserve(places, own)
      throw thrown
    }
  }

  lower({ places }: Holding, by: NanoUsd): void {
    lowerHeld(places.balance, by)
    for (const sum of places.charged) lowerHeld(sum, by)
    this.#heldInAll = minus(this.#heldInAll, by)
  }

  chargeable({ places, reserved }: Holding, held: NanoUsd, cost: NanoUsd): NanoUsd {
    this.#refresh(places)
    const { caller, balance } = places
    // What others hold stays theirs; what they may come to beyond it, as far as this one has enough.
    const spare = held + Math.max(0, this.#roomOf(caller, places, false))
    const firm = held + reserved + Math.max(0, this.#roomOf(caller, places, true))
    return nanoUsd(Math.min(cost, spare, firm, Math.max(0, settled(balance))))
  }

  close({ places, reserved }: Holding, held: NanoUsd, cost: NanoUsd): void {
    if (reserved > 0) reserve(places, -reserved)
    dropHold(places.balance, held)
    for (const sum of places.charged) dropHold(sum, held)
    this.#heldInAll = minus(this.#heldInAll, held)
    this.#holds--
    if (cost !== 0) this.#charges.add(places, cost)
  }

  takeBack(places: Places, cost: NanoUsd): void {
    this.#charges.takeBack(places, cost)
  }

  room(caller: Caller, opened: Ms): Room {
    const places = this.#placesOf(caller, opened)
    this.#refresh(places)
    return {
      free: this.#roomOf(caller, places, false),
      sure: this.#roomOf(caller, places, true),
    }
  }

  funds(id: AccountId): Funds {
    return fundsOf(this.#current(this.#tallies.of({ kind: 'balance', id, period: '' })))
  }

  caps(caller: Caller, now: Ms): CallerCaps {
    const places = this.#placesOf(caller, now)
    this.#refresh(places)
    return capsOf(caller, places.sums, this.#settings)
  }

  spentByKey(id: KeyId): NanoUsd {
    return settled(this.#current(this.#tallies.of({ kind: 'key', id, period: '' })))
  }

  spentByProject(id: ProjectId, month: string): NanoUsd {
    return settled(this.#current(this.#tallies.of({ kind: 'project-month', id, period: month })))
  }

  spentByAccountOn(id: AccountId, day: string): NanoUsd {
    return settled(this.#current(this.#tallies.of({ kind: 'account-day', id, period: day })))
  }

  spentByAccount(id: AccountId): NanoUsd {
    return settled(this.#current(this.#tallies.of({ kind: 'account', id, period: '' })))
  }

  heldInAll(): NanoUsd {
    return this.#heldInAll
  }

  holds(): number {
    return this.#holds
  }

  unwritten(): Batch['spent'] {
    return this.#charges.perSum()
  }

  charged(): readonly Charged[] {
    return this.#charges.keys()
  }

  written(balances: ReadonlyMap<AccountId, NanoUsd>): void {
    this.#charges.written(balances)
  }

  refunded(refunds: readonly Refund[]): void {
    for (const refund of refunds) {
      const { account, opened } = refund
      const sums = Object.values(scopesOf(refund, periodOf(opened)))
      this.#tallies.reread([{ kind: 'balance', id: account, period: '' }, ...sums])
    }
  }

  expire(): void {
    this.#tallies.expire()
  }

  #refresh(places: Places): void {
    const reading = this.#tallies.reading()
    if (places.reading === reading) return
    this.#tallies.refresh(places.balance)
    for (const sum of places.charged) this.#tallies.refresh(sum)
    places.reading = reading
  }

  #current(tally: Tally): Tally {
    this.#tallies.refresh(tally)
    return tally
  }

  #check(caller: Caller, places: Places, asked: Asked): void {
    const { amount, firm } = asked
    if (amount < 0) throw new Error(`a hold of ${amount}`)
    this.#refresh(places)
    // What costs nothing needs neither money nor room under a cap.
    if (amount === 0) return checkFree(caller, places.sums, this.#settings)
    checkCaps(caller, places.sums, asked, this.#settings)
    const { balance } = places
    const held = nanoUsd(balance.held + (firm ? balance.reserved : 0))
    const available = minus(settled(balance), held)
    if (available < amount)
      throw new GatewayError('insufficient_credit', { available, held, needed: amount })
  }

  /** What is left beside what is held. @param firm beside the most that all which runs can cost */
  #roomOf(caller: Caller, { balance, sums }: Places, firm: boolean): number {
    const money = settled(balance) - balance.held - (firm ? balance.reserved : 0)
    return Math.min(money, capRoom(caller, sums, this.#settings, firm))
  }

  #take(caller: Caller, places: Places, asked: Asked): void {
    const { amount } = asked
    try {
      this.#check(caller, places, asked)
    } catch (thrown) {
      if (isGatewayError(thrown))
        this.#onRefused({ caller, sums: places.sums, code: thrown.code, needed: amount })
      throw thrown
    }
    // The sums are narrower than this: past it, none of them can lose a digit.
    this.#heldInAll = plus(this.#heldInAll, amount)
    places.balance.held = nanoUsd(places.balance.held + amount)
    for (const sum of places.charged) sum.held = nanoUsd(sum.held + amount)
  }
}

/** @param more below zero to give it back */
function reserve({ balance, charged }: Places, more: number): void {
  balance.reserved = nanoUsd(balance.reserved + more)
  for (const sum of charged) sum.reserved = nanoUsd(sum.reserved + more)
}

function fundsOf(balance: Tally): Funds {
  const total = settled(balance)
  return { balance: total, held: balance.held, available: minus(total, balance.held) }
}
