import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Ms } from '../../domain/clock'
import type { PersonId } from '../../domain/ids'
import { words } from './columns'
import { people } from './people'

/** Public halves of key pairs that people sign in with (WebAuthn). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    /** Credential id, base64url. */
    id: text().primaryKey(),
    person: integer()
      .notNull()
      .references(() => people.id)
      .$type<PersonId>(),
    /** The random name that authenticators know the person by, base64url. */
    userHandle: text('user_handle').notNull(),
    name: text().notNull(),
    /** COSE key, base64url. */
    publicKey: text('public_key').notNull(),
    counter: integer().notNull(),
    transports: words().notNull(),
    /** Kept by a service of its vendor, on several devices. */
    backedUp: integer('backed_up', { mode: 'boolean' }).notNull(),
    created: integer().notNull().$type<Ms>(),
    lastUsed: integer('last_used').$type<Ms>(),
  },
  (table) => [index('passkeys_person').on(table.person)],
)

/** Random texts that a passkey is to sign, each once. */
export const passkeyChallenges = sqliteTable(
  'passkey_challenges',
  {
    /** SHA-256 HMAC of the challenge, hexadecimal. */
    hash: text().primaryKey(),
    /** Who registers a passkey; null where somebody signs in. */
    person: integer()
      .references(() => people.id)
      .$type<PersonId>(),
    /** The name that the new passkey knows them by; null with the person. */
    userHandle: text('user_handle'),
    expires: integer().notNull().$type<Ms>(),
  },
  (table) => [index('passkey_challenges_expires').on(table.expires)],
)
