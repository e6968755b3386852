import { secretIn } from '../files/data-folder'
import { copyIt, putItBack, type InstallationSecrets } from '../files/key-file'
import type { Connection } from './database'

/** Where the database keeps which secrets it belongs with. */
const setting = 'secret_mark'

/** The same for the same secrets; they cannot be found from it. */
const markOf = ({ pepper, sealingKey }: InstallationSecrets): string =>
  new Bun.CryptoHasher('sha256', pepper).update('chapar').update(sealingKey).digest('hex')

/** Inside of the caller's transaction: from now on the database belongs with these. */
export const markSecrets = ({ raw }: Connection, secrets: InstallationSecrets): void =>
  void raw
    .prepare(
      `INSERT INTO settings (key, value) VALUES (?, ?)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    )
    .run(setting, markOf(secrets))

const markIn = ({ raw }: Connection): string | null =>
  raw.prepare<{ value: string }, [string]>('SELECT value FROM settings WHERE key = ?').get(setting)
    ?.value ?? null

/** Whether the database was made with these; one that keeps no mark yet goes with any. */
export function belongTogether(connection: Connection, secrets: InstallationSecrets): boolean {
  const mark = markIn(connection)
  return mark === null || mark === markOf(secrets)
}

/** Where secrets were read, and whether the database is shared with other machines. */
export interface SecretPlace {
  readonly folder: string
  readonly isShared: boolean
}

/**
 * Refuses secrets that are not this database's: with others no key would be known, no credential
 * could be opened, and what is sealed from then on would be lost with them.
 * @throws RangeError
 */
export function checkSecrets(
  connection: Connection,
  secrets: InstallationSecrets,
  place: SecretPlace,
): void {
  if (markIn(connection) === null)
    connection.transaction(() => {
      // Another process may have been first.
      if (markIn(connection) === null) markSecrets(connection, secrets)
    })
  refuseOthers(connection, secrets, place)
}

/** Same, for what only reads. @throws RangeError */
export function refuseOthers(
  connection: Connection,
  secrets: InstallationSecrets,
  { folder, isShared }: SecretPlace,
): void {
  if (belongTogether(connection, secrets)) return
  const whose = isShared ? `the database: ${copyIt}` : `the database beside it: ${putItBack}`
  throw new RangeError(`${secretIn(folder)} is not the one of ${whose}`)
}
