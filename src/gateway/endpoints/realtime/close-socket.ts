import type { ClientSocket, ClientSocketEvents } from '../../net/socket'
import { closeCodeOf, closeReason } from './close-codes'
import type { GatewayError } from '../../../errors/gateway-error'
import type { ErrorEvents } from './error-event'

/** Time that a client may take to read buffered frames and to close its side. */
const closingMs = 30_000

/**
 * Closes a client's socket in order. Whoever does not answer that would keep a connection, and what
 * waits for it, so it is dropped after a while.
 * @returns to be called when it is closed
 */
export function closeSocket(
  client: ClientSocket,
  code: number,
  reason: string,
  patienceMs = closingMs,
): () => void {
  const timer = setTimeout(() => client.terminate(), patienceMs)
  timer.unref()
  client.close(code, closeReason(reason))
  return () => clearTimeout(timer)
}

/** For what was sent last to be read. */
const droppingMs = 500

/**
 * Drops a client's socket that holds what must be let go of. One that is closed in order keeps it until the other
 * side closes too, or for some twenty seconds.
 * @returns to be called when it is closed
 */
export function dropSocket(client: ClientSocket): () => void {
  client.pause()
  const timer = setTimeout(() => client.terminate(), droppingMs)
  timer.unref()
  return () => clearTimeout(timer)
}

/** A socket that only says why it is none. */
export function refusingSocket(error: GatewayError, errors: ErrorEvents): ClientSocketEvents {
  let closed = () => {}
  return {
    open(socket) {
      socket.send(errors(error))
      closed = closeSocket(socket, closeCodeOf(error), error.code)
    },
    message: () => {},
    drain: () => {},
    pong: () => {},
    close: () => closed(),
  }
}
