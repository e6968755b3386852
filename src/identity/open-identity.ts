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
  /** What each caller was found by. */
  const hashes = new WeakMap<Caller, string>()

  const find = (secret: Secret): Caller | null =>
    secret.length > longestSecret || !brands.some((brand) => secret.startsWith(brand))
      ? null
      : findHash(hashSecret(secret, pepper))

  const findHash = (hash: string): Caller | null => {
    const known = callers.get(hash)
    if (known !== undefined) return known
    const found = store.findByHash(hash)
    if (found === null || !same(found.hash, hash)) return null
    callers.set(hash, found.caller)
    hashes.set(found.caller, hash)
    return found.caller
  }

  const checked = (caller: Caller | null): Caller => {
    if (caller === null) throw new GatewayError('invalid_api_key', {})
    checkCaller(caller, clock.now())
    return caller
  }

  return {
    identify(secret) {
      if (secret === null) throw new GatewayError('missing_api_key', {})
      return checked(find(secret))
    },
    renew(caller) {
      const hash = hashes.get(caller)
      if (hash === undefined) throw new Error('a caller who was never identified')
      return checked(findHash(hash))
    },
    forget: () => callers.clear(),
  }
}

const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
