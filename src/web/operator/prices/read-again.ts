import { queries } from '../../queries'

/** Refetches models and prices: some were changed. */
export const readPricesAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['op'] })
