import type { Caller } from '../domain/caller'
import type { Ms } from '../domain/clock'
import type { AccountId } from '../domain/ids'
import { minus, nanoUsd, plus, zeroUsd, type NanoUsd } from '../domain/money'
import type { Refund } from '../domain/video-job'
import { GatewayError, isGatewayError } from '../errors/gateway-error'
import type { Book } from './book-contract'
import {
  capRoom,
  capsOf,
  checkCaps,
  checkFree,
  type CapQuestion,
  type RequestedToHold,
  type CallerCaps,
  type CapSettings,
} from './caps'
import type { HandedMoney } from './handover'
import type { Funds, Room } from './ledger'
import { isRead, openPlaces, reserve, talliesOf, type Holding, type Places } from './places'
import { sumsOfRefund } from './scopes'
import type { LedgerStore, Scope, SumScope } from './store'
import type { StoreTurns } from './store-turns'
import {
  dropHold,
  fundsOf,
  lowerHeld,
  openTallies,
  settled,
  type Tallies,
  type Tally,
} from './tally'
import { UnwrittenCharges, type ChargesInFlight } from './unwritten-charges'
import type { Refused } from './watch'

/** Told when a cap, or the balance, gave no money. */
type OnRefused = (refusal: Refused) => void

interface BookParts {
  readonly store: Pick<LedgerStore, 'sums'>
  readonly turns: StoreTurns
  readonly settings: CapSettings
  readonly onRefused: OnRefused
  /** Told when sums could not be read for a call that goes on: the next look reads them. */
  onFault(fault: unknown): void
}

export const openBook = (parts: BookParts): Book => new MemoryBook(parts)

class MemoryBook implements Book {
  #heldInAll = zeroUsd
  #holds = 0
  readonly #tallies: Tallies
  readonly #placesOf: ReturnType<typeof openPlaces>
  readonly #charges = new UnwrittenCharges()
  readonly #settings: CapSettings
  readonly #onRefused: OnRefused
  readonly #onFault: BookParts['onFault']

  constructor({ store, turns, settings, onRefused, onFault }: BookParts) {
    this.#tallies = openTallies(store, turns)
    this.#placesOf = openPlaces(this.#tallies)
    this.#settings = settings
    this.#onRefused = onRefused
    this.#onFault = onFault
  }

  async check(caller: Caller, amount: NanoUsd, opened: Ms): Promise<Funds> {
    const places = await this.read(caller, opened)
    this.#check(caller, places, { amount, opened, firm: false })
    return fundsOf(places.balance)
  }

  holdNow(caller: Caller, asked: RequestedToHold): Holding | null {
    const places = this.#placesOf(caller, asked.opened)
    return isRead(places, this.#tallies.reading()) ? this.#holdIn(places, caller, asked) : null
  }

  async hold(
    caller: Caller,
    asked: RequestedToHold,
    decides: () => boolean,
  ): Promise<Holding | null> {
    const reading = this.#tallies.reading()
    let places = this.#placesOf(caller, asked.opened)
    while (!isRead(places, reading)) {
      await this.#tallies.load(talliesOf(places), reading)
      // The day may have changed meanwhile.
      places = this.#placesOf(caller, asked.opened)
    }
    return decides() ? this.#holdIn(places, caller, asked) : null
  }

  /** Without a wait between what is decided and what is held: nobody else decides in between. */
  #holdIn(places: Places, caller: Caller, asked: RequestedToHold): Holding {
    const { amount, possible, endsAtMoney, opened } = asked
    this.#take(caller, places, { amount, opened, firm: false })
    const wanted = minus(possible, amount)
    const room = wanted > 0 ? this.#roomOf(caller, places, true) : 0
    const metered = wanted > room
    const reserved = metered ? nanoUsd(endsAtMoney ? 0 : Math.max(0, room)) : wanted
    return this.#begin(places, reserved, metered)
  }

  #begin(places: Places, reserved: NanoUsd, metered: boolean): Holding {
    if (reserved > 0) reserve(places, reserved)
    places.balance.holds++
    for (const sum of places.charged) sum.holds++
    this.#holds++
    return { places, reserved, metered }
  }

  adopt(caller: Caller, { held, reserved, metered }: HandedMoney, opened: Ms): Holding {
    const holding = this.#begin(this.#placesOf(caller, opened), reserved, metered)
    this.#setAside(holding.places, held)
    return holding
  }

  grow(caller: Caller, holding: Holding, { amount, opened }: Omit<CapQuestion, 'firm'>): void {
    const { places } = holding
    this.#refresh(places)
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

  async room(caller: Caller, opened: Ms): Promise<Room> {
    const places = await this.read(caller, opened)
    return {
      free: this.#roomOf(caller, places, false),
      sure: this.#roomOf(caller, places, true),
    }
  }

  async funds(id: AccountId): Promise<Funds> {
    return fundsOf(await this.#current({ kind: 'balance', id, period: '' }))
  }

  async caps(caller: Caller, now: Ms): Promise<CallerCaps> {
    const places = await this.read(caller, now)
    return capsOf(caller, places.sums, this.#settings)
  }

  async spent(scope: Scope): Promise<NanoUsd> {
    return settled(await this.#current(scope))
  }

  heldInAll(): NanoUsd {
    return this.#heldInAll
  }

  holds(): number {
    return this.#holds
  }

  begin(): ChargesInFlight {
    return this.#charges.begin(this.#tallies.reading())
  }

  written(charges: ChargesInFlight, balances: ReadonlyMap<AccountId, NanoUsd>): void {
    this.#charges.written(charges, balances)
  }

  failed(charges: ChargesInFlight): void {
    this.#charges.failed(charges)
  }

  async refunded(refunds: readonly Refund[]): Promise<void> {
    await this.#tallies.reread(refunds.flatMap(sumsOfRefund))
  }

  expire(): void {
    this.#tallies.expire()
  }

  /** With sums as they are by now, for whoever decides nothing. */
  async read(caller: Caller, opened: Ms): Promise<Places> {
    const reading = this.#tallies.reading()
    const places = this.#placesOf(caller, opened)
    if (!isRead(places, reading)) await this.#tallies.load(talliesOf(places), reading)
    return places
  }

  async #current(scope: SumScope): Promise<Tally> {
    const reading = this.#tallies.reading()
    const tally = this.#tallies.of(scope)
    if (tally.reading < reading) await this.#tallies.load([tally], reading)
    return tally
  }

  /** Reads sums anew while a call goes on, for its next look. */
  #refresh(places: Places): void {
    const reading = this.#tallies.reading()
    if (!places.loading && !isRead(places, reading)) this.#readAnew(places, reading)
  }

  #readAnew(places: Places, reading: number): void {
    places.loading = true
    const over = () => void (places.loading = false)
    this.#tallies.load(talliesOf(places), reading).then(over, (fault: unknown) => {
      over()
      this.#onFault(fault)
    })
  }

  #check(caller: Caller, places: Places, asked: CapQuestion): void {
    const { amount, firm } = asked
    if (amount < 0) throw new Error(`a hold of ${amount}`)
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

  #take(caller: Caller, places: Places, asked: CapQuestion): void {
    const { amount } = asked
    try {
      this.#check(caller, places, asked)
    } catch (thrown) {
      if (isGatewayError(thrown))
        this.#onRefused({ caller, sums: places.sums, code: thrown.code, needed: amount })
      throw thrown
    }
    this.#setAside(places, amount)
  }

  #setAside(places: Places, amount: NanoUsd): void {
    // The sums are narrower than this: past it, none of them can lose a digit.
    this.#heldInAll = plus(this.#heldInAll, amount)
    places.balance.held = nanoUsd(places.balance.held + amount)
    for (const sum of places.charged) sum.held = nanoUsd(sum.held + amount)
  }
}
