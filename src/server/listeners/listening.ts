import { errorCode } from '../../domain/error-code'

/** An address that a server is to listen on. */
interface Address {
  readonly host: string
  readonly port: number
}

/**
 * Opens a server, and says in words for an operator why it cannot listen.
 * @param option of the command line that names the port
 * @throws RangeError with the system's code | what `open` throws
 */
export function listening<Server>(address: Address, option: string, open: () => Server): Server {
  try {
    return open()
  } catch (thrown) {
    throw refusedPort(thrown, address, option)
  }
}

/** The reason why nobody can listen there, in words; what was thrown where that is something else. */
export function refusedPort(thrown: unknown, address: Address, option: string): unknown {
  const code = errorCode(thrown) ?? ''
  const why = reasons[code]
  if (why === undefined) return thrown
  return Object.assign(new RangeError(why(address, option), { cause: thrown }), { code })
}

const reasons: Readonly<Record<string, (address: Address, option: string) => string>> = {
  EADDRINUSE: ({ port }, option) =>
    `port ${port} is in use: stop what listens there, or give another port with ${option} (0 takes a free one)`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} is no address of this machine: give one that is, or 0.0.0.0 for all`,
  EACCES: ({ port }, option) =>
    `port ${port} may not be listened on by this user: give one from 1024 with ${option}`,
}
