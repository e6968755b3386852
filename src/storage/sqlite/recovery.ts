import type { Connection } from './database'
import type { Sums } from './sums'

/**
 * The sums of an earlier process are brought up to its last charge. Calls that it left pending
 * become errors and cost nothing: their holds died with it. Both are found by an index, whatever
 * the history.
 * @returns how many calls
 */
export const recover = ({ raw, transaction }: Connection, sums: Sums): number =>
  transaction(() => {
    sums.recover()
    return raw.prepare(recoverSql).run().changes
  }, 'durable')

export const recoverSql = `
  UPDATE requests INDEXED BY requests_pending SET status = 'error', error = 'gateway_error'
  WHERE status = 'pending'`
