import { randomBytes } from 'node:crypto'
import type { Ms } from '../../domain/clock'
import type { Guess } from '../../domain/guess'
import type { OperatorId } from '../../domain/ids'
import { findHashed } from '../../domain/pepper'
import type { Secret } from '../../domain/secret'
import { hashSecret, secretPrefix } from '../../gateway/identity/secret'
import type { PasskeyRing } from '../users/passkey-service'
import { PeopleRefusal } from '../users/refusal'
import { isProven } from '../users/sessions'
import type { OperatorSession, SignedInOperator } from './access-contract'
import type {
  EnterOperator,
  OperatorVisitor,
  PasskeyAnswer,
  SessionStart,
  SignedIn,
} from './request-identity'
import { linkText } from './setup-links'
import { operatorName, digitsOf, recoveryText } from './typed-codes'
import { totpStep, totpUri } from './one-time-codes'
import type { Operator } from './operator'
import { OperatorRefusal } from './operator-refusal'
import {
  openPasswordSignIn,
  type PasswordSignIn,
  type PasswordSignInParts,
} from './password-sign-in'

/** Facts that a page shows before an operator is set up. */
interface SetupOffer {
  /** Null: the first owner names themselves. */
  readonly name: string | null
  readonly role: Operator['role']
  readonly secret: string
  readonly uri: string
}

interface SetUp extends SignedIn {
  /** Told this once. */
  readonly recoveryCodes: readonly string[]
}

/** Sign-in and sessions of operators. Methods throw OperatorRefusal. */
export interface OperatorSignIn extends PasswordSignIn {
  isSetUp(): Promise<boolean>
  /** @param issuer the service, as people read it */
  offer(guess: Guess, token: string, issuer: string): Promise<SetupOffer>
  setUp(
    guess: Guess,
    token: string,
    typed: { readonly name: string; readonly password: string; readonly code: string },
    visitor: OperatorVisitor,
  ): Promise<SetUp>
  /** By a passkey alone. @throws PeopleRefusal for a passkey that does not hold */
  signInByPasskey(guess: Guess, answer: PasskeyAnswer, visitor: OperatorVisitor): Promise<SignedIn>
  /**
   * Proof that a session is still its operator's: begins a session in its place.
   * @param shown the password, or what a passkey of theirs signed
   * @returns the token from now on; null where the session is over
   * @throws PeopleRefusal for a passkey that does not hold, or is not theirs
   */
  prove(
    guess: Guess,
    session: ProvingSession,
    shown: string | PasskeyAnswer,
    visitor: OperatorVisitor,
  ): Promise<string | null>
  readonly passkeys: Omit<PasskeyRing<OperatorId>, 'answer'>
  /** Null when it is over or never was. */
  find(token: string): Promise<(OperatorSession & { readonly who: Operator }) | null>
  /** Null where no key is that, or it is over. */
  byKey(secret: Secret): Promise<(SignedInOperator & { readonly id: number }) | null>
  sessions(operator: Operator): Promise<readonly OperatorSession[]>
  end(token: string): Promise<void>
  endAll(operator: Operator): Promise<number>
}

/** A session whose operator shows anew who they are. */
interface ProvingSession extends SessionStart {
  readonly operator: Operator
  readonly token: string
}

/** Whether a session began a moment ago: its operator has just shown who they are. */
export const isFresh = ({ created }: Pick<OperatorSession, 'created'>, now: Ms): boolean =>
  isProven({ proven: created }, now)

/** Lifetime of an operator's session, from its beginning on. */
export const operatorSessionMs = 12 * 3_600_000
/** Prefix of operators' keys. */
export const operatorKeyPrefix = 'op-v1-'
const recoveryCodes = 8
const maxAgentLength = 200
const maxSecretLength = 100
/** Without those that look alike. */
const recoveryLetters = 'abcdefghjkmnpqrstuvwxyz23456789'

export const actorOf = ({ name }: Pick<Operator, 'name'>): `operator:${string}` =>
  `operator:${name}`

export function openOperatorSignIn(parts: PasswordSignInParts): OperatorSignIn {
  const { store, clock, pepper } = parts
  const { answer, ...passkeys } = parts.passkeys
  const textOf = (token: string) => `operator-session:${token}`
  const made = (operator: Operator, visitor: OperatorVisitor, { way, passkey }: SessionStart) => {
    const token = randomBytes(32).toString('base64url')
    const now = clock.now()
    const session: OperatorSession = {
      hash: hashSecret(textOf(token), pepper),
      operator: operator.id,
      created: now,
      expires: (now + operatorSessionMs) as Ms,
      address: visitor.address,
      agent: visitor.agent.slice(0, maxAgentLength),
      way,
      passkey,
    }
    return { token, session }
  }
  const enter: EnterOperator = async (operator, visitor, arrived) => {
    const { token, session } = made(operator, visitor, arrived)
    await store.begin(session)
    return { token, operator }
  }
  const byPassword = openPasswordSignIn(parts, enter)
  return {
    isSetUp: () => store.isSetUp(),
    ...openSetup(parts, enter),
    ...byPassword,
    async signInByPasskey(guess, { site, response }, visitor) {
      const { id: passkey, owner } = await answer(guess, site, response)
      const operator = await store.operatorById(owner)
      if (operator === null) throw new PeopleRefusal('passkey_unknown', {})
      return await enter(operator, visitor, { way: 'passkey', passkey })
    },
    async prove(guess, { operator, token: earlier, way, passkey }, shown, visitor) {
      // A session still ends with the passkey that began it, where the password renews it.
      let arrived: SessionStart = { way, passkey }
      if (typeof shown === 'string') await byPassword.confirm(guess, operator, shown, visitor)
      else {
        const { id, owner } = await answer(guess, shown.site, shown.response)
        if (owner !== operator.id) throw new PeopleRefusal('passkey_not_yours', {})
        arrived = { way: 'passkey', passkey: id }
      }
      const { token, session } = made(operator, visitor, arrived)
      return (await store.renew(pepper.hashes(textOf(earlier)), session)) ? token : null
    },
    passkeys,
    find: (token) =>
      findHashed(pepper, 'operator_session', textOf(token), (hash) =>
        store.find(hash, clock.now()),
      ),
    async byKey(secret) {
      if (secret.length > maxSecretLength || !secret.startsWith(operatorKeyPrefix)) return null
      const key = await findHashed(pepper, 'operator_key', operatorKeyText(secret), (hash) =>
        store.findKey(hash, clock.now()),
      )
      if (key === null) return null
      return { ...key, actor: `operator-key:${secretPrefix(secret)}` }
    },
    sessions: ({ id }) => store.sessions(id, clock.now()),
    async end(token) {
      for (const hash of pepper.hashes(textOf(token))) await store.end(hash)
    },
    endAll: ({ id }) => store.endAll(id),
  }
}

/** What of an operator's key is hashed. */
export const operatorKeyText = (secret: Secret): string => `operator-key:${secret}`

function openSetup(
  { store, passwords, clock, pepper }: PasswordSignInParts,
  enter: EnterOperator,
): Pick<OperatorSignIn, 'offer' | 'setUp'> {
  const linkOf = async (_guess: Guess, token: string) => {
    const found = await findHashed(pepper, null, linkText(token), (hash) =>
      store.findLink(hash, clock.now()),
    )
    if (found === null) throw new OperatorRefusal('link_invalid', {})
    return found
  }
  return {
    async offer(guess, token, issuer) {
      const { operator, totp } = await linkOf(guess, token)
      const name = operator?.name ?? null
      const role = operator?.role ?? 'owner'
      return { name, role, secret: totp, uri: totpUri(totp, issuer, name ?? issuer) }
    },
    async setUp(guess, token, typed, visitor) {
      const { operator: invited, hash, totp } = await linkOf(guess, token)
      const name = invited?.name ?? operatorName(typed.name)
      if (name === null) throw new OperatorRefusal('operator_name_invalid', {})
      const step = totpStep(totp, digitsOf(typed.code), clock.now())
      if (step === null) throw new OperatorRefusal('setup_code_wrong', {})
      const password = await passwords.hash(typed.password)
      const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
      const made = {
        name,
        password,
        totpStep: step,
        recoveryHashes: codes.map((code) => hashSecret(recoveryText(name, code), pepper)),
      }
      const operator = await store.useLink(hash, made, clock.now())
      if (operator === null) throw new OperatorRefusal('link_invalid', {})
      if (operator === 'taken') throw new OperatorRefusal('operator_name_taken', {})
      return {
        ...(await enter(operator, visitor, { way: 'setup', passkey: null })),
        recoveryCodes: codes,
      }
    },
  }
}

/** `abcde-fghjk`: fifty bits. */
function newRecoveryCode(): string {
  const letters = Array.from(crypto.getRandomValues(new Uint32Array(10)), (value) =>
    recoveryLetters.charAt(value % recoveryLetters.length),
  ).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}
