import type { Ms } from '../../domain/clock'
import type { PersonId } from '../../domain/ids'
import type { HashOfAnyGeneration } from '../../domain/pepper'

/**
 * The public half of a key pair that its owner signs in with.
 * @see Web Authentication Level 3; base64url is RFC 4648, 5
 */
export interface Passkey<Owner = PersonId> {
  /** Credential id, base64url. */
  readonly id: string
  readonly owner: Owner
  /** The random name that authenticators know the owner by, base64url: it tells nothing of them (14.6.1). */
  readonly userHandle: string
  /** As the owner calls it. */
  readonly name: string
  /** COSE key (RFC 9052, 7), base64url. */
  readonly publicKey: string
  /** Signatures so far; always 0 where the authenticator does not count (6.1.1). */
  readonly counter: number
  readonly transports: readonly string[]
  /** Kept by a service of its vendor, on several devices (backup state, 6.1.3). */
  readonly backedUp: boolean
  readonly created: Ms
  readonly lastUsed: Ms | null
}

/** A random text by which a passkey is registered, once. */
export interface PasskeyChallenge<Owner = PersonId> {
  readonly hash: string
  /** Owner of the passkey to register, and its name. */
  readonly registers: Pick<Passkey<Owner>, 'owner' | 'userHandle'>
  readonly expires: Ms
}

/** Passkeys and challenges as they are kept; every change of a passkey is one row of the trail. */
export interface PasskeyStore<Owner = PersonId> {
  /** Oldest first. */
  list(owner: Owner): Promise<readonly Passkey<Owner>[]>
  /** Does what is due of moves of numbers first: they take passkeys along. */
  find(id: string): Promise<Passkey<Owner> | null>
  /** @returns what became of it; `full` where the owner has that many already */
  add(passkey: Passkey<Owner>, max: number): Promise<'added' | 'known' | 'full'>
  /** @returns false where the owner has no such passkey, as below */
  rename(owner: Owner, id: string, name: string): Promise<boolean>
  /** Ends the sessions that began with it. */
  remove(owner: Owner, id: string): Promise<boolean>
  /** @returns false where it was used by another request since, with this number or a higher one */
  used(id: string, counter: number, at: Ms): Promise<boolean>
  /** Writes to the trail that a passkey counted backwards. */
  recordClone(passkey: Passkey<Owner>, counter: number): Promise<void>
  /** Forgets challenges that are over, and the oldest of this owner beyond the most that are kept. */
  keepChallenge(challenge: PasskeyChallenge<Owner>, now: Ms, max: number): Promise<void>
  /** Takes it away: a challenge is answered once. */
  takeChallenge(hash: string): Promise<PasskeyChallenge<Owner> | null>
  /** Keeps until it is over that a challenge was answered. @returns false where it was before */
  spendChallenge(challenge: HashOfAnyGeneration, expires: Ms, now: Ms): Promise<boolean>
}

/** Site that passkeys of the service are bound to. */
export interface PasskeySite {
  /** The name that they are bound to. */
  readonly rpId: string
  /** What a browser says it is on. */
  readonly origin: string
}

const isAddress = (host: string): boolean => /^[\d.]+$|^\[/.test(host)

/**
 * Site of passkeys by the service's address.
 * Null where browsers have no passkeys: over plain http but on `localhost`, and at a bare address
 * (Web Authentication Level 3, sections 5.1.3 and 13.4.9).
 * @param url where people reach the service
 */
export function passkeySiteOf(url: string): PasskeySite | null {
  const { protocol, hostname, origin } = URL.parse(url) ?? {}
  if (hostname === undefined || origin === undefined || isAddress(hostname)) return null
  const isTrusted = protocol === 'https:' || hostname === 'localhost'
  return isTrusted ? { rpId: hostname, origin } : null
}

/**
 * Site of passkeys for a visit. Unless an operator said where people come, it is `localhost` at the port where the
 * service listens: that name leads nobody elsewhere.
 * @param url where people reach the service; null where nobody said
 * @param listensAt where the service listens
 * @param requested address of the request: it chooses no site, it only tells whether there is one
 */
export function passkeySiteAt(
  url: string | null,
  listensAt: string,
  requested: string,
): PasskeySite | null {
  if (url !== null) return passkeySiteOf(url)
  const { protocol, port } = URL.parse(listensAt) ?? {}
  const own = `${protocol}//localhost:${port}`
  return URL.parse(requested)?.origin === URL.parse(own)?.origin ? passkeySiteOf(own) : null
}
