import { desc, eq } from 'drizzle-orm'
import type { Clock } from '../../domain/clock'
import type { PersonId } from '../../domain/ids'
import type { Directory } from '../../gateway/identity/account-directory'
import type { PeopleStore } from './user'
import { maskPhone, type Phone } from '../../domain/phone'
import type { Actor } from '../../domain/audit-log'
import { people } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { openMemberRows } from './membership-store'
import { openPhoneChanges } from './phone-change-store'
import type { RecordBy } from '../audit-log/audit-log-sql'
import { openSecurityNotices } from './security-notice-store'
import type { Rows } from '../../storage/sqlite/sync-store'

interface PeopleRowsParts {
  readonly connection: Connection
  readonly clock: Clock
  readonly recordBy: RecordBy
  /** The directory whose changes are somebody's. */
  directoryBy(who: Actor): Rows<Directory>
}

/** People and their accounts, as rows. */
export function openPeopleRows(parts: PeopleRowsParts): PeopleStore {
  const { connection, clock, recordBy, directoryBy } = parts
  const { orm, transaction } = connection
  const phones = openPhoneChanges(connection, recordBy, openSecurityNotices(connection, clock))
  const persons = openPersonRows(parts)
  const memberships = openMemberRows(parts)
  return {
    find: async (person) =>
      orm.select().from(people).where(eq(people.id, person)).limit(1).get() ?? null,
    begin: async (phone, names) =>
      transaction(() => {
        phones.settle(clock.now())
        const person = persons.byPhone(phone) ?? persons.add(phone)
        const [first] = memberships.accounts(person)
        if (first !== undefined) return { ...first, isNew: false }
        const directory = directoryBy(`person:${person}`)
        const { id: account } = directory.createAccount({ name: names.account })
        directory.createProject({ account, name: names.project })
        memberships.join(person, { person, account, role: 'owner' })
        return { person, account, role: 'owner', isNew: true } as const
      }, 'durable'),
    setPhone: async (person, phone) => transaction(() => phones.change(person, phone), 'durable'),
    accounts: async (person) => memberships.accounts(person),
  }
}

function openPersonRows({ connection, clock, recordBy }: PeopleRowsParts) {
  const { orm } = connection
  return {
    byPhone: (phone: Phone): PersonId | null =>
      orm.select({ id: people.id }).from(people).where(eq(people.phone, phone)).get()?.id ?? null,
    add(phone: Phone): PersonId {
      const last = orm.select({ id: people.id }).from(people).orderBy(desc(people.id)).get()
      const id = ((last?.id ?? 0) + 1) as PersonId
      return recordBy(`person:${id}`)({
        what: 'person.create',
        work() {
          orm.insert(people).values({ id, phone, created: clock.now() }).run()
          return id
        },
        subject: () => `person:${id}`,
        before: () => null,
        after: () => ({ phone: maskPhone(phone) }),
      })
    },
  }
}
