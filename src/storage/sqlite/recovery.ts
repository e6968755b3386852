import type { Connection } from './database'
import { addPendingAsErrors } from './usage-days'

/**
 * Calls that an earlier process left pending become errors and cost nothing: their holds died
 * with it. Finds them by the partial index, whatever the history.
 * @returns how many
 */
export const recover = ({ raw, transaction }: Connection): number =>
  transaction(() => {
    raw.prepare(addPendingAsErrors).run()
    return raw.prepare(recoverSql).run().changes
  }, 'durable')

export const recoverSql = `
  UPDATE requests INDEXED BY requests_pending SET status = 'error', error = 'gateway_error'
  WHERE status = 'pending'`
