import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Ms } from '../../domain/clock'
import type { OperatorId, PersonId } from '../../domain/ids'
import { words } from './columns'
import { operators } from './operators'
import { people } from './people'

/** Columns of a passkey besides whose it is. */
const passkey = () => ({
  /** Credential id, base64url. */
  id: text().primaryKey(),
  /** The random name that authenticators know the owner by, base64url. */
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
})

/** Columns of a random text that a passkey is to sign, besides who registers one by it. */
const challenge = () => ({
  /** SHA-256 HMAC of the challenge, hexadecimal. */
  hash: text().primaryKey(),
  /** The name that the new passkey knows its owner by; null where somebody signs in. */
  userHandle: text('user_handle'),
  expires: integer().notNull().$type<Ms>(),
})

/** Public halves of key pairs that people sign in with (WebAuthn). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    ...passkey(),
    owner: integer('person')
      .notNull()
      .references(() => people.id)
      .$type<PersonId>(),
  },
  (table) => [index('passkeys_person').on(table.owner)],
)

/** Random texts that a passkey of a person is to sign, each once. */
export const passkeyChallenges = sqliteTable(
  'passkey_challenges',
  {
    ...challenge(),
    /** Who registers a passkey; null where somebody signs in. */
    owner: integer('person')
      .references(() => people.id)
      .$type<PersonId>(),
  },
  (table) => [index('passkey_challenges_expires').on(table.expires)],
)

/** Same, of operators. */
export const operatorPasskeys = sqliteTable(
  'operator_passkeys',
  {
    ...passkey(),
    owner: integer('operator')
      .notNull()
      .references(() => operators.id)
      .$type<OperatorId>(),
  },
  (table) => [index('operator_passkeys_operator').on(table.owner)],
)

/** Same, of operators. */
export const operatorPasskeyChallenges = sqliteTable(
  'operator_passkey_challenges',
  {
    ...challenge(),
    owner: integer('operator')
      .references(() => operators.id)
      .$type<OperatorId>(),
  },
  (table) => [index('operator_passkey_challenges_expires').on(table.expires)],
)
