/** Amounts offered by the top-up page, in whole coins and whole dollars. */
export const presets = {
  coins: [50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000],
  usd: [5, 10, 25, 50, 100, 200],
} as const

/**
 * Dollars of coins as a decimal string, rounded down: never more than what will be added.
 * @param places decimals
 */
export const usdOfCoins = (coins: number, rate: string, places: number): string =>
  (Math.floor((coins / Number(rate)) * 10 ** places) / 10 ** places).toFixed(places)
