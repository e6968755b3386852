import type { Ms } from '../../domain/clock'
import type { AddressBlock } from '../../gateway/net/address'
import type { Phone } from '../../domain/phone'

/** Wrong codes of a day that begins with the first of them. */
export interface WrongCodes {
  readonly wrong: number
  readonly wrongSince: Ms
}

/** Place of all strangers together. */
export const unknownClients = ''
/** All known browsers of a number together: their wrong codes outlive each of them. */
export const browsers = 'browsers'
/** Same, all known addresses. */
export const addresses = 'addresses'

/** Place from which a number signed in, a browser or an address; or a sum: `strangers`, `browsers`, `addresses`. */
export interface SignInPlace extends WrongCodes {
  readonly place: string
}

/** Code that was sent, until an hour after. */
export interface SentCode {
  readonly id: number
  /** Hash of the browser that asked. */
  readonly browser: string
  /** Place of the number from which it was asked for; `strangers` for any other. */
  readonly place: string
  /** Asked for by a stranger, for a number without an account. */
  readonly newcomer: boolean
  /**
   * HMAC-SHA-256 of number and leading digits, hexadecimal: any browser may try a code that it names. Null where
   * the browser that asked may try it alone.
   */
  readonly name: string | null
  /** HMAC-SHA-256 of number and code, hexadecimal; null once it was used or is void. */
  readonly hash: string | null
  readonly sent: Ms
  readonly expires: Ms
  readonly wrong: number
  /** It came back, and somebody is signed in. */
  readonly answered: boolean
}

/** Codes of strangers in the last hour that nobody answered, of one block of addresses. */
interface BlockCount extends AddressBlock {
  readonly count: number
  /** Null where there is none. */
  readonly oldest: Ms | null
}

/** Codes that were sent in a clock hour. */
interface HourCount {
  readonly sent: number
  /** Asked for by strangers, and not answered. */
  readonly strangers: number
  /** Of those of strangers: to numbers without an account. */
  readonly newcomers: number
}

/** Stored state of a number, by which a request or a try of a code is decided. */
export interface CodeFacts {
  /** Of the last hour, oldest first. */
  readonly codes: readonly SentCode[]
  /** Known places of the number, and sums over them and over strangers once a code was wrong there. */
  readonly places: readonly SignInPlace[]
}

export interface RequestFacts extends CodeFacts {
  readonly hasAccount: boolean
  readonly blocks: readonly BlockCount[]
  readonly hour: HourCount
}

interface Asking {
  readonly phone: Phone
  readonly at: Ms
  readonly address: string
  readonly blocks: readonly AddressBlock[]
}

type NewCode = Omit<SentCode, 'id' | 'answered' | 'wrong'>

/** Changes that a try of a code makes. */
export interface TryOutcome<T> {
  /** The code as it is kept from now on; null keeps what is there. */
  readonly code: SentCode | null
  /** Wrong codes of a sum from now on; null where none is more. */
  readonly wrongOf: SignInPlace | null
  /** Something was compared, and another. */
  readonly wasWrong: boolean
  readonly answer: T
}

/** Codes as they are kept. A decision and what it reads and writes are one transaction. */
export interface SignInStore {
  /** @param decide the new code, which is counted as sent; null sends none */
  ask<T>(
    asking: Asking,
    decide: (facts: RequestFacts) => { readonly code: NewCode | null; readonly answer: T },
  ): Promise<T>
  /**
   * @returns the answer, and the wrong codes of the whole service in this clock hour; 0 where this one
   *   was not wrong
   */
  check<T>(
    phone: Phone,
    at: Ms,
    decide: (facts: CodeFacts) => TryOutcome<T>,
  ): Promise<{ readonly answer: T; readonly wrongThisHour: number }>
  /** Forgets the newest code that a browser was sent. */
  unsent(phone: Phone, browser: string): Promise<void>
  /** Keeps places from which a number signed in, the newest few of them. */
  remember(phone: Phone, places: readonly string[], at: Ms): Promise<void>
  knows(phone: Phone, place: string): Promise<boolean>
}

/** Limits of a number that were lifted. */
export interface LiftedLimits {
  /** Codes of the last hour that hold no more, and count no more. */
  readonly codes: number
  /** Wrong codes that are forgotten. */
  readonly wrong: number
}

/** Limits of sign-in that operators lift. */
export interface SignInLimitStore {
  /** Forgets codes and wrong codes of a number, and leaves a line of the trail. */
  unlock(phone: Phone): Promise<LiftedLimits>
}
