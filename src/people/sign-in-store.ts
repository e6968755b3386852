import type { Ms } from '../domain/clock'
import type { Phone } from './phone'

/** The code that a phone was sent last, and what was guessed of it. */
export interface KeptCode {
  /** HMAC-SHA-256 of phone and code, hexadecimal; null once it was used or locked. */
  readonly hash: string | null
  readonly sent: Ms
  readonly expires: Ms
  /** Wrong ones since `wrongSince`. */
  readonly wrong: number
  readonly wrongSince: Ms
  readonly lockedUntil: Ms
}

/** Facts known when somebody asks for a code. */
export interface CodeFacts {
  readonly code: KeptCode | null
  /** Codes for this phone in the last hour, oldest first. */
  readonly ofPhone: readonly Ms[]
  /** Codes that this address asked for in the last hour, oldest first. */
  readonly ofAddress: readonly Ms[]
  /** Codes of the whole service in this clock hour. */
  readonly ofService: number
}

interface AskingCode {
  readonly phone: Phone
  /** An address, or the network that counts as one. */
  readonly address: string
  readonly at: Ms
}

/** Codes as they are kept. A decision and what it reads and writes are one transaction. */
export interface SignInStore {
  /** @param decide the new code, which is counted as sent; null keeps what is there */
  ask<T>(
    asking: AskingCode,
    decide: (asked: CodeFacts) => { readonly code: KeptCode | null; readonly answer: T },
  ): Promise<T>
  /**
   * @param decide the code as it is kept from now on; null keeps what is there
   * @returns the answer, and the wrong codes of the whole service in this clock hour; 0 where this one
   *   was not wrong
   */
  check<T>(
    phone: Phone,
    at: Ms,
    decide: (kept: KeptCode | null) => {
      readonly code: KeptCode | null
      readonly wasWrong: boolean
      readonly answer: T
    },
  ): Promise<{ readonly answer: T; readonly wrongThisHour: number }>
}
