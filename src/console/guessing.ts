import type { Guess } from '../domain/guess'
import type { Limits } from '../gateway/limits/limits'
import { addressBlocks, type AddressBlock } from '../gateway/net/address'
import { EmailRefusal, type EmailRefusalCode } from '../business/notices/recipients/email-codes'
import { isOperatorRefusal, type OperatorRefusalCode } from '../business/operators/operator-refusal'
import { isPaymentRefusal, type PaymentCode } from '../business/payments/payment-refusal'
import { isPeopleRefusal, type PeopleCode } from '../business/users/refusal'
import { Refusal } from './refusal'

type GuessCode = PeopleCode | OperatorRefusalCode | EmailRefusalCode | PaymentCode | 'look_over'

/** Refusals of what could be guessed; others compared nothing, or found it right. */
const wrongGuesses: ReadonlySet<string> = new Set<GuessCode>([
  'code_wrong',
  'code_long_wrong',
  'code_void',
  'code_expired',
  'code_locked',
  'email_code_wrong',
  'email_code_expired',
  'passkey_unknown',
  'passkey_expired',
  'passkey_invalid',
  'passkey_cloned',
  'ticket_invalid',
  'ticket_expired',
  'ticket_used',
  'ticket_elsewhere',
  'look_over',
  'redeem_code_unknown',
  'link_invalid',
  'setup_code_wrong',
  'sign_in_wrong',
  'sign_in_locked',
  'password_wrong',
])

function isWrongGuess(thrown: unknown): boolean {
  const isOurs =
    isPeopleRefusal(thrown) ||
    isOperatorRefusal(thrown) ||
    isPaymentRefusal(thrown) ||
    thrown instanceof EmailRefusal ||
    thrown instanceof Refusal
  return isOurs && wrongGuesses.has(thrown.code)
}

/** Blocks in which guesses at operators' doors count, apart from those at customers' doors of the same address. */
export const operatorBlocks = (address: string): readonly AddressBlock[] =>
  addressBlocks(address).map(({ name, weight }) => ({ name: `operator:${name}`, weight }))

/**
 * Compares a secret that somebody sent, as one guess of theirs: an address that guessed too often must wait, and
 * nothing is compared for it meanwhile. A right one is given back.
 * @param blocks of their address, or their browser where it is known
 * @throws GatewayError too_many_failed_attempts
 */
export async function guessing<T>(
  limits: Pick<Limits, 'takeAttempt'>,
  blocks: readonly AddressBlock[],
  work: (guess: Guess) => Promise<T>,
): Promise<T> {
  const guess = await limits.takeAttempt(blocks)
  try {
    const done = await work(guess)
    guess.forgive()
    return done
  } catch (thrown) {
    if (!isWrongGuess(thrown)) guess.forgive()
    throw thrown
  }
}
