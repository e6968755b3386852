import { within } from '../domain/within'
import { GatewayError } from '../errors/gateway-error'
import type { IdentityStore } from '../identity/identity'

/** Whoever is unknown waits for a database that does not answer, and is not kept waiting. */
const patienceMs = 5000

/**
 * Wraps the identity store so that calls are told to retry, not that we are broken, while the database is
 * away.
 */
export const refusedWithout = ({ findByHash, findByKey }: IdentityStore): IdentityStore => {
  const refused = (cause: unknown): never => {
    throw new GatewayError('gateway_error', {}, { cause })
  }
  const found = async <Found>(read: Promise<Found>): Promise<Found> => {
    const answer = await within(patienceMs, read).catch(refused)
    return answer === 'late' ? refused(new Error('the database does not answer')) : answer.result
  }
  return {
    findByHash: (hash) => found(findByHash(hash)),
    findByKey: (key) => found(findByKey(key)),
  }
}
