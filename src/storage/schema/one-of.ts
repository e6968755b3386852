import { sql, type AnyColumn, type SQL } from 'drizzle-orm'

/** Condition of a check that a column holds one of these words. */
export const oneOf = (column: AnyColumn, words: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(', '))})`
