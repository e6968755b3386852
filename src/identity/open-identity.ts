import { timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../domain/caller'
import type { Clock } from '../domain/clock'
import type { Secret } from '../domain/secret'
import { GatewayError } from '../errors/gateway-error'
import { checkCaller } from './access'
import type { AnsweredAccounts, Identity, IdentityStore } from './identity'
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

/** How a caller was found, and is found again. */
interface FoundBy {
  readonly mark: string
  read(): Caller | null
}

/** Keys are known by their hashes only; a hot caller costs one hash and one look-up in memory. */
export function openIdentity({ store, pepper, clock, brands }: IdentityParts): Identity {
  /** By the marks of their keys. */
  const callers = new LRUCache<string, Caller>({ max: mostCallers })
  const foundBy = new WeakMap<Caller, FoundBy>()

  const find = (secret: Secret): Caller | null => {
    if (secret.length > longestSecret || !brands.some((brand) => secret.startsWith(brand)))
      return null
    const mark = markOf(secret)
    return callers.get(mark) ?? look(bySecret(secret, mark))
  }

  const bySecret = (secret: Secret, mark: string): FoundBy => {
    const hash = hashSecret(secret, pepper)
    return {
      mark,
      read() {
        const found = store.findByHash(hash)
        return found !== null && same(found.hash, hash) ? found.caller : null
      },
    }
  }

  const look = (by: FoundBy): Caller | null => {
    const caller = by.read()
    if (caller === null) return null
    callers.set(by.mark, caller)
    foundBy.set(caller, by)
    return caller
  }

  const checked = (caller: Caller | null, accounts: AnsweredAccounts): Caller => {
    if (caller === null) throw new GatewayError('invalid_api_key', {})
    checkCaller(caller, clock.now(), accounts)
    return caller
  }

  return {
    identify(secret, accounts = 'active') {
      if (secret === null) throw new GatewayError('missing_api_key', {})
      return checked(find(secret), accounts)
    },
    callerOf(key) {
      // No mark of a secret looks like this.
      const mark = `#${key}`
      const read = () => store.findByKey(key)
      return checked(callers.get(mark) ?? look({ mark, read }), 'active')
    },
    renew(caller) {
      const by = foundBy.get(caller)
      if (by === undefined) throw new Error('a caller who was never identified')
      return checked(callers.get(by.mark) ?? look(by), 'active')
    },
    forget: () => callers.clear(),
  }
}

/**
 * Tells keys apart in this process's memory, in a quarter of the time that the hash takes which is
 * stored. It needs no pepper: nobody can guess 32 random bytes.
 */
const markOf = (secret: Secret): string => Bun.SHA256.hash(secret, 'base64')

const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
