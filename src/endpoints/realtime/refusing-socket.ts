import type { ClientSocketEvents } from '../../net/socket'
import type { GatewayError } from '../../errors/gateway-error'
import { closeCodeOf } from './close-codes'
import { closeSocket } from './close-socket'
import type { ErrorEvents } from './error-event'

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
