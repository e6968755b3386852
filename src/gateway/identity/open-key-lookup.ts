import { timingSafeEqual } from 'node:crypto'
import type { Caller } from '../../domain/caller'
import type { Clock } from '../../domain/clock'
import type { KeyId } from '../../domain/ids'
import { findHashed, type Pepper } from '../../domain/pepper'
import { rejected } from '../../domain/rejected-promise'
import type { Secret } from '../../domain/secret'
import { GatewayError } from '../../errors/gateway-error'
import { checkCaller } from './access'
import { CallerCache, type FoundBy } from './caller-cache'
import type { AnsweredAccounts, Identity, IdentityStore } from './key-lookup'
import { within } from '../../domain/with-timeout'

interface IdentityParts {
  readonly store: IdentityStore
  readonly pepper: Pepper
  readonly clock: Clock
  /** Prefixes of keys, our own and the sister service's. */
  readonly brands: readonly string[]
  /**
   * Callers as they were read last, where they cannot be read anew: of several processes each goes on for
   * a while without its database. Not unless told.
   */
  readonly trustsLast?: boolean
  /** Told when a running call's caller could not be read: its next look tries again. */
  onFault(fault: unknown): void
}

/** Nothing longer is a key; hashing it would only cost. */
const maxSecretLength = 256

/** Keys are known by their hashes only; a hot caller costs one hash and one look-up in memory. */
export function openIdentity(parts: IdentityParts): Identity {
  const { clock, brands, trustsLast = false, onFault } = parts
  const callers = new CallerCache()

  const mayBeKey = (secret: Secret): boolean => {
    if (secret.length > maxSecretLength) return false
    for (const brand of brands) if (secret.startsWith(brand)) return true
    return false
  }

  const { byKey, bySecret } = openFinding(parts)

  const checked = (caller: Caller | null, accounts: AnsweredAccounts): Caller => {
    if (caller === null) throw new GatewayError('invalid_api_key', {})
    checkCaller(caller, clock.now(), accounts)
    return caller
  }

  const look = trustsLast ? openLookupWithDeadline(callers) : (by: FoundBy) => callers.look(by)

  const lookedUp = async (by: FoundBy, accounts: AnsweredAccounts): Promise<Caller> =>
    checked(await look(by), accounts)

  // Its secret is looked up by the next call that has it.
  const lastBy = (caller: Caller): FoundBy => callers.byOf(caller) ?? byKey(caller.key.id)

  const renewal = (caller: Caller): Promise<unknown> | null => {
    const by = lastBy(caller)
    return callers.fresh(by.mark) === undefined ? callers.look(by) : null
  }

  return {
    // Nothing is waited for where the caller is known: every call passes here.
    identify(secret, accounts = 'active') {
      try {
        if (secret === null) throw new GatewayError('missing_api_key', {})
        if (!mayBeKey(secret)) return Promise.resolve(checked(null, accounts))
        const mark = markOf(secret)
        const known = callers.fresh(mark)
        return known === undefined
          ? lookedUp(bySecret(secret, mark), accounts)
          : Promise.resolve(checked(known, accounts))
      } catch (thrown) {
        return rejected(thrown)
      }
    },
    async callerOf(key) {
      const by = byKey(key)
      const known = callers.fresh(by.mark)
      return checked(known === undefined ? await look(by) : known, 'active')
    },
    renew(caller) {
      renewal(caller)?.catch(onFault)
      const last = callers.last(lastBy(caller).mark)
      return checked(last === undefined ? caller : last, 'active')
    },
    renewal,
    expire: () => callers.expire(),
    forget: () => callers.forget(),
  }
}

/** Ways in which callers are found: by their secrets, and again by the numbers of their keys. */
function openFinding({ store, pepper }: Pick<IdentityParts, 'store' | 'pepper'>) {
  const byKey = (key: KeyId): FoundBy => ({
    // No mark of a secret looks like this.
    mark: `#${key}`,
    read: () => store.findByKey(key),
  })

  const findBySecret = (secret: Secret): Promise<Caller | null> =>
    findHashed(pepper, 'key', secret, async (hash) => {
      const found = await store.findByHash(hash)
      return found !== null && same(found.hash, hash) ? found.caller : null
    })

  const bySecret = (secret: Secret, mark: string): FoundBy => {
    // Forgotten once its key is found: who is found again is found by that, and a rehash of the key changes nothing.
    let sought = secret
    let key: KeyId | null = null
    return {
      mark,
      async read() {
        if (key !== null) return await store.findByKey(key)
        const caller = await findBySecret(sought)
        if (caller === null) return null
        key = caller.key.id
        sought = '' as Secret
        return caller
      },
    }
  }
  return { byKey, bySecret }
}

/**
 * Tells keys apart in this process's memory, in a quarter of the time that the hash takes which is
 * stored. It needs no pepper: nobody can guess 32 random bytes.
 */
const markOf = (secret: Secret): string => Bun.SHA256.hash(secret, 'base64')

const same = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** Whoever reads callers is slower than this only while it is away. */
const patienceMs = 1000

/**
 * Looks callers up, and goes on by what was read last where they cannot be read: of several processes each
 * goes on for a while without its database. One look waits for that; those that come meanwhile do not.
 */
function openLookupWithDeadline(callers: CallerCache) {
  let stuck = 0
  const leave = (): void => void stuck--
  return async (by: FoundBy): Promise<Caller | null> => {
    const last = callers.last(by.mark)
    if (last === undefined) return await callers.look(by)
    if (stuck > 0) return last
    const read = callers.look(by)
    try {
      const found = await within(patienceMs, read)
      if (found !== 'late') return found.result
    } catch {
      return last
    }
    stuck++
    read.then(leave, leave)
    return last
  }
}
