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
  /** Told when a running call's caller could not be read: its next look tries again. */
  onFault(fault: unknown): void
}

/** Callers kept in memory. */
const mostCallers = 50_000
/** Nothing longer is a key; hashing it would only cost. */
const longestSecret = 256

/** What a caller was found by. */
interface FoundBy {
  readonly mark: string
  readonly hash: string
}

/** A caller as it was read. */
interface Known {
  /** Null where the key was there and is no more. */
  readonly caller: Caller | null
  /** What had changed by then. */
  readonly reading: number
}

interface Look {
  readonly reading: number
  readonly caller: Promise<Caller | null>
}

/**
 * Keys are known by their hashes only; a hot caller costs one hash and one look-up in memory. A caller
 * that may have changed stays until it is read anew: running calls go on by it meanwhile.
 */
export function openIdentity(parts: IdentityParts): Identity {
  const { store, pepper, clock, brands, onFault } = parts
  /** By the marks of their keys. */
  const callers = new LRUCache<string, Known>({ max: mostCallers })
  const foundBy = new WeakMap<Caller, FoundBy>()
  /** Reads that are under way, by the marks. */
  const looks = new Map<string, Look>()
  let reading = 0

  const find = async (secret: Secret): Promise<Caller | null> => {
    if (secret.length > longestSecret || !brands.some((brand) => secret.startsWith(brand)))
      return null
    const mark = markOf(secret)
    const known = callers.get(mark)
    if (known !== undefined && known.reading === reading) return known.caller
    return await look({ mark, hash: hashSecret(secret, pepper) })
  }

  const read = async ({ mark, hash }: FoundBy, begun: number): Promise<Caller | null> => {
    const found = await store.findByHash(hash)
    const caller = found !== null && same(found.hash, hash) ? found.caller : null
    const known = callers.get(mark)
    // Nobody is remembered by a key that never was.
    if (caller === null && known === undefined) return null
    // Another look may have begun later and be over already.
    if (known !== undefined && known.reading > begun) return known.caller
    callers.set(mark, { caller, reading: begun })
    if (caller !== null) foundBy.set(caller, { mark, hash })
    return caller
  }

  /** One read for all who ask at the same time. */
  const look = (by: FoundBy): Promise<Caller | null> => {
    const running = looks.get(by.mark)
    if (running?.reading === reading) return running.caller
    const own: Look = { reading, caller: read(by, reading) }
    looks.set(by.mark, own)
    const over = () => {
      if (looks.get(by.mark) === own) looks.delete(by.mark)
    }
    own.caller.then(over, over)
    return own.caller
  }

  const checked = (caller: Caller | null, accounts: AnsweredAccounts): Caller => {
    if (caller === null) throw new GatewayError('invalid_api_key', {})
    checkCaller(caller, clock.now(), accounts)
    return caller
  }

  const byOf = (caller: Caller): FoundBy => {
    const by = foundBy.get(caller)
    if (by === undefined) throw new Error('a caller who was never identified')
    return by
  }

  const renewal = (caller: Caller): Promise<unknown> | null => {
    const by = byOf(caller)
    return callers.get(by.mark)?.reading === reading ? null : look(by)
  }

  return {
    async identify(secret, accounts = 'active') {
      if (secret === null) throw new GatewayError('missing_api_key', {})
      return checked(await find(secret), accounts)
    },
    renew(caller) {
      renewal(caller)?.catch(onFault)
      const known = callers.get(byOf(caller).mark)
      return checked(known === undefined ? caller : known.caller, 'active')
    },
    renewal,
    expire: () => void reading++,
  }
}

/**
 * Tells keys apart in this process's memory, in a quarter of the time that the hash takes which is
 * stored. It needs no pepper: nobody can guess 32 random bytes.
 */
const markOf = (secret: Secret): string => Bun.SHA256.hash(secret, 'base64')

const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
