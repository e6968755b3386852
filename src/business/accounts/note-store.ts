import { and, desc, eq, lt } from 'drizzle-orm'
import type { Clock } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import type { AccountNoteStore } from './note-contract'
import type { Actor } from '../../domain/audit-log'
import { accountNotes } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import type { WriteAudit } from '../audit-log/audit-log-sql'

interface NoteRowsParts {
  readonly connection: Connection
  readonly clock: Clock
  readonly record: WriteAudit
  readonly who: Actor
}

/** Notes of operators on accounts, as rows; the trail tells that, not what, was written. */
export function openAccountNoteRows({
  connection: { orm },
  clock,
  record,
  who,
}: NoteRowsParts): AccountNoteStore {
  const isThere = (account: AccountId, id: number): boolean =>
    orm
      .select({ id: accountNotes.id })
      .from(accountNotes)
      .where(and(eq(accountNotes.id, id), eq(accountNotes.account, account)))
      .get() !== undefined
  return {
    list: async (account, before, max) =>
      orm
        .select()
        .from(accountNotes)
        .where(
          and(
            eq(accountNotes.account, account),
            before === null ? undefined : lt(accountNotes.id, before),
          ),
        )
        .orderBy(desc(accountNotes.id))
        .limit(max)
        .all(),
    add: async (account, text) =>
      record({
        what: 'note.add',
        work: () =>
          orm
            .insert(accountNotes)
            .values({ account, text, by: who, created: clock.now() })
            .returning()
            .get(),
        subject: () => `account:${account}`,
        before: () => null,
        after: ({ id }) => ({ note: id }),
      }),
    remove: async (account, id) =>
      record({
        what: 'note.remove',
        work: () =>
          orm
            .delete(accountNotes)
            .where(and(eq(accountNotes.id, id), eq(accountNotes.account, account)))
            .returning({ id: accountNotes.id })
            .all().length > 0,
        subject: () => `account:${account}`,
        before: () => (isThere(account, id) ? { note: id } : null),
        after: () => null,
      }),
  }
}
