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
    raw.prepare(lostVideosSql).run()
    return raw.prepare(recoverSql).run().changes
  }, 'durable')

/**
 * Their calls are among those: whether a vendor took them is not known, so they cost nothing. Nobody
 * was told of them, but their owner may look for what became of them.
 */
const lostVideosSql = `
  UPDATE video_jobs SET status = 'failed', error = 'creation_lost', ended = created
  WHERE status IN ('creating', 'queued', 'in_progress') AND status = 'creating'`

export const recoverSql = `
  UPDATE requests INDEXED BY requests_pending SET status = 'error', error = 'gateway_error'
  WHERE status = 'pending'`
