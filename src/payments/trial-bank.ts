import type { PaymentId } from '../domain/ids'
import { rialsIn, type CardGateway, type Rial, type Verdict } from './card-gateway'

/** A payment at the bank inside of the program. */
interface TrialSlip {
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

/** The bank inside of the program, for trying: no card, no money. */
export const openTrialBank = (slips: TrialSlipStore): CardGateway => ({
  async begin({ payment, charge }) {
    const reference = Bun.randomUUIDv7('buffer').toString('hex')
    await slips.add({ reference, payment, rials: rialsIn(charge), state: 'open' })
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
