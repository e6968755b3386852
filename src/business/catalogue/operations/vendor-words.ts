import { trialProblemEn } from '../../operations/refusals/refusals-en'
import type { VendorBalance } from '../../../domain/vendor-state'
import type { TrialProblem } from '../vendor-problem'
import type { Static } from '@sinclair/typebox'
import { counted } from '../../operations/command'
import type { TrialView } from './vendor-views'

export const noMoney = 'our account there has no money left'

/** One line of a test, for people. */
export const testLine = (
  name: string,
  { problem, models, balance, is_empty: isEmpty }: Static<typeof TrialView>,
): string =>
  problem === null && !isEmpty
    ? `✓ ${name} answers and lists ${counted(models, 'model')}${balance === null ? '' : `, ${balanceText(balance)} left`}`
    : `✗ ${name}: ${problem === null ? noMoney : problemText(problem)}`

export const balanceText = ({ amount, currency }: VendorBalance): string =>
  currency === 'USD' ? `$${amount}` : `${amount} ${currency}`

/** Words for an obstacle to calls to a vendor, with the option that gets over it. */
export const problemText = (problem: TrialProblem): string =>
  `${trialProblemEn(problem)}${problem.code === 'address_incomplete' ? `: --base-url ${problem.address}` : ''}`

/** Prices that wait because of a change. */
export function proposedLines(proposed: readonly string[]): readonly string[] {
  if (proposed.length === 0) return []
  const names = proposed.slice(0, 3).join(', ')
  const more = proposed.length > 3 ? ` and ${proposed.length - 3} more` : ''
  return [
    `no price on sale moved; by their rules ${names}${more} would have others: chapar prices list`,
  ]
}
