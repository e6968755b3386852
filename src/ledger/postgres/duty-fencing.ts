import type { NodeId } from '../../domain/ids'
import type { Connection } from '../../storage/sqlite/connection'

/** One node's time with a duty: the number grows each time that the duty passes to another node. */
export interface DutyClaim {
  readonly duty: string
  readonly node: NodeId
  readonly claim: number
}

/** The duty has passed to another node since this one began: what it was about to write is not written. */
export class DutyLost extends Error {
  constructor(duty: string) {
    super(`the duty of ${duty} has passed to another process`)
    this.name = 'DutyLost'
  }
}

/** Holds the claim as it is until the transaction is over: who takes the duty waits for it. */
const claimSql = 'SELECT claim FROM duties WHERE name = ?1 AND node = ?2 AND claim = ?3 FOR SHARE'

/**
 * Does what a duty writes, in one transaction with the look at its claim.
 * @param work ends before it returns; a promise of it is over
 * @throws DutyLost where another node has the duty by now; nothing is written then
 */
export function underClaim(
  { raw, transaction }: Connection,
  { duty, node, claim }: DutyClaim,
  work: () => unknown,
): unknown {
  const result = transaction((): { readonly of: unknown } => {
    const held = raw.prepare<{ claim: number }, [string, number, number]>(claimSql)
    if (held.get(duty, node, claim) === null) throw new DutyLost(duty)
    const of = work()
    if (of instanceof Promise) checkOver(of)
    return { of }
  })
  return result.of
}

/** @throws what the promise was rejected with: the transaction must not keep half of it */
function checkOver(promise: Promise<unknown>): void {
  const status = Bun.peek.status(promise)
  if (status === 'pending') throw new Error('a store that waits cannot write under a claim')
  if (status === 'fulfilled') return
  promise.catch(() => {})
  throw Bun.peek(promise)
}
