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

/** Words for an obstacle to calls to a vendor. */
export function problemText({ code, status, address }: TrialProblem): string {
  const complete = 'is the address complete, as in …/v1?'
  switch (code) {
    case 'no_answer':
      return `${address} does not answer`
    case 'key_wanted':
      return `it wants a key (${status})`
    case 'key_refused':
      return `it refuses our key (${status})`
    case 'address_incomplete':
      return `it has no list of models at ${address.replace(/\/v1$/, '')}, but at ${address}: --base-url ${address}`
    case 'no_list':
      return `it answered with no list of models: ${complete}`
    case 'other_status':
      return `it answered ${status}${status === 404 ? `: ${complete}` : ''}`
  }
}
