import { addedTo } from '../../storage/sqlite/upsert-sql'

/* SQL of the columns that usage is counted in, the same in every table of it. */

/** What is added up of the rows that reports read. */
export const reported = 'requests, errors, input_tokens, output_tokens, cost'

/** Sums of rows that have a sign, by the names of `UsageSum`. */
export const reportedSums = `sum(sign * requests) AS requests, sum(sign * errors) AS errors,
  sum(sign * input_tokens) AS "inputTokens", sum(sign * output_tokens) AS "outputTokens",
  sum(sign * cost) AS cost`

/** Rows whose days were taken out of their months again leave nothing of themselves. */
export const isLeft = 'sum(sign * requests) <> 0 OR sum(sign * cost) <> 0'

const counted = 'requests, errors, input_tokens, output_tokens, cached_tokens, cost'

/** Sums of the same columns of rows without a sign. */
export const countedSums = counted
  .split(', ')
  .map((column) => `sum(${column})`)
  .join()

/** @param rows SQL that gives the columns of `place` and all counts */
export const addUsage = (table: string, place: readonly string[], rows: string): string => `
  INSERT INTO ${table} (${place.join()}, ${counted}) ${rows}
  ON CONFLICT (${place.join()}) DO UPDATE SET ${addedTo(table, counted)}`

/** Values of one row of `addUsage`. @param places columns of its place */
export const usageValues = (places: number): string =>
  `VALUES (${Array.from({ length: places + 6 }, () => '?').join()})`
