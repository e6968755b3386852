import { randomUUID } from 'node:crypto'
import type { Connection } from './connection'

/** Where the database keeps which one it is: what lies beside it says whose it is. */
const setting = 'database_id'

const idIn = ({ raw }: Connection): string | null =>
  raw.prepare<{ value: string }, [string]>('SELECT value FROM settings WHERE key = ?').get(setting)
    ?.value ?? null

/** Identity of a database, given to it when it is first opened. */
export function databaseId(connection: Connection): string {
  const known = idIn(connection)
  if (known !== null) return known
  return connection.transaction(() => {
    // Another process may have been first.
    const id = idIn(connection) ?? randomUUID()
    connection.raw
      .prepare(
        `INSERT INTO settings (key, value) VALUES (?, ?)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      )
      .run(setting, id)
    return id
  })
}

/** A copy goes its own way: what was written beside the other is not about it. */
export const forgetDatabaseId = ({ raw }: Connection): void =>
  void raw.prepare('DELETE FROM settings WHERE key = ?').run(setting)
