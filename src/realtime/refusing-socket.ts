import type { ClientSocketEvents } from '../domain/socket'
import type { GatewayError } from '../errors/gateway-error'
import { closeCodeOf } from './close-codes'
import type { ErrorEvents } from './error-event'

/** A socket that only says why it is none. */
export const refusingSocket = (error: GatewayError, errors: ErrorEvents): ClientSocketEvents => ({
  open(socket) {
    socket.send(errors(error))
    socket.close(closeCodeOf(error), error.code)
  },
  message: () => {},
  drain: () => {},
  pong: () => {},
  close: () => {},
})
