import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { AccountId, PersonId } from '../../domain/ids'
import type { Directory } from '../../gateway/identity/account-directory'
import type { MadeByMember, MadeKey } from './members'
import type { Actor } from '../../domain/audit-log'
import { accountWebhooks, holderDeliveries, keys, projects } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { removeWebhook } from '../notices/preference-store'
import { withdrawInvitations } from './user-deletion-store'
import type { RecordBy } from '../audit-log/audit-log-sql'
import type { NotifySecurity } from './security-notice-store'
import type { Rows } from '../../storage/sqlite/sync-store'

interface BelongingRowsParts {
  readonly connection: Connection
  readonly recordBy: RecordBy
  readonly tell: NotifySecurity
  /** The directory whose changes are somebody's. */
  directoryBy(who: Actor): Rows<Directory>
}

/** Keys of an account that a member made, and that work. */
function liveKeys({ orm }: Connection, account: AccountId, person: PersonId): MadeKey[] {
  const ofAccount = orm
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.account, account))
  // As the index has it: a bound value would not find it.
  const isKept = sql`${keys.state} <> 'revoked'`
  return orm
    .select({
      id: keys.id,
      name: keys.name,
      prefix: keys.prefix,
      project: keys.project,
      created: keys.created,
    })
    .from(keys)
    .where(and(inArray(keys.project, ofAccount), isKept, eq(keys.madeBy, person)))
    .orderBy(asc(keys.id))
    .all()
}

const webhookOf = ({ orm }: Connection, account: AccountId, person: PersonId): string | null =>
  orm
    .select({ url: accountWebhooks.url })
    .from(accountWebhooks)
    .where(and(eq(accountWebhooks.account, account), eq(accountWebhooks.madeBy, person)))
    .get()?.url ?? null

/** What a member made in an account and would outlive them there; inside of the caller's transaction. */
export function openBelongingRows(parts: BelongingRowsParts) {
  const { connection, recordBy, tell, directoryBy } = parts
  const { orm } = connection
  return {
    made: (account: AccountId, person: PersonId): MadeByMember => ({
      keys: liveKeys(connection, account, person),
      webhook: webhookOf(connection, account, person),
    }),
    /** @returns how many keys were revoked */
    revoke(by: PersonId, account: AccountId, person: PersonId): number {
      const made = liveKeys(connection, account, person)
      const directory = directoryBy(`person:${by}`)
      for (const { id } of made) directory.setKey(id, { state: 'revoked' })
      if (webhookOf(connection, account, person) !== null)
        removeWebhook({ connection, recordBy, tell }, by, account)
      return made.length
    },
    /** An invitation stands as long as who sent it may invite. */
    withdrawInvitations: (by: PersonId, account: AccountId, sender: PersonId): void =>
      withdrawInvitations(connection, recordBy, `person:${by}`, { sender, account }),
    /** Notices of the account that have not reached them. */
    dropNotices(account: AccountId, person: PersonId): void {
      orm
        .delete(holderDeliveries)
        .where(
          and(
            eq(holderDeliveries.account, account),
            eq(holderDeliveries.person, person),
            ne(holderDeliveries.state, 'delivered'),
          ),
        )
        .run()
    },
  }
}
