import { timingSafeEqual } from 'node:crypto'
import { latinDigits } from '../../domain/digits'
import type { PaymentId } from '../../domain/ids'
import { rialsIn, type CardGateway, type Verdict } from './card-gateway'
import type { Rial } from '../../domain/payment'

/** A payment at the bank inside of the program. */
export interface TrialSlip {
  readonly reference: string
  readonly payment: PaymentId
  readonly rials: Rial
  readonly state: 'open' | 'paid' | 'refused'
}

export interface TrialSlipStore {
  add(slip: TrialSlip): Promise<void>
  find(reference: string): Promise<TrialSlip | null>
  /** Decides an open one; any other stays as it is. */
  decide(reference: string, state: 'paid' | 'refused'): Promise<void>
}

/** Below this address are the pages of its payments. */
export const trialBankPath = '/app/bank/'

/** No card: it says so itself. */
const noCard = '000000******0000'
const receiptDigits = 10

/** Tells the one-time word of a payment. */
export type TrialWordOf = (reference: string) => string

/** No letter that is read as another, and no vowel. */
const wordLetters = '23456789BCDFGHJKMNPQRSTVWXZ'
const wordLength = 8

/**
 * Eight letters and digits (38 bits) that nobody else can tell of a reference.
 * @param hashOf keyed, in hexadecimal digits
 */
export const trialWords =
  (hashOf: (text: string) => string): TrialWordOf =>
  (reference) => {
    const bytes = Buffer.from(hashOf(`trial bank:${reference}`), 'hex')
    let word = ''
    for (let at = 0; at < wordLength; at++)
      word += wordLetters[bytes.readUInt16BE(2 * at) % wordLetters.length]
    return `${word.slice(0, wordLength / 2)}-${word.slice(wordLength / 2)}`
  }

/** Whether somebody typed a word, however they wrote it. */
export function isTrialWord(typed: string, word: string): boolean {
  const [given, wanted] = [typed, word].map((text) => Buffer.from(plainWord(text)))
  return given?.length === wanted?.length && timingSafeEqual(given ?? none, wanted ?? none)
}

const none = Buffer.alloc(0)
const plainWord = (text: string): string =>
  latinDigits(text)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')

/**
 * The test bank inside of the program: no card, no money.
 * @param onOpened told of each payment that begins here
 */
export const openTrialBank = (
  slips: TrialSlipStore,
  onOpened: (slip: TrialSlip) => void = () => {},
): CardGateway => ({
  async begin({ payment, charge }) {
    const reference = Bun.randomUUIDv7('buffer').toString('hex')
    const slip = { reference, payment, rials: rialsIn(charge), state: 'open' } as const
    await slips.add(slip)
    onOpened(slip)
    return { reference, page: `${trialBankPath}${reference}` }
  },
  async verify(reference, charge): Promise<Verdict> {
    const slip = await slips.find(reference)
    if (slip === null) return { state: 'refused', code: 'unknown' }
    if (slip.rials !== rialsIn(charge)) return { state: 'refused', code: 'amount' }
    if (slip.state === 'paid')
      return { state: 'paid', receipt: reference.slice(-receiptDigits), card: noCard }
    return { state: slip.state, code: slip.state }
  },
})
