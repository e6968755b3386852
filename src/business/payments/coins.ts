import { dollarsOfCoins } from './rate'
import type { Paid, Paying, PaymentStore } from './contract'

/** The specification's smallest top-up, in local coins. */
export const minimumCoins = 50_000

/**
 * Turns coins into dollars at the promised rate or that of this moment, and puts them on the account.
 * @throws RangeError below the minimum, without a rate, or when the reference was counted for something else
 */
export async function topUp(store: Pick<PaymentStore, 'pay'>, paying: Paying): Promise<Paid> {
  const { coins } = paying
  if (!Number.isSafeInteger(coins) || coins < minimumCoins)
    throw new RangeError(`the minimum top-up is ${minimumCoins.toLocaleString('en')} local coins`)
  return store.pay(paying, (rate) => dollarsOfCoins(coins, rate))
}
