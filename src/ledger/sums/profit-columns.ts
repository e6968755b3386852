/* SQL of the columns that profit is counted in, the same in every table of it. */

export interface ProfitRow {
  readonly key: string | number
  readonly calls: number
  readonly charged: number
  readonly refunded: number
  readonly vendorCost: number
  readonly uncosted: number
}

/** @param key SQL of what rows are grouped by, the first of them */
export const profitColumns = (key: string): string =>
  `${key}, calls, charged, refunded, vendor_cost, uncosted`

/** Sums of rows that have a sign, by the names of `ProfitRow`. */
export const earnedSums = `sum(sign * calls) AS calls, sum(sign * charged) AS charged,
  sum(sign * refunded) AS refunded, sum(sign * vendor_cost) AS "vendorCost",
  sum(sign * uncosted) AS uncosted`

/** Rows whose days were taken out of their months again leave nothing of themselves. */
export const isEarned =
  'sum(sign * calls) <> 0 OR sum(sign * charged) <> 0 OR sum(sign * refunded) <> 0'
