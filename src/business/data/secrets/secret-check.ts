import { secretIn } from '../../../storage/files/data-folder'
import { copyIt, putItBack } from '../../../storage/files/key-file'
import type { InstallationSecrets } from '../../../storage/files/key-file-format'
import type { Connection } from '../../../storage/sqlite/connection'
import { readMark, readRotation, saveFirstMark } from './rotation-state'

/** Whether the key file has every generation that the database needs; one that keeps no mark yet goes with any. */
export function belongTogether(connection: Connection, secrets: InstallationSecrets): boolean {
  const { mark, before } = readRotation(connection)
  const has = (wanted: string) => secrets.generations.some((each) => each.mark === wanted)
  return mark === null || (has(mark) && (before === null || has(before.mark)))
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
  const [first] = secrets.generations
  if (readMark(connection) === null && first !== undefined)
    connection.transaction(() => {
      // Another process may have been first.
      if (readMark(connection) === null) saveFirstMark(connection, first.mark)
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
  const { number, before } = readRotation(connection)
  const rotated =
    before === null ? '' : `, which was rotated: it has generations ${before.number} and ${number}`
  const whose = isShared
    ? `the database${rotated}: ${copyIt}`
    : `the database beside it${rotated}: ${putItBack}`
  throw new RangeError(`${secretIn(folder)} is not the one of ${whose}`)
}
