import { SQL } from 'bun'
import { lookup } from 'node:dns/promises'
import type { DatabaseAddress } from '../database-address'
import { behindPooler, tooOld } from './server-words'
import { DatabaseFault } from './database-fault'

/**
 * Runs work that connects for the first time. What the database refuses is said with its address,
 * without the password, and with what an operator can do about it.
 * @throws RangeError of such a refusal; anything else as `work` throws it
 */
export async function reachable<Result>(
  address: DatabaseAddress,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (thrown) {
    const words = await wordsOf(thrown, address)
    throw words === null ? thrown : new RangeError(`${address.shown} ${words}`, { cause: thrown })
  }
}

/** Advice where the user of a database may not make our schema. */
export function mayNotCreate({ shown }: DatabaseAddress): string {
  const { user, name } = namesIn(shown)
  return `lets ${user} make no tables: make it the owner (ALTER DATABASE ${name} OWNER TO ${user}), or GRANT CREATE ON DATABASE ${name} TO ${user}`
}

/** Words of a database without anything of ours. */
export const holdsNothing =
  'holds no data of this program: name another database, or begin it with chapar serve or chapar migrate'

async function wordsOf(thrown: unknown, address: DatabaseAddress): Promise<string | null> {
  // What is said already stands.
  if (!(thrown instanceof Error) || thrown instanceof RangeError) return null
  const { code, errno } = thrown as { readonly code?: unknown; readonly errno?: unknown }
  const { message } = thrown
  if (/startup parameter|prepared statement/.test(message)) return behindPooler()
  for (const key of [errno, code]) {
    const known = typeof key === 'string' ? refusals[key] : undefined
    if (known !== undefined) return await known(address, message)
  }
  if (typeof code === 'string' && /CERT|SIGNATURE|_TLS_/.test(code)) return untrusted(message)
  const isDatabase = thrown instanceof SQL.PostgresError || thrown instanceof DatabaseFault
  return isDatabase ? `refuses: ${message}` : null
}

type Words = (address: DatabaseAddress, message: string) => string | Promise<string>

const untrusted = (message: string): string =>
  `has a certificate that is not trusted (${message}): name a file with the one of its authority by ?sslrootcert=FILE, or encrypt without a check by ?sslmode=require`

const unreached: Words = async ({ shown }, message) => {
  const { hostname } = new URL(shown)
  const isKnown = await lookup(hostname.replaceAll(/[[\]]/g, '')).then(
    () => true,
    () => false,
  )
  return isKnown
    ? `cannot be reached (${message}): see whether PostgreSQL runs there, listens at that address and port, and is let through by firewalls`
    : `cannot be reached: there is no host ${hostname}`
}

const refusedPassword: Words = ({ shown }) =>
  `refuses the password of ${namesIn(shown).user}: correct it where the address stands (CHAPAR_DATABASE_FILE or CHAPAR_DATABASE)`

const refusedUser: Words = ({ shown, tls }, message) => {
  const { user } = namesIn(shown)
  const encrypt = tls === false ? ', or encrypt the connection by ?sslmode=verify-full' : ''
  return `refuses ${user} from this machine (${message}): add a line for it to pg_hba.conf there${encrypt}`
}

const full: Words = (_, message) =>
  `has no connection left (${message}): each process takes up to six, so raise max_connections, or the user's CONNECTION LIMIT`

/** By SQLSTATE, or by the code of the connection. https://www.postgresql.org/docs/18/errcodes-appendix.html */
const refusals: Readonly<Record<string, Words>> = {
  ERR_POSTGRES_CONNECTION_REFUSED: unreached,
  ERR_POSTGRES_CONNECTION_FAILED: unreached,
  ERR_POSTGRES_CONNECTION_CLOSED: unreached,
  ERR_POSTGRES_CONNECTION_TIMEOUT: unreached,
  away: unreached,
  ERR_POSTGRES_UNEXPECTED_MESSAGE: () =>
    'does not speak as PostgreSQL does: is the port another service’s?',
  ERR_POSTGRES_TLS_NOT_AVAILABLE: () =>
    'does not encrypt: set ssl = on there; ?sslmode=disable sends everything in the clear',
  // invalid_authorization_specification, invalid_password
  '28000': refusedUser,
  '28P01': refusedPassword,
  // invalid_catalog_name
  '3D000': ({ shown }) => {
    const { user, name } = namesIn(shown)
    return `does not exist there: CREATE DATABASE ${name} OWNER ${user}`
  },
  // undefined_object: a setting of our connections
  '42704': (_, message) => tooOld(`of a version that has not all settings (${message})`),
  // insufficient_privilege
  '42501': (address, message) =>
    message.includes('for database')
      ? mayNotCreate(address)
      : `refuses (${message}): connect as the user who owns what is there`,
  // read_only_sql_transaction
  '25006': () => 'is read-only, as a replica is: name the primary',
  // object_not_in_prerequisite_state: `refuse_older`
  '55000': (_, message) => `refuses (${message}): use that release`,
  // too_many_connections
  '53300': full,
  // cannot_connect_now
  '57P03': (_, message) => `is not ready (${message}): try again in a moment`,
}

function namesIn(shown: string): { readonly user: string; readonly name: string } {
  const { username, pathname } = new URL(shown)
  return { user: decodeURIComponent(username), name: decodeURIComponent(pathname.slice(1)) }
}
