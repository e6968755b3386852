import { randomBytes } from 'node:crypto'
import type { Clock, Ms } from '../../domain/clock'
import type { Guess } from '../../domain/guess'
import type { AccountId, PersonId } from '../../domain/ids'
import { findHashed, type Pepper } from '../../domain/pepper'
import { hashSecret } from '../../gateway/identity/secret'
import type { Actor } from '../../domain/audit-log'

/** An operator who looks at an account as its owner sees it, and changes nothing. */
export interface Impersonation {
  readonly account: AccountId
  /** The owner whose pages are shown. */
  readonly person: PersonId
  readonly who: Actor
  readonly begun: Ms
  readonly expires: Ms
  /** Null while it lasts. */
  readonly ended: Ms | null
}

interface NewLook extends Omit<Impersonation, 'ended'> {
  readonly hash: string
}

/** Looks as they are kept. Beginning and end are lines of the trail of their account. */
export interface ImpersonationStore {
  begin(look: NewLook): Promise<void>
  /**
   * A browser comes with the ticket: once, and from then on by another token.
   * @returns null where it is over, used or none
   */
  open(ticket: string, hash: string, times: { now: Ms; expires: Ms }): Promise<Impersonation | null>
  /** Null once it is over, the operator is no longer one, or the person no longer an owner. */
  find(hash: string, now: Ms): Promise<Impersonation | null>
  end(hash: string, now: Ms): Promise<Impersonation | null>
  /** Ends those whose time is over. */
  endOver(now: Ms): Promise<void>
  /** Of an account, newest first. */
  list(account: AccountId, max: number): Promise<readonly Impersonation[]>
}

/** Looks by their tokens, which only browsers have. */
export interface Impersonations {
  /** @returns the ticket that a browser begins with */
  begin(account: AccountId, person: PersonId, who: Actor): Promise<string>
  /** @returns the token for the cookie; null for a ticket that is over, used or none */
  open(
    guess: Guess,
    ticket: string,
  ): Promise<{ readonly token: string; readonly look: Impersonation } | null>
  find(token: string): Promise<Impersonation | null>
  end(token: string): Promise<Impersonation | null>
  list(account: AccountId): Promise<readonly Impersonation[]>
}

const tokenBytes = 32
/** Whoever asks for a look is on the way with the ticket already. */
const ticketLifeMs = 60_000
export const lookLifeMs = 30 * 60_000
const maxListed = 50

export function openImpersonations({
  store,
  clock,
  pepper,
}: {
  readonly store: ImpersonationStore
  readonly clock: Clock
  readonly pepper: Pepper
}): Impersonations {
  const textOf = (token: string) => `look:${token}`
  const hashOf = (token: string) => hashSecret(textOf(token), pepper)
  const found = <Found>(token: string, find: (hash: string) => Promise<Found | null>) =>
    findHashed(pepper, null, textOf(token), find)
  const newToken = () => randomBytes(tokenBytes).toString('base64url')
  const after = (now: Ms, lifeMs: number) => (now + lifeMs) as Ms
  return {
    async begin(account, person, who) {
      const ticket = newToken()
      const now = clock.now()
      const expires = after(now, ticketLifeMs)
      await store.endOver(now)
      await store.begin({ account, person, who, hash: hashOf(ticket), begun: now, expires })
      return ticket
    },
    async open(_guess, ticket) {
      const token = newToken()
      const now = clock.now()
      const times = { now, expires: after(now, lookLifeMs) }
      const look = await found(ticket, (hash) => store.open(hash, hashOf(token), times))
      return look === null ? null : { token, look }
    },
    find: (token) => found(token, (hash) => store.find(hash, clock.now())),
    end: (token) => found(token, (hash) => store.end(hash, clock.now())),
    async list(account) {
      await store.endOver(clock.now())
      return await store.list(account, maxListed)
    },
  }
}

/** Ends looks when their time is over, also those that an earlier process began. */
export interface LookClock {
  stop(): void
}

const lookEveryMs = 60_000

export function startLookClock(
  store: Pick<ImpersonationStore, 'endOver'>,
  clock: Clock,
  onFault: (fault: unknown) => void,
): LookClock {
  const timer = setInterval(() => {
    store.endOver(clock.now()).catch(onFault)
  }, lookEveryMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
