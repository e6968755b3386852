import { randomBytes, timingSafeEqual } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Clock, Ms } from '../../domain/clock'
import type { Guess } from '../../domain/guess'
import { findHashed, hashOfAnyGeneration, type Pepper } from '../../domain/pepper'
import { hashSecret } from '../../gateway/identity/secret'
import type { Passkey, PasskeyChallenge, PasskeySite, PasskeyStore } from './passkey'
import { PeopleRefusal } from './refusal'

/** Passkeys of people, or of operators. Methods throw PeopleRefusal. */
export interface PasskeyRing<Owner> {
  list(owner: Owner): Promise<readonly Passkey<Owner>[]>
  /** Options that a browser makes a passkey with. @param label what the authenticator calls the owner */
  registration(
    owner: Owner,
    site: PasskeySite,
    labels: { readonly service: string; readonly person: string },
  ): Promise<PublicKeyCredentialCreationOptionsJSON>
  register(
    owner: Owner,
    site: PasskeySite,
    made: { readonly name: string; readonly response: RegistrationResponseJSON },
  ): Promise<Passkey<Owner>>
  /** What a browser signs in with: it shows the passkeys that it has for the site. */
  request(site: PasskeySite): Promise<PublicKeyCredentialRequestOptionsJSON>
  /** The passkey that signed, which counts this use. */
  answer(
    guess: Guess,
    site: PasskeySite,
    response: AuthenticationResponseJSON,
  ): Promise<Passkey<Owner>>
  rename(owner: Owner, id: string, name: string): Promise<void>
  remove(owner: Owner, id: string): Promise<void>
}

export interface PasskeyRingParts<Owner> {
  readonly store: PasskeyStore<Owner>
  readonly clock: Clock
  readonly pepper: Pepper
  /** Told why a passkey was refused: its user reads less. */
  onRefused(reason: string): void
}

const maxPasskeys = 20
/** Open ones of one owner who registers. */
const maxRegistrations = 10
const challengeLifeMs = 5 * 60_000
const handleBytes = 32

/** Read when somebody first signs in so: most of a megabyte of certificate formats is behind it. */
async function verifier() {
  // Its certificate formats look for this when they are read, and a bundle keeps no order of its own.
  await import('reflect-metadata')
  return await import('@simplewebauthn/server')
}

type Registering<Owner> = PasskeyChallenge<Owner>['registers']

export const openPasskeyRing = <Owner>(parts: PasskeyRingParts<Owner>): PasskeyRing<Owner> => ({
  list: parts.store.list,
  ...openRegistration(parts),
  ...openAnswers(parts),
  async rename(owner, id, name) {
    if (!(await parts.store.rename(owner, id, name))) throw new PeopleRefusal('passkey_unknown', {})
  },
  async remove(owner, id) {
    if (!(await parts.store.remove(owner, id))) throw new PeopleRefusal('passkey_unknown', {})
  },
})

function openRegistration<Owner>(
  parts: PasskeyRingParts<Owner>,
): Pick<PasskeyRing<Owner>, 'registration' | 'register'> {
  const { store, clock } = parts
  const { begin, take } = openRegisterChallenges(parts)
  return {
    async registration(owner, { rpId }, labels) {
      const { generateRegistrationOptions } = await verifier()
      const known = await store.list(owner)
      if (known.length >= maxPasskeys)
        throw new PeopleRefusal('passkeys_full', { max: maxPasskeys })
      const userHandle = known[0]?.userHandle ?? randomBytes(handleBytes).toString('base64url')
      const options = await generateRegistrationOptions({
        rpID: rpId,
        rpName: labels.service,
        userID: bytesOf(userHandle),
        userName: labels.person,
        userDisplayName: labels.person,
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: known.map(({ id }) => ({ id })),
        timeout: challengeLifeMs,
      })
      await begin(options.challenge, { owner, userHandle })
      return options
    },
    async register(owner, { rpId, origin }, { name, response }) {
      const { verifyRegistrationResponse } = await verifier()
      const { challenge, registers } = await take(response.response.clientDataJSON)
      if (registers.owner !== owner) throw new PeopleRefusal('passkey_expired', {})
      const { registrationInfo } = await verified(
        () =>
          verifyRegistrationResponse({
            response,
            expectedChallenge: challenge,
            expectedOrigin: origin,
            expectedRPID: rpId,
            requireUserVerification: true,
          }),
        parts,
      )
      if (registrationInfo === undefined) throw new PeopleRefusal('passkey_invalid', {})
      const { credential, credentialBackedUp: backedUp } = registrationInfo
      return await keep(store, {
        ...registers,
        id: credential.id,
        name,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: credential.transports ?? [],
        backedUp,
        created: clock.now(),
        lastUsed: null,
      })
    },
  }
}

function openAnswers<Owner>(
  parts: PasskeyRingParts<Owner>,
): Pick<PasskeyRing<Owner>, 'request' | 'answer'> {
  const { store, clock } = parts
  const challenges = openAnswerChallenges(parts)
  return {
    async request({ rpId }) {
      const { generateAuthenticationOptions } = await verifier()
      return await generateAuthenticationOptions({
        rpID: rpId,
        challenge: challenges.make(),
        userVerification: 'required',
        timeout: challengeLifeMs,
      })
    },
    async answer(_guess, { rpId, origin }, response) {
      const { verifyAuthenticationResponse } = await verifier()
      const challenge = await challenges.spend(response.response.clientDataJSON)
      const passkey = await store.find(response.id)
      // Whose it is says the authenticator: both must agree.
      if (passkey === null || passkey.userHandle !== response.response.userHandle)
        throw new PeopleRefusal('passkey_unknown', {})
      const { authenticationInfo } = await verified(
        () =>
          verifyAuthenticationResponse({
            response,
            expectedChallenge: challenge,
            expectedOrigin: origin,
            expectedRPID: rpId,
            requireUserVerification: true,
            // The counter is compared below, with a refusal of its own.
            credential: { id: passkey.id, publicKey: bytesOf(passkey.publicKey), counter: 0 },
          }),
        parts,
      )
      await count(store, passkey, authenticationInfo.newCounter, clock.now())
      return passkey
    },
  }
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(base64url, 'base64url'))

const nonceBytes = 16
/** Milliseconds since 1970, big-endian. */
const expiryBytes = 6

/**
 * Challenges that passkeys answer: a nonce, the end of its life, and an HMAC of both. They are kept once they are
 * answered alone, so that no number of requests for them pushes out those of others.
 */
function openAnswerChallenges<Owner>({ store, clock, pepper }: PasskeyRingParts<Owner>) {
  const signed = (head: Buffer) =>
    Buffer.concat([head, Buffer.from(pepper.lastingHash(`passkey-head:${head.toString('hex')}`))])
  return {
    make(): Uint8Array<ArrayBuffer> {
      const now = clock.now()
      const expiry = Buffer.alloc(expiryBytes)
      expiry.writeUIntBE(now + challengeLifeMs, 0, expiryBytes)
      return new Uint8Array(signed(Buffer.concat([randomBytes(nonceBytes), expiry])))
    },
    /** Before anything is verified: a wrong answer uses it up as well. @throws PeopleRefusal passkey_expired */
    async spend(clientData: string): Promise<string> {
      const expired = new PeopleRefusal('passkey_expired', {})
      const challenge = challengeIn(clientData)
      if (challenge === null) throw expired
      const given = Buffer.from(challenge, 'base64url')
      const head = given.subarray(0, nonceBytes + expiryBytes)
      const made = signed(head)
      const isOurs =
        head.length === nonceBytes + expiryBytes &&
        given.length === made.length &&
        timingSafeEqual(given, made) &&
        // In the one spelling that was sent.
        given.toString('base64url') === challenge
      if (!isOurs) throw expired
      const now = clock.now()
      const expires = head.readUIntBE(nonceBytes, expiryBytes) as Ms
      const hashes = hashOfAnyGeneration(pepper, `passkey-spent:${challenge}`)
      if (expires <= now || !(await store.spendChallenge(hashes, expires, now))) throw expired
      return challenge
    },
  }
}

/** Challenges by which passkeys are registered, in a session: kept until then. */
function openRegisterChallenges<Owner>({ store, clock, pepper }: PasskeyRingParts<Owner>) {
  const textOf = (challenge: string) => `passkey:${challenge}`
  return {
    async begin(challenge: string, registers: Registering<Owner>): Promise<void> {
      const now = clock.now()
      const expires = (now + challengeLifeMs) as Ms
      const kept = { hash: hashSecret(textOf(challenge), pepper), registers, expires }
      await store.keepChallenge(kept, now, maxRegistrations)
    },
    /** Before anything is verified: a wrong answer uses it up as well. */
    async take(clientData: string) {
      const challenge = challengeIn(clientData)
      const kept =
        challenge === null
          ? null
          : await findHashed(pepper, null, textOf(challenge), store.takeChallenge)
      if (challenge === null || kept === null || kept.expires <= clock.now())
        throw new PeopleRefusal('passkey_expired', {})
      return { challenge, registers: kept.registers }
    },
  }
}

/** @throws PeopleRefusal passkey_invalid */
async function verified<T extends { readonly verified: boolean }>(
  verify: () => Promise<T>,
  { onRefused }: Pick<PasskeyRingParts<unknown>, 'onRefused'>,
): Promise<T> {
  try {
    const outcome = await verify()
    if (outcome.verified) return outcome
    onRefused('signature does not match')
  } catch (thrown) {
    onRefused(reasonOf(thrown))
  }
  throw new PeopleRefusal('passkey_invalid', {})
}

/** Without what the client said, which stands in quotes. */
const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error
    ? thrown.message.replaceAll(/"[^"]*"/g, '…').slice(0, 120)
    : 'not readable'

/** A copy of an authenticator shows by its counter (Web Authentication Level 3, section 6.1.1). */
async function count<Owner>(
  store: PasskeyStore<Owner>,
  passkey: Passkey<Owner>,
  counter: number,
  now: Ms,
): Promise<void> {
  const isCounting = counter > 0 || passkey.counter > 0
  if (isCounting && counter <= passkey.counter) {
    await store.recordClone(passkey, counter)
    throw new PeopleRefusal('passkey_cloned', {})
  }
  if (!(await store.used(passkey.id, counter, now))) throw new PeopleRefusal('passkey_unknown', {})
}

async function keep<Owner>(
  store: PasskeyStore<Owner>,
  passkey: Passkey<Owner>,
): Promise<Passkey<Owner>> {
  const outcome = await store.add(passkey, maxPasskeys)
  if (outcome === 'known') throw new PeopleRefusal('passkey_known', {})
  if (outcome === 'full') throw new PeopleRefusal('passkeys_full', { max: maxPasskeys })
  return passkey
}

/** The challenge that a browser says it signed; null where that is not readable. */
function challengeIn(clientData: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8'))
    const challenge =
      typeof data === 'object' && data !== null && 'challenge' in data ? data.challenge : null
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}
