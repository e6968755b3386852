import { randomInt } from 'node:crypto'
import type { Ms } from '../../domain/clock'
import { latinDigits } from '../../domain/digits'
import type { Guess } from '../../domain/guess'
import type { AccountId, PersonId, RedeemCodeId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'
import { PaymentRefusal, type RefusedPayment } from './payment-refusal'

/** A code that is worth money once, as it is kept: never the code itself. */
export interface RedeemCode {
  readonly id: RedeemCodeId
  /** Codes that were made together. */
  readonly batch: string
  readonly amount: NanoUsd
  /** Last digits, to know it by. */
  readonly ending: string
  readonly created: Ms
  readonly by: string
  /** Null for never. */
  readonly expires: Ms | null
  readonly revoked: Ms | null
  readonly redeemed: { readonly at: Ms; readonly account: AccountId } | null
}

interface NewRedeemCodes {
  readonly batch: string
  readonly amount: NanoUsd
  readonly expires: Ms | null
  readonly by: string
  readonly codes: readonly { readonly hash: string; readonly ending: string }[]
}

/** Person who redeems a code, and their address. */
export interface Redeeming {
  /** Of the code that was typed, of every generation of the pepper. */
  readonly hashes: readonly string[]
  readonly account: AccountId
  readonly person: PersonId
  /** An address, or the network that counts as one. */
  readonly address: string
}

/** Wrong codes that one may try in an hour. */
export interface RedeemBounds {
  readonly perPerson: number
  readonly perAddress: number
}

export type Redeemed =
  | { readonly amount: NanoUsd; readonly balance: NanoUsd }
  | {
      readonly refusal: RefusedPayment
      /** Wrong ones of the whole service in the last hour; 0 where this one was not wrong. */
      readonly wrongInHour: number
    }

interface RedeemCodeQuery {
  readonly batch: string | null
  readonly before: RedeemCodeId | null
  readonly max: number
}

/** Codes as they are kept. A try, its count and its money are one transaction. */
export interface RedeemCodeStore {
  create(codes: NewRedeemCodes): Promise<readonly RedeemCode[]>
  /** Newest first. */
  list(query: RedeemCodeQuery): Promise<readonly RedeemCode[]>
  find(id: RedeemCodeId): Promise<RedeemCode | null>
  /** Ends those that are neither redeemed nor revoked. @returns how many */
  revoke(which: { readonly id: RedeemCodeId } | { readonly batch: string }): Promise<number>
  redeem(redeeming: Redeeming, bounds: RedeemBounds): Promise<Redeemed>
}

const digits = 20
const group = 4

/** Twenty digits: typed on any keyboard, and more than can be guessed with the folder in hand. */
export const freshRedeemCode = (): string =>
  Array.from({ length: digits }, () => String(randomInt(10))).join('')

/** A redeem code as it is sold: in groups. */
export const shownRedeemCode = (code: string): string =>
  Array.from({ length: digits / group }, (_, at) => code.slice(at * group, (at + 1) * group)).join(
    '-',
  )

/** Last digits of a code, which tell it from others and are no help in guessing it. */
export const redeemEnding = (code: string): string => code.slice(-group)

/**
 * A code as a person types it, in any script's digits, with marks between them.
 * @throws PaymentRefusal redeem_code_invalid
 */
function readRedeemCode(typed: string): string {
  const code = latinDigits(typed).replace(
    /[\s\p{Pd}\u2212_.·\u200c-\u200f\u202a-\u202e\u2066-\u2069]/gu,
    '',
  )
  if (!/^\d+$/.test(code) || code.length !== digits)
    throw new PaymentRefusal('redeem_code_invalid', {})
  return code
}

interface RedeemParts {
  readonly store: Pick<RedeemCodeStore, 'redeem'>
  hashesOf(code: string): readonly string[]
  /** Wrong ones of the whole service in an hour from which the operator is told. */
  wrongAlarm(): number
  onAlarm(limit: number): Promise<void>
  /** Money came in: balances are to be read anew. */
  onRedeemed(): void
}

/** Redeems a code. @throws PaymentRefusal */
export type Redeem = (
  guess: Guess,
  who: Omit<Redeeming, 'hashes'>,
  typed: string,
) => Promise<{ readonly amount: NanoUsd; readonly balance: NanoUsd }>

/** A person, and all who share an address, have these. */
const bounds: RedeemBounds = { perPerson: 10, perAddress: 30 }

export function openRedeem({
  store,
  hashesOf,
  wrongAlarm,
  onAlarm,
  onRedeemed,
}: RedeemParts): Redeem {
  return async (_guess, who, typed) => {
    const hashes = hashesOf(readRedeemCode(typed))
    const redeemed = await store.redeem({ ...who, hashes }, bounds)
    if ('refusal' in redeemed) {
      if (redeemed.wrongInHour >= wrongAlarm()) await onAlarm(wrongAlarm())
      throw new PaymentRefusal(redeemed.refusal.code, redeemed.refusal.facts)
    }
    onRedeemed()
    return redeemed
  }
}
