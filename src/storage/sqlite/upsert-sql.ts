/**
 * SQL of an upsert that adds what is new to what is there. Both are named with their table: a column
 * alone may be either to PostgreSQL.
 */
export const addedTo = (table: string, columns: string): string =>
  columns
    .split(', ')
    .map((column) => `${column} = ${table}.${column} + excluded.${column}`)
    .join(', ')
