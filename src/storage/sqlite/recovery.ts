import type { Connection } from './database'

/**
 * Calls that an earlier process left pending become errors and cost nothing: their holds died
 * with it. Finds them by the partial index, whatever the history.
 * @returns how many
 */
export const recover = (connection: Connection): number =>
  connection.transaction(
    () =>
      connection.raw
        .prepare(
          `UPDATE requests SET status = 'error', error = 'gateway_error' WHERE status = 'pending'`,
        )
        .run().changes,
    true,
  )
