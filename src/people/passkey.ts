import type { Ms } from '../domain/clock'
import type { PersonId } from '../domain/ids'

/** The public half of a key pair that somebody signs in with (WebAuthn). */
export interface Passkey {
  /** Credential id, base64url. */
  readonly id: string
  readonly person: PersonId
  /** The random name that authenticators know the person by, base64url. */
  readonly userHandle: string
  /** As the person calls it. */
  readonly name: string
  /** COSE key, base64url. */
  readonly publicKey: string
  /** Signatures so far; always 0 where the authenticator does not count. */
  readonly counter: number
  readonly transports: readonly string[]
  /** Kept by a service of its vendor, on several devices. */
  readonly backedUp: boolean
  readonly created: Ms
  readonly lastUsed: Ms | null
}

/** A random text that is to be signed, once. */
export interface PasskeyChallenge {
  readonly hash: string
  /** Person who registers a passkey, and its name; null where somebody signs in. */
  readonly registers: Pick<Passkey, 'person' | 'userHandle'> | null
  readonly expires: Ms
}

/** Passkeys and challenges as they are kept; every change of a passkey is one row of the trail. */
export interface PasskeyStore {
  /** Oldest first. */
  list(person: PersonId): Promise<readonly Passkey[]>
  /** Does what is due of moves of numbers first: they take passkeys along. */
  find(id: string): Promise<Passkey | null>
  /** @returns what became of it; `full` where the person has that many already */
  add(passkey: Passkey, max: number): Promise<'added' | 'known' | 'full'>
  /** @returns false where the person has no such passkey, as below */
  rename(person: PersonId, id: string, name: string): Promise<boolean>
  /** Ends the sessions that began with it. */
  remove(person: PersonId, id: string): Promise<boolean>
  /** @returns false where it was used by another request since, with this number or a higher one */
  used(id: string, counter: number, at: Ms): Promise<boolean>
  /** Writes to the trail that a passkey counted backwards. */
  recordClone(passkey: Passkey, counter: number): Promise<void>
  /** Forgets challenges that are over, and the oldest beyond the most that are kept. */
  keepChallenge(challenge: PasskeyChallenge, now: Ms, max: number): Promise<void>
  /** Takes it away: a challenge is answered once. */
  takeChallenge(hash: string): Promise<PasskeyChallenge | null>
}

/** Where passkeys of the service work. */
export interface PasskeySite {
  /** The name that they are bound to. */
  readonly rpId: string
  /** What a browser says it is on. */
  readonly origin: string
}

const isAddress = (host: string): boolean => /^[\d.]+$|^\[/.test(host)

/**
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
