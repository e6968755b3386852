import { GatewayError } from '../errors/gateway-error'
import type { IdentityStore } from '../identity/identity'

/**
 * Wraps the identity store so that calls are told to retry, not that we are broken, while the database is
 * away.
 */
export const refusedWithout = ({ findByHash, findByKey }: IdentityStore): IdentityStore => {
  const refused = (cause: unknown): never => {
    throw new GatewayError('gateway_error', {}, { cause })
  }
  return {
    findByHash: (hash) => findByHash(hash).catch(refused),
    findByKey: (key) => findByKey(key).catch(refused),
  }
}
