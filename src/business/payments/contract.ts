import type { Ms } from '../../domain/clock'
import type { AccountId, PaymentId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'
import type { CoinRate } from './rate'

/** Coins that came in, and what they came to at the rate of that moment: for good. */
export interface Payment {
  readonly id: PaymentId
  readonly account: AccountId
  readonly coins: number
  /** Coins per dollar. */
  readonly rate: string
  readonly amount: NanoUsd
  readonly reference: string
  readonly created: Ms
  readonly by: string
}

export interface Paying extends Pick<Payment, 'account' | 'coins' | 'reference' | 'by'> {
  /** Coins per dollar that were promised; without it the rate of this moment counts. */
  readonly rate?: string
}

export interface Paid {
  readonly payment: Payment
  readonly balance: NanoUsd
  /** The reference was counted before: this is what was locked then, and nothing has changed. */
  readonly repeated: boolean
}

interface PaymentsQuery {
  /** Null for all. */
  readonly account: AccountId | null
  /** Only older ones; with the newest unless told. */
  readonly before?: PaymentId | null
  readonly most: number
}

/** Payments and rates: each is on disk before it is acknowledged, and none is ever edited. */
export interface PaymentStore {
  /** The rate now; null before the first. */
  rate(): Promise<CoinRate | null>
  /** Valid from now on. */
  setRate(rate: string, by: string): Promise<CoinRate>
  /** Newest first. @param before only those that were set before this one */
  rates(most: number, before?: number | null): Promise<readonly CoinRate[]>
  /** Newest first. */
  list(query: PaymentsQuery): Promise<readonly Payment[]>
  /**
   * Locks the rate, promised or of this moment, moves the money and keeps the payment, all or nothing.
   * @param amountAt what the coins come to at a rate
   * @throws RangeError without a rate, and when the reference was counted for something else
   */
  pay(paying: Paying, amountAt: (rate: string) => NanoUsd): Promise<Paid>
}
