import { randomBytes } from 'node:crypto'
import type { Clock, Ms } from '../../domain/clock'
import type { AccountId, PersonId } from '../../domain/ids'
import { findHashed, type Pepper } from '../../domain/pepper'
import { hashSecret } from '../../gateway/identity/secret'
import type { Role } from '../../domain/fields/member-fields'
import type { Membership } from './user'

/** Origin of a session: how it began. */
export interface SessionOrigin {
  readonly way: 'code' | 'passkey' | 'sister'
  /** The passkey that it ends with; null for other ways. */
  readonly passkey: string | null
}

/** A browser that is signed in. */
interface Session extends SessionOrigin {
  readonly hash: string
  readonly person: PersonId
  /** The account that its pages show. */
  readonly account: AccountId
  readonly created: Ms
  /** To the hour. */
  readonly seen: Ms
  readonly expires: Ms
  readonly address: string
  readonly agent: string
  /** When its person last showed a code or a passkey in it; null for never. */
  readonly proven: Ms | null
}

/** Bounds of a session; read at each use, so that they hold for sessions that run as well. */
interface SessionLimits {
  /** Without a visit. */
  readonly idleMs: number
  /** From its beginning, whatever is visited. */
  readonly lifeMs: number
}

export interface SessionStore {
  begin(session: Session): Promise<void>
  /** Null too for whom the account was taken from, or whose number is due to move. */
  find(hash: string, now: Ms): Promise<(Session & { readonly role: Role }) | null>
  seen(hash: string, at: Ms, expires: Ms): Promise<void>
  /**
   * The session goes on under another hash: the token of before is nobody's.
   * @returns false where it is over
   */
  prove(hash: string, proof: { readonly hash: string; readonly at: Ms }): Promise<boolean>
  /** Newest first, those that are not over. */
  list(person: PersonId, now: Ms): Promise<readonly Session[]>
  /** @returns false where the person has no such account */
  choose(hash: string, account: AccountId): Promise<boolean>
  end(hash: string): Promise<void>
  /** Ends one of a person's, by the beginning of its hash. @returns false where there is none */
  endOne(person: PersonId, hashStart: string): Promise<boolean>
  /** @returns how many */
  endAll(person: PersonId): Promise<number>
}

/** Browser and address of somebody who signs in. */
export interface Visitor {
  readonly address: string
  readonly agent: string
  /** Of the cookie that tells browsers apart; absent for those without one. */
  readonly token?: string
}

/** Sessions by their tokens, which only browsers have. */
export interface Sessions {
  /** @returns the token for the cookie */
  begin(who: Membership, visitor: Visitor, origin?: SessionOrigin): Promise<string>
  /** Null when it is over or never was. */
  find(token: string): Promise<(Session & { readonly role: Role }) | null>
  list(person: PersonId): Promise<readonly Session[]>
  /**
   * Its person has shown a code or a passkey. Whoever else has the token is signed out.
   * @returns the token from now on, for the cookie; null where the session is over
   */
  prove(token: string): Promise<string | null>
  /** Shows another account from now on. @returns false where the person has no such account */
  choose(token: string, account: AccountId): Promise<boolean>
  end(token: string): Promise<void>
  /** @param id as `sessionId` makes it @returns false where the person has no such session */
  endOne(person: PersonId, id: string): Promise<boolean>
  /** Signs a person out everywhere. @returns of how many browsers */
  endAll(person: PersonId): Promise<number>
}

const tokenBytes = 32
/** A visit is kept at most once in it: an hour, or a tenth of a shorter time without a visit. */
const maxSeenEveryMs = 3_600_000
/** What cannot be taken back needs a proof that is no older. */
const proofLifeMs = 10 * 60_000
const maxAgentLength = 200
const byCode: SessionOrigin = { way: 'code', passkey: null }

/** Tells a person's sessions apart in a list; nobody is signed in by it. */
export const sessionId = ({ hash }: Pick<Session, 'hash'>): string => hash.slice(0, 16)

/** Whether a session may do what needs a fresh proof. */
export const isProven = ({ proven }: Pick<Session, 'proven'>, now: Ms): boolean =>
  proven !== null && now - proven < proofLifeMs

export function openSessions(parts: {
  readonly store: SessionStore
  readonly clock: Clock
  readonly pepper: Pepper
  limits(): SessionLimits
}): Sessions {
  const { store, clock, pepper, limits } = parts
  const textOf = (token: string) => `session:${token}`
  const newToken = () => randomBytes(tokenBytes).toString('base64url')
  /** Not what is kept: it may be of an earlier program, or from before a setting was changed. */
  const expiry = ({ created, seen }: Pick<Session, 'created' | 'seen'>): Ms => {
    const { idleMs, lifeMs } = limits()
    return Math.min(seen + idleMs, created + lifeMs) as Ms
  }
  return {
    async begin({ person, account }, { address, agent }, origin = byCode) {
      const token = newToken()
      const now = clock.now()
      await store.begin({
        hash: hashSecret(textOf(token), pepper),
        person,
        account,
        created: now,
        seen: now,
        expires: expiry({ created: now, seen: now }),
        address,
        agent: agent.slice(0, maxAgentLength),
        // Who a ticket is for is the word of another service.
        proven: origin.way === 'sister' ? null : now,
        ...origin,
      })
      return token
    },
    async find(token) {
      const now = clock.now()
      const session = await findHashed(pepper, 'session', textOf(token), (hash) =>
        store.find(hash, now),
      )
      if (session === null || expiry(session) <= now) return null
      if (now - session.seen >= Math.min(maxSeenEveryMs, limits().idleMs / 10))
        await store.seen(session.hash, now, expiry({ ...session, seen: now }))
      return session
    },
    async list(person) {
      const now = clock.now()
      return (await store.list(person, now)).filter((session) => expiry(session) > now)
    },
    async prove(token) {
      const fresh = newToken()
      const proof = { hash: hashSecret(textOf(fresh), pepper), at: clock.now() }
      for (const hash of pepper.hashes(textOf(token)))
        if (await store.prove(hash, proof)) return fresh
      return null
    },
    async choose(token, account) {
      for (const hash of pepper.hashes(textOf(token)))
        if (await store.choose(hash, account)) return true
      return false
    },
    async end(token) {
      for (const hash of pepper.hashes(textOf(token))) await store.end(hash)
    },
    endOne: (person, id) => store.endOne(person, id),
    endAll: (person) => store.endAll(person),
  }
}
