import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../../src/storage/schema'
import { hashedColumns, sealedColumns } from '../../src/business/data/secrets/secret-columns'

/** Columns whose names sound like a secret's, and hold none of ours. */
const others = new Set([
  // Argon2id, which has no key.
  'operators.password',
  // Names of credentials.
  'vendor_states.credential',
  'video_jobs.vendor_credential',
  // Whether it signs calls.
  'vendors.credential_active',
  'sessions.passkey',
  'operator_sessions.passkey',
  'passkeys.public_key',
  'operator_passkeys.public_key',
  'operators.totp_step',
  // An address of a code, and times of it.
  'contacts.code_sent',
  'contacts.code_expires',
  'contacts.code_wrong',
  'contacts.code_count',
  'contacts.code_since',
  'vendor_states.failure_code',
  // Of a release before; nothing is written there.
  'sign_in_codes.hash',
  // Under a hash that no rotation changes: browsers and addresses that a number knows.
  'sent_codes.place',
  'sign_in_places.place',
])
const sounds =
  /hash|secret|credential|password|totp|token(?!s|_timeout)|ticket|nonce|seal|passkey|_code|code_|public_key|place$/

test('nothing is looked up under the generation in use alone', () => {
  const source = join(import.meta.dir, '../../src')
  const alone = [...new Bun.Glob('**/*.ts').scanSync(source)].filter((path) =>
    /(?:find|take|use|check|end)\w*\((?:hashSecret|pepper\.hash|\w+\.pepper\.hash)\(/.test(
      readFileSync(join(source, path), 'utf8'),
    ),
  )
  expect(alone).toEqual([])
})

test('every column of hashes or sealed texts is one that a rotation knows', () => {
  const known = [...Object.values(hashedColumns), ...Object.values(sealedColumns)].map(
    ({ table, column }) => `${table}.${column}`,
  )
  expect(new Set(known).size).toBe(known.length)
  const tables = Object.values(schema).filter(
    (each) => Symbol.for('drizzle:IsDrizzleTable') in each,
  )
  const columns = tables.flatMap((table) => {
    const { name, columns: all } = getTableConfig(table as SQLiteTable)
    return all.map((column) => `${name}.${column.name}`)
  })
  const found = columns.filter((name) => sounds.test(name.split('.')[1] ?? '') && !others.has(name))
  expect(found.toSorted()).toEqual(known.toSorted())
  expect([...others].filter((name) => !columns.includes(name))).toEqual([])
})
