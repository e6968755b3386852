import { randomBytes } from 'node:crypto'
import type { Clock, Ms } from '../../domain/clock'
import type { Guess } from '../../domain/guess'
import { hashOfAnyGeneration, type HashOfAnyGeneration, type Pepper } from '../../domain/pepper'
import { hashSecret } from '../../gateway/identity/secret'
import type { Arrival, Entered, Entrance } from './sign-in-flow'
import { PeopleRefusal } from './refusal'
import { readTicket, ticketLeewayMs } from './sso-token'

/** Another service of the operator whose users may sign in here by a ticket. */
export interface SisterService {
  /** As people read it. */
  readonly name: string
  /** Where a browser is sent, to come back with a ticket. */
  readonly signInUrl: string
  /** What tickets are signed with; null where it cannot be opened any more. */
  readonly secret: string | null
}

/** The sister service as it is kept; every change is one row of the trail. */
export interface SisterStore {
  find(): Promise<SisterService | null>
  save(sister: SisterService & { readonly secret: string }): Promise<void>
  /** @returns false where there was none */
  remove(): Promise<boolean>
}

/** Tickets that were used: each signs somebody in once. */
export interface TicketStore {
  /** Forgets those that are over. @returns false where it was used before */
  use(hash: HashOfAnyGeneration, expires: Ms, now: Ms): Promise<boolean>
}

/** Address that a browser is sent to the sister with, and the cookie that it keeps meanwhile. */
interface SisterStart {
  readonly url: string
  /** For a cookie: only the browser that asked for a ticket can use it. */
  readonly token: string
}

/** Signing in by a ticket of the sister service. Methods throw PeopleRefusal. */
export interface SisterSignIn {
  /** Name of the sister; null where there is none, or nobody said where this service is reached. */
  name(): Promise<string | null>
  start(): Promise<SisterStart>
  /** @param token that `start` gave this browser; null where it has none */
  signIn(
    guess: Guess,
    ticket: string,
    token: string | null,
    arrival: Omit<Arrival, 'origin'>,
  ): Promise<Entered>
}

interface SisterSignInParts {
  readonly store: Pick<SisterStore, 'find'>
  readonly tickets: TicketStore
  readonly entrance: Entrance
  readonly clock: Clock
  readonly pepper: Pepper
  /** Where people reach this service, without a path; null where nobody said. */
  readonly publicUrl: string | null
  /** Told which rule a ticket broke: whoever sent it reads less. */
  onRefused(reason: string): void
}

/** Path that the sister sends a browser back to, with `#ticket=…` behind it. */
export const sisterReturnPath = '/app/sister'

const tokenBytes = 32

export function openSisterSignIn(parts: SisterSignInParts): SisterSignIn {
  const { store, tickets, entrance, clock, pepper, publicUrl, onRefused } = parts
  const nonceText = (token: string) => `sister:${token}`
  const needed = async () => {
    const sister = publicUrl === null ? null : await store.find()
    if (publicUrl === null || sister === null || sister.secret === null)
      throw new PeopleRefusal('sister_off', {})
    return { signInUrl: sister.signInUrl, secret: sister.secret, audience: publicUrl }
  }
  return {
    async name() {
      const sister = publicUrl === null ? null : await store.find()
      return sister === null || sister.secret === null ? null : sister.name
    },
    async start() {
      const { signInUrl, audience } = await needed()
      const token = randomBytes(tokenBytes).toString('base64url')
      const url = new URL(signInUrl)
      url.searchParams.set('audience', audience)
      url.searchParams.set('return_to', `${audience}${sisterReturnPath}`)
      url.searchParams.set('nonce', hashSecret(nonceText(token), pepper))
      return { url: url.href, token }
    },
    async signIn(_guess, text, token, arrival) {
      const { secret, audience } = await needed()
      const now = clock.now()
      const read = readTicket(text, { secret, audience, now })
      if ('fault' in read) {
        onRefused(read.fault)
        throw new PeopleRefusal(read.fault === 'time' ? 'ticket_expired' : 'ticket_invalid', {})
      }
      const { ticket } = read
      // Whoever follows a link of somebody else would be signed in as them.
      if (token === null || !pepper.hashes(nonceText(token)).includes(ticket.nonce)) {
        onRefused('nonce')
        throw new PeopleRefusal('ticket_elsewhere', {})
      }
      const hash = hashOfAnyGeneration(pepper, `ticket:${ticket.id}`)
      if (!(await tickets.use(hash, (ticket.expires + ticketLeewayMs) as Ms, now))) {
        onRefused('used')
        throw new PeopleRefusal('ticket_used', {})
      }
      const origin = { way: 'sister', passkey: null } as const
      return await entrance.byPhone(ticket.phone, { ...arrival, origin })
    },
  }
}
