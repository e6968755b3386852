import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Ms } from '../../domain/clock'
import type { AccountId, PersonId } from '../../domain/ids'
import { accounts } from './accounts'
import { people } from './people'

/** Who stands behind an account, as they said it last, and what was decided. */
export const verifications = sqliteTable(
  'verifications',
  {
    account: integer()
      .primaryKey()
      .references(() => accounts.id)
      .$type<AccountId>(),
    /** Who sent it. */
    person: integer()
      .notNull()
      .references(() => people.id)
      .$type<PersonId>(),
    state: text({ enum: ['submitted', 'approved', 'rejected'] }).notNull(),
    /** Null, as all that tells of a person, once it was removed. */
    firstName: text('first_name'),
    lastName: text('last_name'),
    /** Sealed by the vault. */
    nationalCode: text('national_code'),
    /** HMAC-SHA-256 of the code, hexadecimal: one person has so many accounts. */
    nationalHash: text('national_hash'),
    /** `YYYY-MM-DD` */
    birthDate: text('birth_date'),
    /** Who is to decide. */
    provider: text({ enum: ['manual', 'http'] }).notNull(),
    reason: text(),
    /** Who decided. */
    by: text(),
    submitted: integer().notNull().$type<Ms>(),
    decided: integer().$type<Ms>(),
  },
  (table) => [
    index('verifications_hash').on(table.nationalHash),
    index('verifications_state').on(table.state, table.submitted),
    index('verifications_decided').on(table.decided),
    check(
      'verifications_state_known',
      sql`${table.state} in ('submitted', 'approved', 'rejected')`,
    ),
  ],
)

/** When an account asked to be verified: each may cost money. */
export const verificationTries = sqliteTable(
  'verification_tries',
  {
    id: integer().primaryKey(),
    account: integer().notNull().$type<AccountId>(),
    at: integer().notNull().$type<Ms>(),
  },
  (table) => [index('verification_tries_account').on(table.account, table.at)],
)
