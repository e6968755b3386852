import type { Offer } from '../catalogue/catalogue'
import type { Clock } from '../domain/clock'
import { zeroUsd, type NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening } from '../domain/record'
import type { Route } from '../domain/model'
import { noUsage, type Usage } from '../domain/usage'
import { GatewayError } from '../errors/gateway-error'
import type { Inbound } from '../http/inbound'
import type { Hold } from '../ledger/ledger'
import type { Seat } from '../limits/limits'
import { possibleUnits } from '../metering/possible-units'
import { price } from '../metering/price'
import { billedUnits } from '../metering/price-card'
import type { CallObserver } from '../observability/call-observer'
import type { Answer } from './endpoint'

/** How a call ended, before it has a price. */
export interface Ended {
  readonly status: CallEnding['status']
  readonly route: Route | null
  readonly error: GatewayError | null
  /** Absent where none came. */
  readonly answer?: Pick<Answer, 'vendorAnswer'>
}

/** A call whose money is held. It ends once, one way or the other; what comes later changes nothing. */
export interface OpenCall {
  readonly hold: Hold
  readonly offer: Offer
  /** The first byte of the answer is there. */
  answered(): void
  /** Charges what was used. @returns the cost */
  charge(ended: Ended, usage: Usage): NanoUsd
  /** Nothing was produced or nothing was sent: nothing is charged. */
  giveBack(ended: Ended): void
}

export interface OutcomeParts {
  readonly clock: Clock
  readonly observer: CallObserver
}

/** What a call is that begins. */
export interface BegunCall {
  readonly hold: Hold
  readonly seat: Seat
  readonly offer: Offer
  readonly opening: CallOpening
  readonly inbound: Inbound
}

export const openOutcome = (parts: OutcomeParts, call: BegunCall): OpenCall =>
  new Outcome(parts, call)

/** A class, since every call makes one. */
class Outcome implements OpenCall {
  readonly #parts: OutcomeParts
  readonly #call: BegunCall
  #firstByteMs: number | null = null
  #over = false

  constructor(parts: OutcomeParts, call: BegunCall) {
    this.#parts = parts
    this.#call = call
    call.inbound.slot.retain()
  }

  get hold(): Hold {
    return this.#call.hold
  }

  get offer(): Offer {
    return this.#call.offer
  }

  answered(): void {
    this.#firstByteMs ??= this.#sinceOpening()
  }

  charge(ended: Ended, used: Usage): NanoUsd {
    const { offer } = this.#call
    const possible = possibleUnits(used.units, offer.model)
    const units = billedUnits(possible, offer.rates)
    const estimated = used.estimated || possible !== used.units
    const usage = units === used.units ? used : { ...used, units, estimated }
    const cost = this.#priced(usage, ended)
    if (!this.#over) this.#finish(this.#endingOf(ended, usage, cost), 'settle')
    return cost
  }

  giveBack(ended: Ended): void {
    if (!this.#over) this.#finish(this.#endingOf(ended, noUsage, zeroUsd), 'release')
  }

  /** Zero where the clock was set back meanwhile. */
  #sinceOpening(): number {
    return Math.max(0, this.#parts.clock.now() - this.#call.opening.created)
  }

  #endingOf(ended: Ended, usage: Usage, cost: NanoUsd): CallEnding {
    return {
      ...nameOf(ended),
      status: ended.status,
      usage,
      cost,
      vendor: ended.route?.vendor ?? null,
      vendorModel: ended.route?.vendorModel ?? null,
      error: ended.error?.code ?? null,
      latencyMs: this.#sinceOpening(),
      firstByteMs: this.#firstByteMs,
    }
  }

  #finish(ending: CallEnding, how: 'settle' | 'release'): void {
    const { hold, seat, opening, inbound } = this.#call
    this.#over = true
    try {
      hold[how](ending)
    } finally {
      seat.release()
      inbound.slot.release()
      this.#parts.observer.ended(opening, ending, inbound)
    }
  }

  /** What cannot be priced is a fault of ours: it must not keep money and a seat for ever. */
  #priced(usage: Usage, ended: Ended): NanoUsd {
    try {
      return price(usage.units, this.#call.offer.rates)
    } catch (cause) {
      const error = new GatewayError('internal_error', {}, { cause })
      this.giveBack({ ...ended, status: 'error', error })
      throw error
    }
  }
}

function nameOf({ answer }: Ended): Pick<CallEnding, 'vendorAnswer'> {
  const name = answer?.vendorAnswer?.() ?? null
  return name === null ? {} : { vendorAnswer: name }
}
