import { queries } from '../../queries'

/** Prices or models were changed: all that is shown of them is asked for anew. */
export const readPricesAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['op'] })
