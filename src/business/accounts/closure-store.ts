import { and, count, eq, gt, inArray, isNotNull, ne, notExists, sql, type SQL } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import type { AccountId, PersonId } from '../../domain/ids'
import { nanoUsd, showUsd } from '../../domain/money'
import { atBankMs } from '../payments/settle-payment'
import type { Closed, ClosingAccount, ClosingStore } from '../users/closure'
import {
  accountNotes,
  accountWebhooks,
  accounts,
  bellNotices,
  cardPayments,
  contacts,
  holderDeliveries,
  invitations,
  keys,
  knownPlaces,
  memberships,
  noticeChoices,
  passkeys,
  people,
  phoneMoves,
  projects,
  requests,
  sessions,
  signInCodes,
  verifications,
} from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { ownAccount } from '../../storage/sqlite/notice-receivers'
import { openMoveMoney } from '../../ledger/store/transfers'
import { removeNotices } from '../notices/store'
import type { WriteAudit } from '../audit-log/audit-log-sql'

/** Closed accounts, as rows. */
export function openClosingRows(
  connection: Connection,
  clock: Clock,
  record: WriteAudit,
): ClosingStore {
  const { orm } = connection
  const moveMoney = openMoveMoney(connection, clock)
  const find = (account: AccountId): ClosingAccount | null => {
    const row = orm.select().from(accounts).where(eq(accounts.id, account)).get()
    if (row === undefined || account < 0) return null
    const running = and(eq(requests.account, account), sql`${requests.status} = 'pending'`)
    const isBusy = (orm.select({ n: count() }).from(requests).where(running).get()?.n ?? 0) > 0
    const atBank = and(
      eq(cardPayments.account, account),
      eq(cardPayments.state, 'started'),
      isNotNull(cardPayments.reference),
      gt(cardPayments.created, (clock.now() - atBankMs) as Ms),
    )
    const isPaying = (orm.select({ n: count() }).from(cardPayments).where(atBank).get()?.n ?? 0) > 0
    const isClosed = row.closed !== null
    return { name: row.name, balance: row.balance, isClosed, isBusy, isPaying }
  }
  return {
    find: async (account) => find(account),
    close: async (account, balance) =>
      connection.transaction((): Closed | null => {
        const found = find(account)
        if (found === null || found.isClosed || found.isBusy || found.isPaying) return null
        if (found.balance !== balance) return null
        return record({
          what: 'account.close',
          work() {
            if (balance > 0)
              moveMoney({
                account,
                amount: nanoUsd(-balance),
                kind: 'adjustment',
                reference: `closing-${account}`,
                note: 'given up when the account was closed',
                told: true,
              })
            return end(connection, account, clock)
          },
          subject: () => `account:${account}`,
          before: () => ({ closed: false, balance_usd: showUsd(balance) }),
          after: (closed) => ({ closed: true, balance_usd: showUsd(nanoUsd(0)), ...closed }),
          gives: () => ({ usd: balance }),
        })
      }, 'durable'),
  }
}

function end(connection: Connection, account: AccountId, clock: Clock): Closed {
  const { orm } = connection
  const ofAccount = orm
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.account, account))
  const revoked = orm
    .update(keys)
    .set({ state: 'revoked' })
    .where(and(inArray(keys.project, ofAccount), ne(keys.state, 'revoked')))
    .returning({ id: keys.id })
    .all()
  const signedOut = orm
    .delete(sessions)
    .where(eq(sessions.account, account))
    .returning({ hash: sessions.hash })
    .all()
  const members = orm
    .delete(memberships)
    .where(eq(memberships.account, account))
    .returning({ person: memberships.person })
    .all()
  orm.delete(invitations).where(eq(invitations.account, account)).run()
  orm.delete(verifications).where(eq(verifications.account, account)).run()
  orm.delete(accountNotes).where(eq(accountNotes.account, account)).run()
  orm.delete(accountWebhooks).where(eq(accountWebhooks.account, account)).run()
  forgetNotices(connection, eq(bellNotices.account, account))
  orm.delete(holderDeliveries).where(eq(holderDeliveries.account, account)).run()
  orm
    .update(accounts)
    .set({ name: `closed ${account}`, status: 'suspended', verified: false, closed: clock.now() })
    .where(eq(accounts.id, account))
    .run()
  const gone = withoutAccount(
    connection,
    members.map(({ person }) => person),
  )
  for (const person of gone) forgetPerson(connection, person)
  return { keys: revoked.length, sessions: signedOut.length, people: gone.length }
}

/** Those who belong to no other account. */
function withoutAccount({ orm }: Connection, ids: readonly PersonId[]): PersonId[] {
  if (ids.length === 0) return []
  const others = orm
    .select({ person: memberships.person })
    .from(memberships)
    .where(eq(memberships.person, people.id))
  return orm
    .select({ id: people.id })
    .from(people)
    .where(and(inArray(people.id, [...ids]), notExists(others)))
    .all()
    .map(({ id }) => id)
}

/** The row stays, since keys and the trail name it; nothing in it says who it was. */
function forgetPerson(connection: Connection, person: PersonId): void {
  const { orm } = connection
  const own = and(eq(bellNotices.person, person), eq(bellNotices.account, ownAccount))
  if (own !== undefined) forgetNotices(connection, own)
  orm.delete(bellNotices).where(eq(bellNotices.person, person)).run()
  const phone = orm
    .select({ phone: people.phone })
    .from(people)
    .where(eq(people.id, person))
    .get()?.phone
  if (phone !== null && phone !== undefined)
    orm.delete(signInCodes).where(eq(signInCodes.phone, phone)).run()
  orm.delete(sessions).where(eq(sessions.person, person)).run()
  orm.delete(passkeys).where(eq(passkeys.owner, person)).run()
  orm.delete(phoneMoves).where(eq(phoneMoves.person, person)).run()
  orm.delete(contacts).where(eq(contacts.person, person)).run()
  orm.delete(noticeChoices).where(eq(noticeChoices.person, person)).run()
  orm.delete(knownPlaces).where(eq(knownPlaces.person, person)).run()
  orm.delete(holderDeliveries).where(eq(holderDeliveries.person, person)).run()
  orm.update(people).set({ phone: null }).where(eq(people.id, person)).run()
}

const atOnce = 500

/** Notices that people found in the app: they name accounts, keys, addresses and devices. */
function forgetNotices(connection: Connection, whose: SQL): void {
  const found = connection.orm
    .selectDistinct({ id: bellNotices.notice })
    .from(bellNotices)
    .where(whose)
    .all()
  for (let from = 0; from < found.length; from += atOnce) {
    const ids = found.slice(from, from + atOnce).map(({ id }) => id)
    removeNotices(connection, ids)
  }
}
