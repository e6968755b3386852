import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../domain/caller'
import type { Clock } from '../domain/clock'
import type { Secret } from '../domain/secret'
import { GatewayError } from '../errors/gateway-error'
import { checkCaller } from './access'
import type { Identity, IdentityStore } from './identity'
import { hashSecret } from './secret'

export interface IdentityParts {
  readonly store: IdentityStore
  readonly pepper: Uint8Array
  readonly clock: Clock
  /** Prefixes of keys, our own and the sister service's. */
  readonly brands: readonly string[]
}

/** Callers kept in memory. */
const mostCallers = 50_000
/** Nothing longer is a key; hashing it would only cost. */
const longestSecret = 256

/** Keys are known by their hash only; a hot caller costs one hash and one look-up in memory. */
export function openIdentity({ store, pepper, clock, brands }: IdentityParts): Identity {
  const callers = new LRUCache<string, Caller>({ max: mostCallers })

  const find = (secret: Secret): Caller | null => {
    if (secret.length > longestSecret || !brands.some((brand) => secret.startsWith(brand)))
      return null
    const hash = hashSecret(secret, pepper)
    const known = callers.get(hash)
    if (known !== undefined) return known
    const found = store.findByHash(hash)
    if (found === null || !same(found.hash, hash)) return null
    callers.set(hash, found.caller)
    return found.caller
  }

  return {
    identify(secret) {
      if (secret === null) throw new GatewayError('missing_api_key', {})
      const caller = find(secret)
      if (caller === null) throw new GatewayError('invalid_api_key', {})
      checkCaller(caller, clock.now())
      return caller
    },
    forget: () => callers.clear(),
  }
}

const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
