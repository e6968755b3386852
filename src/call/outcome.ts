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
import { soldUnits } from '../metering/price-card'
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

export function openOutcome(
  parts: OutcomeParts,
  call: { hold: Hold; seat: Seat; offer: Offer; opening: CallOpening; inbound: Inbound },
): OpenCall {
  const { hold, seat, offer, opening, inbound } = call
  let firstByteMs: number | null = null
  let over = false

  const endingOf = (ended: Ended, usage: Usage, cost: NanoUsd): CallEnding => ({
    ...nameOf(ended),
    status: ended.status,
    usage,
    cost,
    vendor: ended.route?.vendor ?? null,
    vendorModel: ended.route?.vendorModel ?? null,
    error: ended.error?.code ?? null,
    latencyMs: parts.clock.now() - opening.created,
    firstByteMs,
  })

  const finish = (ending: CallEnding, close: (ending: CallEnding) => void) => {
    over = true
    try {
      close(ending)
    } finally {
      seat.release()
      parts.observer.ended(opening, ending, inbound)
    }
  }

  const giveBack = (ended: Ended) => {
    if (!over) finish(endingOf(ended, noUsage, zeroUsd), hold.release)
  }

  /** What cannot be priced is a fault of ours: it must not keep money and a seat for ever. */
  const priced = (usage: Usage, ended: Ended): NanoUsd => {
    try {
      return price(usage.units, offer.rates)
    } catch (cause) {
      const error = new GatewayError('internal_error', {}, { cause })
      giveBack({ ...ended, status: 'error', error })
      throw error
    }
  }

  return {
    hold,
    offer,
    answered() {
      firstByteMs ??= parts.clock.now() - opening.created
    },
    charge(ended, used) {
      const possible = possibleUnits(used.units, offer.model)
      const units = soldUnits(possible, offer.rates)
      const estimated = used.estimated || possible !== used.units
      const usage = units === used.units ? used : { ...used, units, estimated }
      const cost = priced(usage, ended)
      if (!over) finish(endingOf(ended, usage, cost), hold.settle)
      return cost
    },
    giveBack,
  }
}

function nameOf({ answer }: Ended): Pick<CallEnding, 'vendorAnswer'> {
  const name = answer?.vendorAnswer?.() ?? null
  return name === null ? {} : { vendorAnswer: name }
}
