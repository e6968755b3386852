import { and, eq, isNotNull } from 'drizzle-orm'
import type { AccountId } from '../../domain/ids'
import { accounts } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'

/**
 * Refuses an account that is closed for good, inside of the caller's transaction: it may have been
 * closed since its caller looked.
 * @throws RangeError
 */
export function refuseClosed({ orm }: Connection, account: AccountId): void {
  const closed = orm
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.id, account), isNotNull(accounts.closed)))
    .limit(1)
    .get()
  if (closed !== undefined) throw new RangeError(`account ${account} is closed`)
}
