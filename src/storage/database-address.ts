import { readFileSync } from 'node:fs'

/** A database of PostgreSQL's protocol: where it is, and how it is talked to. */
export interface DatabaseAddress {
  /** `postgres://user:password@host:port/database`, without parameters. */
  readonly url: string
  /** Without the password: for people and logs. */
  readonly shown: string
  /** Settings of its connections, besides the usual ones or instead. */
  readonly settings?: Readonly<Record<string, string>>
  /** Major version of the server, once it was asked. */
  readonly version?: number
  /** False: in the clear. */
  readonly tls: false | { readonly rejectUnauthorized: boolean; readonly ca?: string }
}

/** Whether such an address is meant, and not a folder. */
const isDatabaseAddress = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text)

/**
 * Reads an address. `sslmode` is `disable`, `require` (encrypted, anybody's certificate),
 * `verify-full` (also a certificate that is valid for the host; preset but on this machine), and
 * `sslrootcert` names a file of certificates to trust.
 * @throws RangeError
 */
export function readDatabaseAddress(text: string): DatabaseAddress {
  const parsed = isDatabaseAddress(text) ? URL.parse(text) : null
  if (parsed === null || parsed.hostname === '' || parsed.pathname.length < 2)
    throw new RangeError(
      'a database is named as postgres://user@host:5432/database; in a password, % # / ? @ are written as %25 %23 %2F %3F %40',
    )
  if (!isEscaped(parsed.username + parsed.password + parsed.pathname))
    throw new RangeError(
      'in the address of a database, a % in a name or password is written as %25',
    )
  const mode = parsed.searchParams.get('sslmode') ?? presetMode(parsed.hostname)
  const certificates = parsed.searchParams.get('sslrootcert')
  for (const name of parsed.searchParams.keys())
    if (name !== 'sslmode' && name !== 'sslrootcert')
      throw new RangeError(`the address of a database has no parameter ${name}`)
  parsed.search = ''
  parsed.hash = ''
  const url = parsed.href
  parsed.password = ''
  return { url, shown: parsed.href, tls: tlsOf(mode, certificates) }
}

/** Whether each percent sign begins a character. */
function isEscaped(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const presetMode = (host: string): string =>
  ['localhost', '127.0.0.1', '[::1]'].includes(host) ? 'disable' : 'verify-full'

function tlsOf(mode: string, certificates: string | null): DatabaseAddress['tls'] {
  if (mode === 'disable') return false
  if (mode !== 'require' && mode !== 'verify-full')
    throw new RangeError('sslmode is disable, require or verify-full')
  const rejectUnauthorized = mode === 'verify-full'
  return certificates === null
    ? { rejectUnauthorized }
    : { rejectUnauthorized, ca: readOrRefuse('sslrootcert', certificates) }
}

/** @throws RangeError that names what the file is for */
function readOrRefuse(what: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new RangeError(`${what} cannot be read: ${file}`, { cause })
  }
}

/** An address that stands in a file, as secrets do. @throws RangeError that names the variable */
export const addressInFile = (file: string): string =>
  readOrRefuse('CHAPAR_DATABASE_FILE', file).trim()
