import type { PaymentId } from '../../domain/ids'
import type { Rial } from '../../domain/payment'

/** An amount as a gateway counts it. */
export interface CardCharge {
  /** ISO 4217, in capitals. */
  readonly currency: string
  /** In the currency's smallest unit: rials, cents. */
  readonly amount: number
}

/** Currency of the Iranian gateways. */
const rialCurrency = 'IRR'

export const chargeInRials = (rials: Rial): CardCharge => ({
  currency: rialCurrency,
  amount: rials,
})

/** Rials of a charge. @throws RangeError for a charge in another currency */
export function rialsIn({ currency, amount }: CardCharge): Rial {
  if (currency !== rialCurrency) throw new RangeError(`not a charge in rials but in ${currency}`)
  return amount as Rial
}

/** A payment that a gateway is asked to open. */
interface GatewayOrder {
  /** Ours; stands in the address of `returnTo`. */
  readonly payment: PaymentId
  readonly charge: CardCharge
  readonly description: string
  /** `09…`: lets the gateway offer the cards it knows. */
  readonly mobile: string | null
  readonly returnTo: string
}

/** A payment that a gateway has opened. */
export interface OpenedPayment {
  readonly reference: string
  /** Where the browser pays. */
  readonly page: string
}

/** State of a payment at its gateway. */
export type Verdict =
  | { readonly state: 'paid'; readonly receipt: string; readonly card: string | null }
  /** Failed by now; the customer may yet go back and pay. */
  | { readonly state: 'refused'; readonly code: string }
  /** The gateway says that it waits. */
  | { readonly state: 'open'; readonly code: string }
  /** No usable answer. */
  | { readonly state: 'unknown'; readonly code: string }

/** Money that a gateway took and that was never verified. */
export interface UnverifiedPayment {
  readonly reference: string
  readonly charge: CardCharge
  /** Of ours, by the address that its browser was to return to; null where that is not one of ours. */
  readonly payment: string | null
}

/** Event from a gateway's own server. */
export interface GatewayEvent {
  readonly headers: Headers
  /** As it was sent: its signature is over these bytes. */
  readonly body: string
}

/** Payment page of a gateway. Everything but `begin` may be repeated. */
export interface CardGateway {
  /** @throws GatewayFault */
  begin(order: GatewayOrder): Promise<OpenedPayment>
  /**
   * Closes a payment of exactly this charge; without it some gateways give the money back.
   * @throws GatewayFault without a usable answer
   */
  verify(reference: string, charge: CardCharge): Promise<Verdict>
  /** Paid and not verified, where the gateway lists them. @throws GatewayFault */
  unverified?(): Promise<readonly UnverifiedPayment[]>
  /** Reference that a signed event is about; null where it tells nothing of a payment. @throws GatewayFault */
  eventReference?(event: GatewayEvent): string | null
}

/** A gateway's refusal in its own code, or `no_answer`. */
export class GatewayFault extends Error {
  constructor(readonly code: string) {
    super(`the gateway refused: ${code}`)
    this.name = 'GatewayFault'
  }
}

/** Code where a gateway was silent, cut the connection, or answered without sense. */
export const noAnswer = 'no_answer'
