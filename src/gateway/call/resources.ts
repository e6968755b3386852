import { GatewayError } from '../../errors/gateway-error'
import { toGatewayError } from '../http/error-response'
import type { AccountSlot } from '../limits/limits'
import { ClientLeft } from '../outbound/client-left'
import type { MeteredCall } from './settlement'

/** Slot and hold acquired by a call so far, to be released when it fails. */
export interface Acquired {
  slot: AccountSlot | null
  call: MeteredCall | null
}

/** How a call failed. */
interface Failed {
  /** Refusal for its client. */
  readonly error: GatewayError
  /** The client left: nobody is told. */
  readonly left: boolean
}

/** Releases what a failed call acquired. */
export function giveBack({ slot, call }: Acquired, thrown: unknown): Failed {
  const left = thrown instanceof ClientLeft
  const error = left ? new GatewayError('gateway_error', {}) : toGatewayError(thrown)
  if (call === null) slot?.release()
  else
    call.giveBack({
      status: left ? 'cancelled' : 'error',
      route: null,
      error: left ? null : error,
    })
  return { error, left }
}
