import { usualTimes, type NodeTimes } from '../business/data/nodes'
import {
  addressInFile,
  readDatabaseAddress,
  type DatabaseAddress,
} from '../storage/database-address'

/** Variables that name a database. */
interface DatabaseVariables {
  readonly CHAPAR_DATABASE?: string | undefined
  readonly CHAPAR_DATABASE_FILE?: string | undefined
}

/**
 * The database that is shared with other processes; null for the data folder's own. A password may stand
 * in a variable, or in a file: words of a command are seen by everybody on a machine.
 * @param option of the command line; wins over variables
 * @param name of that option
 * @throws RangeError
 */
export function databaseOf(
  option: string | null,
  env: DatabaseVariables,
  name = '--database',
): DatabaseAddress | null {
  if (option !== null) {
    const address = readDatabaseAddress(option)
    if (URL.parse(option)?.password)
      throw new RangeError(
        `a password in ${name} is seen by everybody on this machine: write the address into a file that only you read, and name that by CHAPAR_DATABASE_FILE`,
      )
    return address
  }
  const file = env.CHAPAR_DATABASE_FILE?.trim()
  const text = env.CHAPAR_DATABASE?.trim()
  if (file && text)
    throw new RangeError('CHAPAR_DATABASE and CHAPAR_DATABASE_FILE are both set: which one holds?')
  if (file) return readDatabaseAddress(addressInFile(file))
  return text ? readDatabaseAddress(text) : null
}

/** Lives of nodes. @param ttl seconds, of a variable @throws RangeError */
export function timesOf(ttl: string | undefined): NodeTimes {
  if (!ttl) return usualTimes
  const ttlMs = Number(ttl) * 1000
  if (!(ttlMs >= 1000 && ttlMs <= 600_000))
    throw new RangeError('CHAPAR_NODE_TTL must be seconds from 1 to 600')
  return { ...usualTimes, ttlMs, beatMs: Math.min(usualTimes.beatMs, ttlMs / 5) }
}
