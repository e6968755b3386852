import { zeroUsd } from '../domain/money'
import { noUsage, type Usage } from '../domain/usage'
import type { GatewayError } from '../errors/gateway-error'
import { toGatewayError } from '../http/error-response'
import type { Charge, Ended, OpenCall } from './outcome'

/** Charge of a stream, and whether it was cut. */
export interface StreamCharge extends Charge {
  readonly fault: GatewayError | null
}
/** Charge of a stream of which nothing was sent. */
export const freeCharge: StreamCharge = { cost: zeroUsd, usage: noUsage, isCut: false, fault: null }

/** Charges a call. A count beyond any sum is a fault of whoever counted: it costs nothing, and the call still ends. */
export function chargeOrEnd(call: OpenCall, ended: Ended, used: Usage): StreamCharge {
  try {
    return { ...call.charge(ended, used), fault: null }
  } catch (thrown) {
    const fault = toGatewayError(thrown)
    call.giveBack({ ...ended, status: 'error', error: fault })
    return { ...freeCharge, usage: used, fault }
  }
}
