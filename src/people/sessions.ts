import { randomBytes } from 'node:crypto'
import type { Clock, Ms } from '../domain/clock'
import type { AccountId, PersonId } from '../domain/ids'
import { hashSecret } from '../identity/secret'
import type { Membership, Role } from './person'

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
}

export interface SessionStore {
  begin(session: Session): Promise<void>
  /** Null too for whom the account was taken from, or whose number is due to move. */
  find(hash: string, now: Ms): Promise<(Session & { readonly role: Role }) | null>
  seen(hash: string, at: Ms, expires: Ms): Promise<void>
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
  /** Shows another account from now on. @returns false where the person has no such account */
  choose(token: string, account: AccountId): Promise<boolean>
  end(token: string): Promise<void>
  /** @param id as `sessionId` makes it @returns false where the person has no such session */
  endOne(person: PersonId, id: string): Promise<boolean>
  /** Signs a person out everywhere. @returns of how many browsers */
  endAll(person: PersonId): Promise<number>
}

const tokenBytes = 32
/** Each visit begins it anew, counted at most once an hour. */
export const sessionLifeMs = 30 * 86_400_000
const seenEveryMs = 3_600_000
const maxAgentLength = 200
const byCode: SessionOrigin = { way: 'code', passkey: null }

/** Tells a person's sessions apart in a list; nobody is signed in by it. */
export const sessionId = ({ hash }: Pick<Session, 'hash'>): string => hash.slice(0, 16)

export function openSessions(parts: {
  readonly store: SessionStore
  readonly clock: Clock
  readonly pepper: Uint8Array
}): Sessions {
  const { store, clock, pepper } = parts
  const hashOf = (token: string) => hashSecret(`session:${token}`, pepper)
  const expiry = (now: Ms) => (now + sessionLifeMs) as Ms
  return {
    async begin({ person, account }, { address, agent }, origin = byCode) {
      const token = randomBytes(tokenBytes).toString('base64url')
      const now = clock.now()
      await store.begin({
        hash: hashOf(token),
        person,
        account,
        created: now,
        seen: now,
        expires: expiry(now),
        address,
        agent: agent.slice(0, maxAgentLength),
        ...origin,
      })
      return token
    },
    async find(token) {
      const now = clock.now()
      const session = await store.find(hashOf(token), now)
      if (session === null || session.expires <= now) return null
      if (now - session.seen >= seenEveryMs) await store.seen(session.hash, now, expiry(now))
      return session
    },
    list: (person) => store.list(person, clock.now()),
    choose: (token, account) => store.choose(hashOf(token), account),
    end: (token) => store.end(hashOf(token)),
    endOne: (person, id) => store.endOne(person, id),
    endAll: (person) => store.endAll(person),
  }
}
