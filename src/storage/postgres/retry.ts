import type { SQL } from 'bun'
import { systemRandom } from '../../domain/clock'

/** How often what met another transaction is done again. */
const maxRetries = 100
/** Those who met wait for unequal times, or they would meet again. */
const maxPauseMs = 50

/** Whether it was undone because of another transaction: serialization_failure, deadlock_detected. */
function isConflict(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false
  const { errno, code } = fault as { errno?: unknown; code?: unknown }
  return [errno, code].some((state) => state === '40001' || state === '40P01')
}

/**
 * Whether the database refused the data of a statement, which it would refuse again: SQLSTATE classes 22 (data
 * exception), 23 (integrity constraint violation) and P0 (raised by a function or trigger), PostgreSQL's Appendix A.
 */
export function isRejection(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false
  const { errno, code } = fault as { errno?: unknown; code?: unknown }
  return [errno, code].some((state) => /^(?:22|23|P0)[\dA-Z]{3}$/.test(String(state)))
}

/** Does it again as long as another transaction is in its way. @throws what `work` throws */
export async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries++)
    try {
      return await work()
    } catch (fault) {
      if (!isConflict(fault) || retries >= maxRetries) throw fault
      await Bun.sleep(systemRandom() * Math.min(maxPauseMs, retries))
    }
}

/** Rows of one statement that is a transaction of its own; again as long as another one is in its way. */
export const statement = async <Row>(
  sql: SQL,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> => retried(() => sql.unsafe(text, [...values]))
