import { desc, eq } from 'drizzle-orm'
import type { Clock } from '../../domain/clock'
import type { PersonId } from '../../domain/ids'
import type { Directory } from '../../identity/directory'
import type { PeopleStore } from '../../people/person'
import { maskPhone, type Phone } from '../../people/phone'
import type { Actor } from '../../trail/trail'
import { people } from '../schema'
import type { Connection } from './database'
import { openMemberRows } from './memberships'
import { openPhoneChanges } from './phone-moves'
import type { RecordBy } from './recorder'
import { openSecurityNotices } from './security-notices'
import type { Rows } from './store-rows'

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
