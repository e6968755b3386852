import type { Ms } from '../../domain/clock'
import type { AccountId, PaymentId, PersonId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'
import type { PaymentState } from '../../domain/payment'
import type { CardCharge, Verdict } from './card-gateway'
import type { GatewayKind, trialBank } from '../../domain/payment'

/** Coins, and what was promised for them. */
interface PromisedCoins {
  readonly count: number
  /** Coins per dollar. */
  readonly rate: string
  /** Credited until then, it is this rate that counts. */
  readonly until: Ms
}

/** What a payment came to. */
interface Credit {
  readonly amount: NanoUsd
  /** Coins per dollar; null for a payment in dollars. */
  readonly rate: string | null
  readonly at: Ms
  /** Of the gateway. */
  readonly receipt: string
  /** Masked, as the gateway tells it. */
  readonly card: string | null
}

/** A payment by card, written before the customer leaves for the bank and never forgotten. */
export interface CardPayment {
  readonly id: PaymentId
  readonly account: AccountId
  /** Null where no person began it. */
  readonly person: PersonId | null
  /** Name of the gateway. */
  readonly gateway: string
  readonly kind: GatewayKind | typeof trialBank
  /** Null for a payment in dollars. */
  readonly coins: PromisedCoins | null
  /** Promised. */
  readonly amount: NanoUsd
  readonly charge: CardCharge
  /** The gateway's; null before it answered. */
  readonly reference: string | null
  readonly state: PaymentState
  /** The gateway's last word, where that was not a payment. */
  readonly code: string | null
  /** When the gateway is asked next; null when it is not asked any more by itself. */
  readonly due: Ms | null
  readonly created: Ms
  /** Null until it is credited. */
  readonly credit: Credit | null
}

export type NewCardPayment = Omit<
  CardPayment,
  'reference' | 'state' | 'code' | 'credit' | 'due'
> & {
  readonly due: Ms
}

interface CardPaymentQuery {
  /** Null for all. */
  readonly account: AccountId | null
  readonly state: PaymentState | null
  /** Only those that began before this one. */
  readonly before: PaymentId | null
  readonly max: number
}

/** How many payments one account may begin since a moment. */
interface BeginBound {
  readonly since: Ms
  readonly max: number
}

/** Payments by card. Each write is on disk before it is acknowledged. */
export interface CardPaymentStore {
  /**
   * Writes a payment down, unless its account began too many of late.
   * @returns null once it is written; else when the first of those began that leave no room
   */
  begin(payment: NewCardPayment, bound: BeginBound): Promise<Ms | null>
  /** @returns false where another payment has this reference */
  refer(id: PaymentId, reference: string): Promise<boolean>
  find(id: PaymentId): Promise<CardPayment | null>
  findByReference(kind: CardPayment['kind'], reference: string): Promise<CardPayment | null>
  /**
   * Moves the money and ends the payment in one transaction; one that is credited stays as it is.
   * The promised rate counts as long as it was promised for, then the rate of this moment.
   * @throws RangeError where it comes to more than an account can hold, or to nothing
   */
  credit(
    id: PaymentId,
    paid: Extract<Verdict, { state: 'paid' }>,
  ): Promise<{ readonly payment: CardPayment; readonly repeated: boolean }>
  /** Keeps a verdict other than paid; a credited payment stays as it is. */
  note(
    id: PaymentId,
    verdict: Pick<CardPayment, 'code' | 'due'> & {
      readonly state: Exclude<PaymentState, 'credited'>
    },
  ): Promise<CardPayment | null>
  /** Those whose gateway is to be asked by now, the longest waiting first. */
  due(now: Ms, max: number): Promise<readonly PaymentId[]>
  /** How many payments of a gateway are started, and asked about. */
  waitingAt(gateway: string): Promise<number>
  /** Newest first. */
  list(query: CardPaymentQuery): Promise<readonly CardPayment[]>
}
