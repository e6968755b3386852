import { GatewayError } from '../errors/gateway-error'
import type { Inbound } from '../gateway/http/inbound'
import type { OperatorService } from './operator-parts'

/** Which listener a request came in by. */
export type Door = 'public' | 'operators'

const operatorPaths = /^\/(?:app\/operator|app\/api\/operator|admin)(?:\/|$)/

export const isOfOperators = (path: string): boolean => operatorPaths.test(path)

/**
 * Refuses addresses from which operators are not answered, as an address that nobody knows.
 * @throws GatewayError unknown_url
 */
export function checkDoor(
  { hasOwnPort, mayAsk: mayRequest }: Pick<OperatorService, 'hasOwnPort' | 'mayAsk'>,
  { method, path, address }: Pick<Inbound, 'method' | 'path' | 'address'>,
  door: Door,
): void {
  if ((door === 'operators' || !hasOwnPort) && mayRequest(address)) return
  throw new GatewayError('unknown_url', { method, path })
}
