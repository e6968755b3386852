import type { Offer } from '../catalogue/catalogue'
import type { Monotonic } from '../../domain/clock'
import type { Editable } from '../../domain/mutable'
import { zeroUsd, type NanoUsd } from '../../domain/money'
import {
  keptAnswer,
  type CallEnding,
  type CallOpening,
  type Counted,
  type Unpaid,
  type VendorCost,
} from '../../domain/record'
import type { Route } from '../../domain/model'
import { noUsage, outputUnits, type Units, type Usage } from '../../domain/usage'
import { GatewayError } from '../../errors/gateway-error'
import type { Inbound } from '../http/inbound'
import type { Hold } from '../../ledger/ledger'
import type { AccountSlot } from '../limits/limits'
import { ceilingPrice, price } from '../metering/price'
import { billedUnits } from '../metering/price-card'
import { unitsFor, unitsWithin, type UsageCeiling } from '../metering/usage-ceiling'
import type { CallObserver } from '../observability/call-observer'
import type { Answer } from './endpoint'
import { isInterruption } from './interruption'
import { addCosts, isCounted, unknownCosts, vendorCostOf, type RouteCosts } from './vendor-cost'

/** Ending of a call, before it has a price. */
export interface Ended {
  readonly status: CallEnding['status']
  readonly route: Route | null
  readonly error: GatewayError | null
  /** Absent where none came. */
  readonly answer?: Pick<Answer, 'vendorAnswer'>
}

/** Charge of a call. */
export interface Charge {
  readonly cost: NanoUsd
  /** Charged usage: the counted one, as long as that is possible and can be paid. */
  readonly usage: Usage
  /** It is not what was counted. */
  readonly isCut: boolean
}

/** Dependencies of ending a call. */
export interface OutcomeParts {
  readonly monotonic: Monotonic
  readonly observer: CallObserver
  /** Cost cards of routes. */
  readonly costs: RouteCosts
}

/** The model that answers a call: its offer, the ceiling of its usage, and how it was opened. */
export interface AnsweringModel {
  readonly offer: Offer
  /** The most that it can use; null where nothing bounds it before it begins. */
  readonly ceiling: UsageCeiling | null
  readonly opening: CallOpening
  /** Units assumed for a vendor that reports none; none by default. */
  readonly expected?: Units
  /** As of `Estimate`. */
  readonly prompts?: number
}

/** Call at its beginning. */
interface BegunCall {
  readonly hold: Hold
  readonly slot: AccountSlot
  readonly inbound: Inbound
}

/**
 * A call whose money is held. It ends once, one way or the other; what comes later changes nothing.
 * A class, since every call makes one.
 */
export class MeteredCall {
  readonly #parts: OutcomeParts
  #model: AnsweringModel
  readonly #begun: BegunCall
  #firstByteMs: number | null = null
  #over = false
  /** Cost of vendors that gave no answer. */
  #lost: VendorCost | undefined

  constructor(parts: OutcomeParts, model: AnsweringModel, begun: BegunCall) {
    this.#parts = parts
    this.#model = model
    this.#begun = begun
    begun.inbound.slot.retain()
  }

  get hold(): Hold {
    return this.#begun.hold
  }

  get offer(): Offer {
    return this.#model.offer
  }

  /** Another model answers than was asked first: the call is charged and recorded as its, before any byte is sent. */
  answerAs(model: AnsweringModel): void {
    this.#begun.hold.answerAs(model.opening)
    this.#model = model
  }

  /** The first byte of the answer is there. */
  answered(): void {
    this.#firstByteMs ??= this.#sinceOpening()
  }

  /**
   * Charges the usage, at most the most that the call can cost, and never money that is not there.
   * Units that a vendor counts beyond are the operator's loss, and stay on the record.
   * @param counted by the vendor, where `usage` is cut already
   */
  charge(ended: Ended, told: Usage, reported: Counted | null = null): Charge {
    const used = told.served === undefined ? told : unserved(told)
    const { hold } = this.#begun
    const { offer, ceiling } = this.#model
    const counted = billedUnits(used.units, offer.rates)
    const possible = ceiling === null ? counted : unitsWithin(counted, ceiling)
    let units = possible
    let cost = this.#priced(units, ended)
    if (cost > hold.amount && !this.#over) {
      const most = hold.chargeable(cost)
      if (most < cost) {
        units = unitsFor(units, most, (some) => this.#priced(some, ended))
        cost = this.#priced(units, ended)
      }
    }
    const isCut = units !== counted
    const usage = units === used.units ? used : chargedUsage(used, units, isCut)
    if (this.#over) return { cost, usage, isCut }
    const { route } = ended
    const billed =
      route === null
        ? this.#lost
        : this.#billed(route, reported === null ? told : { ...told, units: reported.units })
    if (told.served !== undefined && route !== null)
      this.#tellServed(route, told, (billed?.amount ?? 0) > cost)
    const ending = this.#endingOf(ended, usage, cost, billed)
    const own = isCut ? { units: counted, isBeyondPossible: possible !== counted } : null
    const unpaid = this.#unpaid(reported ?? own)
    this.#finish(ended, unpaid === null ? ending : { ...ending, unpaid }, 'settle')
    return { cost, usage, isCut }
  }

  /** Served otherwise than anybody knows the cost of, or at more than the customer pays. */
  #tellServed(route: Route, told: Usage, isLoss: boolean): void {
    const { opening, prompts } = this.#model
    const unknown = unknownCosts(this.#parts.costs, route, told, prompts)
    const served = isLoss && unknown.length === 0 ? (told.served ?? []) : unknown
    const { vendor } = route
    if (served.length > 0) this.#parts.observer.served?.({ vendor, model: opening.model, served })
  }

  #unpaid(counted: Counted | null): Unpaid | null {
    if (counted === null) return null
    const { offer, prompts } = this.#model
    const units = billedUnits(counted.units, offer.rates)
    return { ...counted, units, cost: ceilingPrice(units, offer.rates, prompts) }
  }

  /**
   * Nothing was produced or nothing was sent: nothing is charged.
   * @param counted what its vendor has counted by then, where it told
   */
  giveBack(ended: Ended, counted?: Usage): void {
    if (this.#over) return
    if (ended.route !== null) this.unanswered(ended.route, counted)
    this.#finish(ended, this.#endingOf(ended, noUsage, zeroUsd, this.#lost), 'release')
  }

  /**
   * A vendor was asked and bills it, although nothing comes of it.
   * @param counted as `giveBack`
   */
  unanswered(route: Route, counted?: Usage): void {
    const { expected = {}, prompts } = this.#model
    const usage = counted !== undefined && isCounted(counted.units) ? counted : { units: expected }
    const lost = vendorCostOf(this.#parts.costs, route, { ...usage, estimated: true }, prompts)
    this.#lost = addCosts(this.#lost, lost)
  }

  #billed(route: Route, counted: Usage): VendorCost | undefined {
    const { ceiling, prompts } = this.#model
    // A count beyond what the call can use is the vendor's mistake: its bill need not be.
    const units = ceiling === null ? counted.units : unitsWithin(counted.units, ceiling)
    const bounded = units === counted.units ? counted : { ...counted, units, estimated: true }
    return addCosts(vendorCostOf(this.#parts.costs, route, bounded, prompts), this.#lost)
  }

  /** It was charged, or its money was let go. */
  isOver(): boolean {
    return this.#over
  }

  /** Vendor's cost of counted units; absent where unknown. */
  vendorCost(route: Route, counted: Usage): Pick<CallEnding, 'vendorCost'> {
    const vendorCost = this.#billed(route, counted)
    return vendorCost === undefined ? {} : { vendorCost }
  }

  #sinceOpening(): number {
    return Math.round(this.#parts.monotonic.ticks() - this.#begun.inbound.arrived)
  }

  #endingOf(
    ended: Ended,
    usage: Usage,
    cost: NanoUsd,
    vendorCost: VendorCost | undefined,
  ): CallEnding {
    const ending: Editable<CallEnding> = {
      status: ended.status,
      usage,
      cost,
      vendor: ended.route?.vendor ?? null,
      vendorModel: ended.route?.vendorModel ?? null,
      error: ended.error?.code ?? null,
      latencyMs: this.#sinceOpening(),
      firstByteMs: this.#firstByteMs,
    }
    const vendorAnswer = nameOf(ended)
    if (vendorAnswer !== null) ending.vendorAnswer = vendorAnswer
    if (vendorCost !== undefined) ending.vendorCost = vendorCost
    return ending
  }

  /** The record has the code alone; why it broke off is the operator's to know. */
  #tellBroken({ error, route }: Ended): void {
    if (error === null || !isInterruption(error)) return
    this.#parts.observer.broke?.({ vendor: route?.vendor ?? null, error }, this.#begun.inbound)
  }

  #finish(ended: Ended, ending: CallEnding, how: 'settle' | 'release'): void {
    this.#tellBroken(ended)
    const { hold, slot, inbound } = this.#begun
    const { opening } = this.#model
    this.#over = true
    try {
      hold[how](ending)
    } finally {
      slot.release()
      inbound.slot.release()
      this.#parts.observer.ended(opening, ending, inbound)
    }
  }

  /** Price of counted units. A failure is a fault of ours: it must not keep money and a slot for ever. */
  #priced(units: Units, ended: Ended): NanoUsd {
    try {
      return price(units, this.#model.offer.rates, this.#model.prompts)
    } catch (cause) {
      const error = new GatewayError('internal_error', {}, { cause })
      this.giveBack({ ...ended, status: 'error', error })
      throw error
    }
  }
}

/** Usage as records have it: how it was served is in its cost. */
const unserved = ({ served: _, ...usage }: Usage): Usage => usage

/** Usage of what is charged. @param isCut it is less than what was counted */
const chargedUsage = (used: Usage, units: Units, isCut: boolean): Usage => ({
  units,
  reasoning: isCut ? Math.min(used.reasoning, outputUnits(units)) : used.reasoning,
  estimated: used.estimated || isCut,
})

/** The vendor's name of an answer, as it is kept; null for none. */
function nameOf({ answer, route }: Ended): string | null {
  const name = answer?.vendorAnswer?.() ?? null
  return name === null ? null : keptAnswer({ ...route, name })
}
