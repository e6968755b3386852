import { trialProblemEn } from '../../admin/refusals/refusals-en'
import type { TrialProblem } from '../../admin/vendor-problem'
import { trialOf, type VendorTrial } from '../../admin/vendor-trial'
import type { VendorConfig } from '../../domain/model'
import type { VendorBalance } from '../../domain/vendor-state'
import { getJson } from '../../outbound/get-json'
import { counted } from '../kit/counted'

/** Free calls of this command to a vendor. */
export const testVendor = (vendor: VendorConfig): Promise<VendorTrial> => trialOf(getJson, vendor)

/** One line of a test, for people. */
export const testLine = (
  name: string,
  { problem, models, balance, isEmpty }: VendorTrial,
): string =>
  problem === null && !isEmpty
    ? `✓ ${name} answers and lists ${counted(models, 'model')}${balance === null ? '' : `, ${balanceText(balance)} left`}`
    : `✗ ${name}: ${problem === null ? 'our account there has no money left' : problemText(problem)}`

export const balanceText = ({ amount, currency }: VendorBalance): string =>
  currency === 'USD' ? `$${amount}` : `${amount} ${currency}`

/** Words for an obstacle to calls to a vendor, with the option that gets over it. */
export const problemText = (problem: TrialProblem): string =>
  `${trialProblemEn(problem)}${problem.code === 'address_incomplete' ? `: --base-url ${problem.address}` : ''}`
