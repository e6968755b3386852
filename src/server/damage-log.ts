import type { Log } from '../gateway/observability/log'
import type { SpoolDamage } from '../business/data/nodes'

/** Logs a spool of which a part could not be read; `doctor` finds the copy. */
export const logDamage =
  (log: Log) =>
  ({ bytes, copy }: SpoolDamage): void =>
    log.error('spool damaged: endings in it are lost', { bytes, copy })
