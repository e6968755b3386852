import { GatewayError } from '../../errors/gateway-error'

/**
 * A field that the interface knows and this vendor or model does not take so. The vendor would refuse
 * it too: it need not be asked.
 * @param allowed what it takes, for the message
 */
export const notTaken = (param: string, allowed: string): GatewayError =>
  new GatewayError('upstream_rejected', { said: `${param} must be ${allowed}` }, { param })
