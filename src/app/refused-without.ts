import { GatewayError } from '../errors/gateway-error'
import type { IdentityStore } from '../identity/identity'

/** Whoever cannot be looked up while a shared database is away is told to come back, not that we are broken. */
export const refusedWithout = ({ findByHash, findByKey }: IdentityStore): IdentityStore => {
  const refused = (cause: unknown): never => {
    throw new GatewayError('gateway_error', {}, { cause })
  }
  return {
    findByHash: (hash) => findByHash(hash).catch(refused),
    findByKey: (key) => findByKey(key).catch(refused),
  }
}
